// The name of every byte that an access touches: tests/programs/access_paths.comp, whose lines are counted here.
#include "tests/model/program/decoded.h"

namespace lanewise::text {
namespace {

using ir::PathStep;

class Path : public testing::Test {
 protected:
  std::shared_ptr<const Program> program_ = decodedProgram("access_paths.comp");

  // The only access of an operation on a line.
  std::uint32_t at(ir::Code op, std::uint32_t line) const {
    const std::vector<std::uint32_t> found = instructionsOf(*program_, op, line);
    EXPECT_EQ(found.size(), 1u) << "line " << line;
    return found.empty() ? 0 : found[0];
  }
  // Loads other than those of the index.
  std::uint32_t loadAt(std::uint32_t line) const { return at(ir::kLoad, line); }
  std::vector<PathStep> steps(std::uint32_t pc) const {
    std::vector<PathStep> out;
    for (std::uint32_t s = program_->info[pc].path; s != 0; s = program_->paths[s].before) out.insert(out.begin(), program_->paths[s]);
    return out;
  }
};

constexpr std::uint32_t kList = 16, kParticle = 48;  // where the array begins, and the size of its elements

TEST_F(Path, MembersElementsAndComponents) {
  const std::uint32_t pc = loadAt(23);
  EXPECT_EQ(pathText(*program_, pc, kList + 3 * kParticle + 4), "data.list[3].position.y");
  EXPECT_EQ(pathText(*program_, pc, kList + 12), "data.list[0].mass");
  EXPECT_EQ(pathText(*program_, pc, kList + kParticle + 32 + 8), "data.list[1].tags[2]");
  EXPECT_EQ(pathText(*program_, pc, kList + kParticle + 32 + 12), "data.list[1].tags+12") << "behind the last element";
  EXPECT_EQ(pathText(*program_, pc, 0), "data.count");
  EXPECT_EQ(pathText(*program_, pc, 8), "data.count+8") << "between two members";
}

TEST_F(Path, TheStepsOfAnAccess) {
  const std::vector<PathStep> s = steps(loadAt(23));
  ASSERT_EQ(s.size(), 5u);
  EXPECT_EQ(s[0].kind, PathStep::Kind::kVariable);
  EXPECT_EQ(program_->module.nameOf(s[0].id), "data");
  EXPECT_EQ(s[1].kind, PathStep::Kind::kMember);
  EXPECT_EQ(s[1].number, 1u);
  EXPECT_EQ(s[2].kind, PathStep::Kind::kElement);
  EXPECT_TRUE(s[2].isDynamic);
  EXPECT_EQ(s[2].stride, kParticle);
  EXPECT_EQ(s[2].count, 0u) << "a runtime array";
  EXPECT_EQ(s[3].kind, PathStep::Kind::kMember);
  EXPECT_EQ(s[3].number, 0u);
  EXPECT_EQ(s[4].kind, PathStep::Kind::kElement);
  EXPECT_FALSE(s[4].isDynamic);
  EXPECT_EQ(s[4].number, 1u);
  EXPECT_EQ(s[4].stride, 4u);
  EXPECT_EQ(s[4].count, 3u);
}

TEST_F(Path, ColumnsOfAMatrix) {
  EXPECT_EQ(pathText(*program_, loadAt(24), kList + 16 + 8), "data.list[0].spin[1][0]");
  EXPECT_EQ(pathText(*program_, loadAt(24), kList + 16 + 4), "data.list[0].spin[0][1]");
}

TEST_F(Path, ABlockWithoutANameIsItsMembers) {
  EXPECT_EQ(pathText(*program_, at(ir::kStore, 23), 0), "o[0]");
  EXPECT_EQ(pathText(*program_, at(ir::kStore, 25), 8), "o[2]");
}

TEST_F(Path, WorkgroupMemory) {
  const std::uint32_t pc = at(ir::kStore, 26);
  EXPECT_EQ(pathText(*program_, pc, 3 * 8 + 4), "scratch[3].y");
  EXPECT_EQ(pathText(*program_, pc, 7 * 8), "scratch[7].x");
  EXPECT_EQ(pathText(*program_, pc, 64), "scratch+64") << "outside";
}

TEST_F(Path, VariablesOfAnInvocationCountScalars) {
  const std::uint32_t pc = at(ir::kLocalLoad, 30);
  EXPECT_EQ(pathText(*program_, pc, 4), "local[4]");
  const std::vector<PathStep> s = steps(pc);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s[1].stride, 1u);
  EXPECT_EQ(s[1].count, 5u);
}

TEST_F(Path, AnArrayOfDescriptors) {
  const std::uint32_t pc = loadAt(31);
  EXPECT_EQ(pathText(*program_, pc, 12, 1), "many[1].x[3]");
  EXPECT_EQ(steps(pc)[1].kind, PathStep::Kind::kDescriptor);
  EXPECT_EQ(steps(pc)[1].number, 1u);
}

TEST_F(Path, APointerToMemoryIsAsFarAsTheModuleSays) {
  const std::vector<std::uint32_t> loads = instructionsOf(*program_, ir::kLoad, 32);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(pathText(*program_, loads[0], 0), "head") << "the push constant";
  EXPECT_THAT(pathText(*program_, loads[1], 8), testing::EndsWith(".value"));
  EXPECT_EQ(steps(loads[1])[0].kind, PathStep::Kind::kPointer);
}

TEST_F(Path, WhatTouchesNoMemoryHasNone) {
  EXPECT_EQ(pathText(*program_, static_cast<std::uint32_t>(program_->info.size()), 0), "");
  for (std::uint32_t pc = 0; pc < program_->info.size(); ++pc) {
    const ir::Code op = program_->info[pc].op;
    const bool access = op == ir::kLoad || op == ir::kStore || op == ir::kLocalLoad || op == ir::kLocalStore;
    EXPECT_EQ(!pathText(*program_, pc, 0).empty(), access) << pc << " " << program_->opOf(pc);
  }
}

// tests/programs/layouts.comp has a matrix by rows: its columns are next to one another, its rows a stride apart.
TEST(PathOfLayouts, RowsOfAMatrix) {
  const auto program = decodedProgram("layouts.comp");
  const std::vector<std::uint32_t> loads = instructionsOf(*program, ir::kLoad, 25);
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_EQ(pathText(*program, loads[0], 0), "u.a");
  EXPECT_EQ(pathText(*program, loads[0], 16 + 16), "u.arr[1]");
  EXPECT_EQ(pathText(*program, loads[0], 16 + 4), "u.arr[0]+4") << "the stride of std140";
  EXPECT_EQ(pathText(*program, loads[0], 64 + 16 + 4), "u.rm[1][1]");
  EXPECT_EQ(pathText(*program, loads[0], 64 + 8), "u.rm[2][0]");
}

}  // namespace
}  // namespace lanewise::text
