// The sieve lets no race through (sieved.h): on the litmus programs as kernels, and on random kernels with and without races in workgroup
// memory. LANEWISE_RANDOM_RACES chooses how many of these; the first ones are run in every build.
#include <fmt/format.h>

#include <cstdlib>
#include <random>
#include <spirv-tools/libspirv.hpp>

#include "tests/model/check/litmus_kernel.h"
#include "tests/model/check/sieved.h"

namespace lanewise {
namespace {

constexpr const char* kSchedules[] = {"in-order", "interleave:seed:3@2", "lanes-reverse"};

TEST(SievedLitmus, LetsNoRaceThrough) {
  std::uint32_t racy = 0, clean = 0;
  for (const memory_model::Litmus& l : memory_model::allLitmus(LANEWISE_LITMUS))
    if (const std::optional<Job> job = memory_model::kernelOf(l)) {
      SCOPED_TRACE(l.name);
      for (const char* schedule : kSchedules) ++(expectSieved(*job, schedule, 0).races ? racy : clean);
    }
  EXPECT_GT(racy, 30u);
  EXPECT_GT(clean, 30u);
}

// Two subgroups of a workgroup load from an array in workgroup memory and store to it, phase after phase, in a loop and out of it. Most
// phases come again in the other seven workgroups and in the loop; some depend on the workgroup or on the turn.
class RandomKernel {
 public:
  static constexpr std::uint32_t kInvocations = 64;

  explicit RandomKernel(std::uint32_t seed) : random_(seed) {
    careful_ = pick(3) != 0;
    mistake_ = pick(3);
    const std::uint32_t before = pick(3), within = 1 + pick(3), after = pick(3);
    turn_ = "%zero";
    for (std::uint32_t i = 0; i < before; ++i) phase();
    line("OpBranch %before");
    line("%before = OpLabel");
    line("OpBranch %head");
    line("%head = OpLabel");
    line("%turn = OpPhi %uint %zero %before %next %continue");
    line("OpLoopMerge %end %continue None");
    line("OpBranch %test");
    line("%test = OpLabel");
    line(fmt::format("%more = OpULessThan %bool %turn %n{}", 1 + pick(4)));
    line("OpBranchConditional %more %body %end");
    line("%body = OpLabel");
    turn_ = "%turn";
    for (std::uint32_t i = 0; i < within; ++i) phase();
    line("OpBranch %continue");
    line("%continue = OpLabel");
    line("%next = OpIAdd %uint %turn %n1");
    line("OpBranch %head");
    line("%end = OpLabel");
    turn_ = "%zero";
    for (std::uint32_t i = 0; i < after; ++i) phase();
  }

  std::string text() const {
    std::string constants;
    for (std::uint32_t n = 1; n <= kInvocations; ++n) constants += fmt::format("%n{} = OpConstant %uint {}\n", n, n);
    return fmt::format(R"(OpCapability Shader
OpCapability GroupNonUniform
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index %group %words
OpExecutionMode %main LocalSize {0} 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %group BuiltIn WorkgroupId
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%zero = OpConstant %uint 0
{1}%ordered = OpConstant %uint 264
%unordered = OpConstant %uint 0
%array = OpTypeArray %uint %n{0}
%toArray = OpTypePointer Workgroup %array
%toWord = OpTypePointer Workgroup %uint
%words = OpVariable %toArray Workgroup
%inUint = OpTypePointer Input %uint
%inUint3 = OpTypePointer Input %uint3
%index = OpVariable %inUint Input
%group = OpVariable %inUint3 Input
%main = OpFunction %void None %function
%first = OpLabel
%i = OpLoad %uint %index
%g3 = OpLoad %uint3 %group
%g = OpCompositeExtract %uint %g3 0
%g8 = OpIMul %uint %g %n8
OpBranch %start
%start = OpLabel
{2}OpReturn
OpFunctionEnd
)",
                       kInvocations, constants, body_);
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_()) % below; }
  void line(const std::string& text) { body_ += text + "\n"; }
  std::string value(const std::string& what) {
    line(fmt::format("%v{} = {}", ++values_, what));
    return fmt::format("%v{}", values_);
  }

