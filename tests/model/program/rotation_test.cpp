// Two shifts of one value become a rotation where nobody looks, and nothing else does. tests/programs/rotations.comp has their values.
#include "model/ir/rotation.h"

#include "tests/model/program/decoded.h"

namespace lanewise::text {
namespace {

constexpr std::uint32_t kUp = 23, kFirst = 24;  // lines of the program: a shift with two users, and the first rotation

std::size_t countOf(const Program& program, ir::Code op, std::uint32_t line) {
  return instructionsOf(program, op, line).size();
}

TEST(Rotation, ReplacesTwoShiftsOfOneValue) {
  const auto module = programModule("rotations.comp");
  ASSERT_TRUE(module.ok()) << module.error().text();
  const auto program = decoded(*module, ir::Flavour::kUnwatched);
  for (std::uint32_t line = kFirst; line < kFirst + 5; ++line) {
    EXPECT_EQ(countOf(*program, ir::kRotateLeft, line), 1u) << line;
    EXPECT_EQ(countOf(*program, ir::core(spv::Op::OpShiftRightLogical), line), 0u) << line;
  }
  EXPECT_EQ(instructionsOf(*program, ir::kRotateLeft).size(), 5u);
  EXPECT_EQ(countOf(*program, ir::core(spv::Op::OpShiftLeftLogical), kUp), 1u) << "another uses it";
}

TEST(Rotation, IsNotMadeWhereSomebodyLooks) {
  for (const ir::Flavour flavour : {ir::Flavour::kQuick, ir::Flavour::kFaithful})
    EXPECT_TRUE(instructionsOf(*decoded(*programModule("rotations.comp"), flavour), ir::kRotateLeft).empty());
}

}  // namespace
}  // namespace lanewise::text
