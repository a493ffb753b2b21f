// What values can be: loops, conditions and wrapping, in functions made by hand; and which mutants of kernels are the same by that.
#include "tools/selftest/ranges.h"

#include "model/spirv/parse.h"
#include "tools/selftest/mutants.h"
#include "tools/selftest/same_in_range.h"
#include "tools/selftest/tested_module.h"

namespace lanewise {
namespace {

using ir::core;
using ir::Value;
using spv::Op;

constexpr Range kAnything{};

// for (i = first; i COMPARISON n; i = i STEP 1): blocks 1 (the condition), 2 (the body) and 3 (behind it).
struct Loop {
  ir::Function f;
  Value n = 0, i = 0, next = 0;

  Loop(std::uint32_t first, Op comparison, Op step) {
    f.blocks.resize(4);
    f.accesses.push_back({.space = ir::Space::kPush});
    const Value zero = f.constant(Scalar::kI32, 0), one = f.constant(Scalar::kI32, 1), start = f.constant(Scalar::kI32, first);
    n = add(0, ir::kLoad, {zero, zero});
    f.nodes[n].what = kind::Memory{};
    i = add(1, ir::kPhi, {start, start});
    const Value holds = add(1, core(comparison), {i, n});
    f.nodes[holds].type = Scalar::kBool;
    next = add(2, core(step), {i, one});
    f.args(i)[1] = next;
    f.blocks[0].end = ir::Jump{1};
    f.blocks[1].end = ir::Branch{holds, 2, 3};
    f.blocks[2].end = ir::Jump{1};
    f.blocks[3].end = ir::Return{};
    f.blocks[1].merge = 3;
    f.blocks[1].continueTarget = 2;
    f.blocks[1].predecessors = {0, 2};
    ir::orderBlocks(f);
  }
  Value add(std::uint32_t block, ir::Code op, std::initializer_list<Value> args) {
    const Value v = f.add(op, Scalar::kI32, std::span(args.begin(), args.size()), 0);
    f.append(block, v);
    return v;
  }
  // With n known, or not.
  Ranges ranges(std::optional<Range> known) const {
    KnownInputs inputs;
    if (known) inputs.push[0] = *known;
    return {f, inputs};
  }
};

TEST(Ranges, ALoopUpwardStaysBelowItsEnd) {
  const Loop loop(0, Op::OpSLessThan, Op::OpIAdd);
  const Ranges r = loop.ranges(Range{1, 100});
  EXPECT_EQ(r.at(loop.i, 2), (Range{0, 99}));
  EXPECT_EQ(r.at(loop.next, 2), (Range{1, 100}));
  EXPECT_EQ(r.at(loop.i, 3), (Range{1, 100})) << "behind it";
  const Ranges unknown = loop.ranges({});
  EXPECT_EQ(unknown.at(loop.i, 2), (Range{0, Range::kMost - 1})) << "i < n: one more does not wrap";
  EXPECT_EQ(unknown.at(loop.n, 2), (Range{1, Range::kMost}));
}

TEST(Ranges, ALoopDownwardEndsBelowZero) {
  const Loop loop(50, Op::OpSGreaterThanEqual, Op::OpISub);
  const Ranges r = loop.ranges(Range{0, 0});
  EXPECT_EQ(r.at(loop.i, 2), (Range{0, 50}));
  EXPECT_FALSE(r.at(loop.i, 3).neverNegative());
  EXPECT_FALSE(r.at(loop.next, 2).neverNegative());
}

TEST(Ranges, WhatMayWrapIsUnknown) {
  const Loop loop(0, Op::OpINotEqual, Op::OpIAdd);
  const Ranges r = loop.ranges({});
  EXPECT_EQ(r.at(loop.next, 2), kAnything);
  // An unsigned end may be 2^31 or more.
  const Loop other(0, Op::OpULessThan, Op::OpIAdd);
  EXPECT_FALSE(other.ranges({}).at(other.next, 2).neverNegative());
  EXPECT_TRUE(other.ranges(Range{0, 9}).at(other.next, 2).neverNegative());
}

// A mutant of a kernel's module against the module, in every specialization.
struct Judge {
  std::vector<TestedModule> modules;

  explicit Judge(const char* kernel) : modules(std::move(*testedModules({findKernel(kernel)}))) {}
  Sameness operator()(const Mutant& m) const {
    auto module = std::make_shared<ShaderModule>();
    module->name = modules[0].module->name;
    module->words = m.words;
    Sameness least = Sameness::kSame;
    for (const Specialization& s : modules[0].specializations) {
      const auto after = lowered(modules[0].cases[s.example]->job(module), module->name);
      for (std::size_t i = 0; i < after.size(); ++i)
        least = std::min(least, sameInRange(s.lowered[i]->lowered.function, s.ranges[i], after[i]->lowered.function));
    }
    return least;
  }
  std::vector<Mutant> mutants() const { return mutantsOf(*spirv::parse("", modules[0].module->words)); }
};

TEST(SameInRange, DecidesWhatIsNeverNegativeAndNothingElse) {
  const Judge judge("box-blur/double/naive");
  std::size_t asked = 0;
  for (const Mutant& m : judge.mutants()) {
    // An index left of the picture is negative; the picture's size is not.
    const bool index = m.source.find("i >= 0 && i < n") != std::string::npos && m.change == "OpSLessThan becomes OpULessThan";
    const bool side =
        m.source.find("at.x >= push.size.x") != std::string::npos && m.change.find("becomes OpUGreaterThanEqual") != std::string::npos;
    if (!index && !side) continue;
    ++asked;
    EXPECT_EQ(judge(m) == Sameness::kSame, side) << m.place.text() << " " << m.change;
  }
  EXPECT_GE(asked, 3u);
}

// No operator that becomes another one, no constant that grows is the same by its operands' signs.
TEST(SameInRange, IsSilentOnChangesOfValues) {
  const Judge judge("checksum/sum/shuffle");
  std::size_t unwritten = 0;
  for (const Mutant& m : judge.mutants()) {
    if (m.rule == "constant" || m.rule == "operands") {
      EXPECT_EQ(judge(m), Sameness::kDifferent) << m.place.text() << " " << m.change;
    }
    if (m.rule == "store dropped" && m.source == "uint sum = 0u;") {
      ++unwritten;
      EXPECT_EQ(judge(m), Sameness::kInModel);
    }
  }
  EXPECT_EQ(unwritten, 1u);
}

}  // namespace
}  // namespace lanewise