  std::string place() {
    std::string at = "%i";
    if (!careful_ && pick(6) == 0) at = value(fmt::format("OpUDiv %uint {} %n{}", at, 2 + pick(3)));
    if (const std::uint32_t far = pick(4); far != 0) at = value(fmt::format("OpIAdd %uint {} %n{}", at, far == 1 ? 32 : pick(8) + 1));
    if (pick(5) == 0) at = value(fmt::format("OpIAdd %uint {} %g", at));
    if (pick(5) == 0) at = value(fmt::format("OpIAdd %uint {} %g8", at));
    if (pick(5) == 0) at = value(fmt::format("OpIAdd %uint {} {}", at, turn_));
    at = value(fmt::format("OpUMod %uint {} %n{}", at, kInvocations));
    return value(fmt::format("OpAccessChain %toWord %words {}", at));
  }

  void access(const std::string& at) {
    if (pick(12) == 0)
      value(fmt::format("OpAtomicIAdd %uint {} %n1 %zero %n1", at));
    else if (pick(2) == 0)
      value(fmt::format("OpLoad %uint {}", at));
    else
      line(fmt::format("OpStore {} %i", at));
  }

  // Accesses, and a barrier that most of the time orders them.
  void phase() {
    const bool some = pick(2) == 0;  // not all invocations
    if (some) {
      const std::string few = value(fmt::format("OpULessThan %bool %i %n{}", 4 + pick(12)));
      line(fmt::format("OpSelectionMerge %m{} None", values_));
      line(fmt::format("OpBranchConditional {} %t{} %m{}", few, values_, values_));
      line(fmt::format("%t{} = OpLabel", values_));
    }
    const std::string merge = fmt::format("%m{}", values_);
    std::string at = place();
    for (std::uint32_t n = pick(4); n > 0; --n) {
      access(at);
      if (!careful_) at = place();
    }
    if (careful_ && mistake_ == 1 && pick(4) == 0) value(fmt::format("OpAtomicIAdd %uint {} %n1 %zero %n1", place()));
    if (some) {
      line("OpBranch " + merge);
      line(merge + " = OpLabel");
    }
    if (pick(4) == 0) line("OpMemoryBarrier %n2 %ordered");
    const std::uint32_t barrier = careful_ ? (mistake_ == 2 ? pick(4) + 1 : 3) : pick(12);
    if (barrier == 0) return;
    if (barrier == 2 && !careful_) return line("OpControlBarrier %n3 %n3 %ordered");
    line(barrier == 1 ? "OpControlBarrier %n2 %n2 %unordered" : "OpControlBarrier %n2 %n2 %ordered");
  }

  std::mt19937 random_;
  std::string body_, turn_;
  std::uint32_t values_ = 0;
  bool careful_ = false;       // an invocation uses one word in each phase, and no other invocation does
  std::uint32_t mistake_ = 0;  // ... but for atomics (1), or barriers that order nothing (2)
};

TEST(SievedKernels, LetNoRaceThrough) {
  const char* const given = std::getenv("LANEWISE_RANDOM_RACES");
  const std::uint32_t count = given ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : 150;
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::uint32_t racy = 0, clean = 0, spared = 0;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    const std::string text = RandomKernel(seed).text();
    SCOPED_TRACE(fmt::format("seed {}", seed));
    auto module = std::make_shared<ShaderModule>();
    module->name = "random.spvasm";
    ASSERT_TRUE(tools.Assemble(text, &module->words)) << text;
    Job job;
    job.dispatches.resize(1);
    job.dispatches[0].module = module;
    job.dispatches[0].groups = {8, 1, 1};
    const SievedRun run = expectSieved(job, kSchedules[seed % std::size(kSchedules)], RandomKernel::kInvocations * 4);
    ASSERT_FALSE(testing::Test::HasFailure()) << text;
    ++(run.races ? racy : clean);
    if (!run.suspects) ++spared;
  }
  EXPECT_GT(racy, count / 5);
  EXPECT_GT(clean, count / 5);
  EXPECT_GT(spared, clean * 3 / 4) << "a sieve that keeps everything";
}

}  // namespace
}  // namespace lanewise
