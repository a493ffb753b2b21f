// Loops of a few rounds become these where nobody watches. tests/programs/few_rounds.comp has their values.
#include <algorithm>

#include "tests/model/program/decoded.h"

namespace lanewise::text {
namespace {

std::size_t jumpsBack(const Program& program) {
  std::size_t count = 0;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const auto* jump = std::get_if<kind::Jump>(&program.code[pc].what);
    const auto* branch = std::get_if<kind::Branch>(&program.code[pc].what);
    count += (jump && jump->target <= pc) || (branch && std::min(branch->whereTrue, branch->whereFalse) <= pc);
  }
  return count;
}

TEST(Unroll, LoopsThatAreLeftEarlyOrLongStay) {
  const auto module = programModule("few_rounds.comp");
  ASSERT_TRUE(module) << module.error().text();
  const auto program = decoded(*module, ir::Flavour::kUnwatched);
  EXPECT_EQ(jumpsBack(*program), 2u);
  EXPECT_TRUE(instructionsOf(*program, ir::kLocalLoad).empty()) << "what is indexed by a constant is in registers";
  EXPECT_TRUE(program->countsMore);
  const auto watched = decoded(*module);
  EXPECT_EQ(jumpsBack(*watched), 7u);
  EXPECT_FALSE(watched->countsMore);
}

}  // namespace
}  // namespace lanewise::text
