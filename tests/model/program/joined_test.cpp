// Operations that come together become one where nobody looks, and no others do. tests/programs/rotations.comp, turns.comp, joined.comp and
// joined_floats.comp have their values.
#include "model/ir/rows/joined.h"

#include <set>
#include <utility>

#include "model/operations/operations.h"
#include "model/program/lower.h"
#include "model/spirv/parse.h"
#include "tests/model/program/decoded.h"

namespace lanewise::text {
namespace {

constexpr std::uint32_t kUp = 17, kFirst = 18;     // lines of rotations.comp: a shift with two users, and the first rotation
constexpr std::uint32_t kNarrow = 25, kWide = 46;  // of joined.comp: the first of 32 bits, and of 64

constexpr std::uint32_t kFirstFloats = 27;  // of joined_floats.comp

constexpr std::uint32_t kFirstTurns = 19;  // of turns.comp: the first that is one operation

std::shared_ptr<const Program> unwatched(const char* file) {
  const auto module = programModule(file);
  if (!module) ADD_FAILURE() << module.error().text();
  return module ? decoded(*module, ir::Flavour::kUnwatched) : std::make_shared<const Program>();
}

std::size_t countOf(const Program& program, ir::Code op, std::uint32_t line) {
  return instructionsOf(program, op, line).size();
}

TEST(Joined, TwoShiftsOfOneValueAreARotation) {
  const auto program = unwatched("rotations.comp");
  for (std::uint32_t line = kFirst; line < kFirst + 5; ++line) {
    EXPECT_EQ(countOf(*program, ir::kRotateLeft, line), 1u) << line;
    EXPECT_EQ(countOf(*program, ir::core(spv::Op::OpShiftRightLogical), line), 0u) << line;
  }
  EXPECT_EQ(instructionsOf(*program, ir::kRotateLeft).size(), 5u);
  EXPECT_EQ(countOf(*program, ir::core(spv::Op::OpShiftLeftLogical), kUp), 0u) << "only the sum uses it then";
  EXPECT_EQ(countOf(*program, ir::kLeftAdd, kFirst + 4), 1u);
}

TEST(Joined, OneValueIsTurnedInSeveralWaysAtOnce) {
  const auto program = unwatched("turns.comp");
  const std::uint32_t first = kFirstTurns;
  for (std::uint32_t line = first; line < first + 6; ++line) EXPECT_EQ(countOf(*program, ir::kTurnsXor, line), 1u) << line;
  EXPECT_EQ(countOf(*program, ir::kRotateXor, first + 6), 1u) << "which is one operation, too";
  EXPECT_EQ(countOf(*program, ir::kTurnsXor, first + 7), 0u) << "of two values";
  EXPECT_EQ(countOf(*program, ir::kTurnsXor, first + 9), 0u) << "another one uses the xor of two";
}

TEST(Joined, EachLineIsOneOperation) {
  const auto program = unwatched("joined.comp");
  const ir::Code narrow[] = {ir::kLeftAdd,   ir::kRightAdd,    ir::kMultiplyAdd, ir::kAndAdd,     ir::kAddThree,
                             ir::kLeftOr,    ir::kRightAnd,    ir::kLeftXor,     ir::kRightXor,   ir::kRotateXor,
                             ir::kXorRotate, ir::kSelectEqual, ir::kSelectLess,  ir::kSelectLess, ir::kSelectSignedLess,
                             ir::kBits,      ir::kBits,        ir::kBits,        ir::kBits};
  const ir::Code wide[] = {ir::kLeftAdd,    ir::kRightAdd,         ir::kMultiplyAdd, ir::kAndAdd,     ir::kAddThree,
                           ir::kLeftOr,     ir::kRightAnd,         ir::kLeftXor,     ir::kRightXor,   ir::kSelectEqual,
                           ir::kSelectLess, ir::kSelectSignedLess, ir::kBits,        ir::kMultiplyLow};
  std::set<ir::Code> seen{ir::kRotateLeft, ir::kTurnsXor};
  const auto look = [&](std::uint32_t line, ir::Code op) {
    EXPECT_EQ(countOf(*program, op, line), 1u) << line;
    seen.insert(op);
  };
  for (std::uint32_t i = 0; i < std::size(narrow); ++i) look(kNarrow + i, narrow[i]);
  for (std::uint32_t i = 0; i < std::size(wide); ++i) look(kWide + i, wide[i]);
  const auto floats = unwatched("joined_floats.comp");
  for (const std::uint32_t line : {kFirstFloats, kFirstFloats + 3}) {
    EXPECT_EQ(countOf(*floats, ir::kFMultiplyAdd, line), 1u) << line;
    EXPECT_EQ(countOf(*floats, ir::kFAddThree, line + 1), 1u) << line;
    EXPECT_EQ(countOf(*floats, ir::core(spv::Op::OpFSub), line + 2), 1u) << "a difference is none of them";
  }
  seen.insert({ir::kFMultiplyAdd, ir::kFAddThree});
  EXPECT_EQ(seen.size(), std::size_t{ir::kBits - ir::kRotateLeft + 1}) << "one has no line";
  EXPECT_EQ(countOf(*program, ir::core(spv::Op::OpISub), kNarrow + 19), 1u) << "a difference is none of them";
  EXPECT_EQ(countOf(*program, ir::core(spv::Op::OpIMul), kNarrow + 20), 1u) << "two use the shift";
}

// How many comparisons are executed with the branch behind them, of as many branches.
std::pair<std::size_t, std::size_t> branchesOf(const Program& program) {
  std::pair<std::size_t, std::size_t> out;
  for (std::size_t pc = 1; pc < program.code.size(); ++pc) {
    if (!std::holds_alternative<kind::Branch>(program.code[pc].what)) continue;
    const InstrInfo& before = program.info[pc - 1];
    const auto arguments = program.argumentsOf(static_cast<std::uint32_t>(pc - 1));
    const OpRow* row = arguments.empty() ? nullptr : operations().find({before.op, before.type, arguments[0].type});
    out.first += row && row->branching && program.code[pc - 1].run == row->branching;
    ++out.second;
  }
  return out;
}

TEST(Joined, AComparisonAndItsBranch) {
  using Counts = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(branchesOf(*unwatched("long_loops.comp")), Counts(2, 3)) << "a loop of each, one of all; not the first instruction";
  EXPECT_EQ(branchesOf(*decodedProgram("long_loops.comp")), Counts(0, 3)) << "somebody may look";
}

TEST(Joined, NothingIsWhereSomebodyLooks) {
  for (const ir::Flavour flavour : {ir::Flavour::kQuick, ir::Flavour::kFaithful})
    for (const char* file : {"rotations.comp", "joined.comp", "joined_floats.comp", "turns.comp"}) {
      const auto program = decoded(*programModule(file), flavour);
      for (ir::Code op = ir::kRotateLeft; op <= ir::kBits; ++op) EXPECT_TRUE(instructionsOf(*program, op).empty()) << file;
    }
}

TEST(Meeting, OnlyOnePathMovesAValue) {
  const auto moves = [](const Program& program) { return instructionsOf(program, control::kMove).size(); };
  EXPECT_EQ(moves(*unwatched("meeting_values.comp")), 2u) << "of two meetings";
  EXPECT_EQ(moves(*decodedProgram("meeting_values.comp")), 4u);
}

TEST(Forwarded, WhatABlockStoredAndOverwrote) {
  const auto loads = [](const Program& program) { return instructionsOf(program, ir::kLocalLoad).size(); };
  const auto stores = [](const Program& program) { return instructionsOf(program, ir::kLocalStore).size(); };
  const auto program = unwatched("forwarded.comp"), looked = decodedProgram("forwarded.comp");
  EXPECT_EQ(loads(*looked), 2u) << "one behind a store by a lane's index, and one where lanes meet";
  EXPECT_EQ(loads(*program), 2u);
  EXPECT_EQ(stores(*looked) - stores(*program), 1u) << "of two the second is left";
}

// Most operations that a compiler writes without optimisation pass an argument or a variable from one line to the next.
TEST(KnownLocals, ThereIsNoLoadWhereEveryPathStores) {
  const Expected<std::shared_ptr<const ShaderModule>> shader = programModule("rotations.comp");
  ASSERT_TRUE(shader.ok());
  const Expected<spirv::Module> module = spirv::parse((*shader)->name, (*shader)->words);
  ASSERT_TRUE(module.ok());
  LowerOptions options;
  const auto loads = [](const ir::Function& f) {
    std::size_t count = 0;
    for (const std::uint32_t b : f.order)
      for (const ir::Value v : f.blocks[b].nodes) count += f.nodes[v].op == ir::kLocalLoad;
    return count;
  };
  const Expected<Lowered> known = lower(*module, options);
  options.record = true;
  const Expected<Lowered> faithful = lower(*module, options);
  ASSERT_TRUE(known.ok() && faithful.ok());
  EXPECT_EQ(loads(known->function), 0u);
  EXPECT_GT(loads(faithful->function), 10u);
}

// Where nobody asks for the operations one by one: findings do.
TEST(KnownLocals, ArgumentsAreHeldAndEqualOperationsAreOne) {
  const Expected<std::shared_ptr<const ShaderModule>> shader = programModule("held_arguments.comp");
  ASSERT_TRUE(shader.ok());
  const Expected<spirv::Module> module = spirv::parse((*shader)->name, (*shader)->words);
  ASSERT_TRUE(module.ok());
  LowerOptions options;
  const auto timesSeven = [](const ir::Function& f) {
    std::size_t count = 0;
    for (const std::uint32_t b : f.order)
      for (const ir::Value v : f.blocks[b].nodes)
        count += f.nodes[v].op == ir::core(spv::Op::OpIMul) && f.isConstant(f.args(v)[1]) && f.bitsOf(f.args(v)[1]) == 7;
    return count;
  };
  const Expected<Lowered> known = lower(*module, options);
  options.checkIndices = true;
  const Expected<Lowered> asked = lower(*module, options);
  ASSERT_TRUE(known.ok() && asked.ok());
  EXPECT_EQ(timesSeven(known->function), 1u) << "the one before a branch is that of its sides";
  EXPECT_EQ(timesSeven(asked->function), 3u);
  EXPECT_LT(known->function.locals.size() + 8, asked->function.locals.size());
  EXPECT_TRUE(std::ranges::any_of(known->function.locals, &ir::LocalVariable::variable)) << "what is stored twice";
}

}  // namespace
}  // namespace lanewise::text
