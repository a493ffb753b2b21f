// What went into a texel, and what Vulkan leaves open in it.
#include <fmt/format.h>

#include "tests/kernels/kernels.h"
#include "tests/text/program_job.h"
#include "tools/arbitrate/slice.h"
#include "tools/catalogue/catalogue.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

Slice sliceOfTexel(const std::string& name, std::uint32_t resource, std::uint32_t texel, std::uint32_t component) {
  Model model;
  const Case c = *parseCase(name);
  const Job job = c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
  Expected<Slice> slice = sliceOf(model, job, {resource, texel * 4 + component, 1, component});
  EXPECT_TRUE(slice.ok()) << (slice.ok() ? "" : slice.error().text());
  return slice ? std::move(*slice) : Slice{};
}

// Through both passes of the blur, and nothing else: radius 1 of a row of 9 reads three texels of the source.
TEST(SliceOf, HoldsWhatWentIntoTheTexelAndNothingElse) {
  const Slice s = sliceOfTexel("box-blur/double/naive @ 9x1 radius=1 edge=clamp", 2, 4, 2);
  ASSERT_TRUE(s.stored);
  const SliceStep& store = s.steps.back();
  EXPECT_EQ(store.operation, "OpImageWrite");
  EXPECT_EQ(store.memory, "write blurred texel (4, 0)");
  EXPECT_EQ(store.invocation, (Extent3{4, 0, 0}));
  EXPECT_THAT(store.place, HasSubstr("box_blur"));
  std::set<std::string> sources;
  for (const SliceStep& step : s.steps)
    if (step.memory.find("source") != std::string::npos) sources.insert(step.memory);
  EXPECT_THAT(sources, testing::ElementsAre("read source texel (3, 0)", "read source texel (4, 0)", "read source texel (5, 0)"));
  EXPECT_LT(s.steps.size() * 4, s.executed);
}

// A blit is a step: of the two texels that the second of five becomes, through the level between.
TEST(SliceOf, FollowsBlits) {
  const Slice s = sliceOfTexel("pyramid/filter-float/blit @ 5x1", 0, 7, 0);
  ASSERT_TRUE(s.stored);
  ASSERT_EQ(s.steps.size(), 3u);
  EXPECT_EQ(s.steps.back().operation, "vkCmdBlitImage");
  EXPECT_EQ(s.steps.back().memory, "pyramid level 1 to level 2");
  EXPECT_EQ(s.steps[1].invocation, (Extent3{1, 0, 0}));
  EXPECT_NE(openIn(s.steps.back()), "") << "the weights' precision is the device's";
}

// Workgroup memory, shuffles and atomics between invocations: all texels of a checksum are in its slice.
TEST(SliceOf, CrossesInvocationsThroughMemory) {
  const Slice s = sliceOfTexel("checksum/sum/shuffle @ 40x1", 1, 0, 0);
  ASSERT_TRUE(s.stored);
  std::set<std::uint32_t> invocations;
  std::set<std::string> texels;
  for (const SliceStep& step : s.steps) {
    invocations.insert(step.invocation.x);
    if (step.memory.find("read source texel") != std::string::npos) texels.insert(step.memory);
  }
  EXPECT_EQ(texels.size(), 40u);
  EXPECT_GE(invocations.size(), 40u);
}

// Through an array that a lane indexes as it likes, which stands in memory: what was stored there goes in, and nothing of other lanes'.
TEST(SliceOf, FollowsFunctionMemory) {
  const Job job = text::programJob("local_arrays.comp");
  Model model;
  const Expected<Slice> s = sliceOf(model, job, {0, 5 * 4, 4, 0});
  ASSERT_TRUE(s.ok()) << s.error().text();
  ASSERT_TRUE(s->stored);
  std::set<std::string> written, read;
  for (const SliceStep& step : s->steps) {
    // What is the same for all lanes was computed by the first.
    if (!step.memory.empty()) {
      EXPECT_EQ(step.invocation, (Extent3{5, 0, 0})) << step.memory;
    }
    if (step.memory.starts_with("write function memory")) written.insert(step.memory.substr(6));
    if (step.memory.starts_with("read function memory")) read.insert(step.memory.substr(5));
  }
  EXPECT_GE(read.size(), 8u + 12u + 3u + 5u) << "every element of the four arrays";
  EXPECT_TRUE(std::ranges::includes(written, read)) << "a slice that ends at a load";
}

// A test's kernel with a result of `words` words at binding 0, and its numbers at binding 1.
template <class T>
Job jobOf(const std::string& kernel, std::uint32_t words, const std::vector<T>& numbers) {
  Job job;
  job.resources.push_back(undefinedBuffer("result", std::size_t{4} * words));
  job.resources.back().output = true;
  BufferData data;
  const auto bytes = std::as_bytes(std::span(numbers));
  data.bytes.assign(bytes.begin(), bytes.end());
  job.resources.push_back({"numbers", data});
  Dispatch d;
  d.module = testKernel(kernel);
  for (std::uint32_t b = 0; b < 2; ++b) {
    Binding binding;
    binding.binding = b;
    binding.resource = job.resources[b].name;
    d.bindings.push_back(binding);
  }
  job.dispatches.push_back(d);
  return job;
}

// An open operation whose result waits in such an array is found from what it went into, and from what it decided, and from nothing else.
TEST(SliceOf, FindsWhatIsLeftOpenBehindFunctionMemory) {
  const Job job = jobOf<float>("slice_local_array", 12, {1, 2, 3, 4});
  Model model;
  const auto open = [](const std::vector<SliceStep>& steps) {
    return std::ranges::count_if(steps, [](const SliceStep& s) { return !openIn(s).empty() && s.operation.ends_with("Exp"); });
  };
  for (const std::uint32_t i : {0u, 3u}) {
    const Expected<Slice> is = sliceOf(model, job, {0, i * 4, 4, 0}), isNot = sliceOf(model, job, {0, (4 + i) * 4, 4, 0}),
                          decided = sliceOf(model, job, {0, (8 + i) * 4, 4, 0});
    ASSERT_TRUE(is.ok() && isNot.ok() && decided.ok());
    EXPECT_EQ(open(is->steps), 1) << "only its own: " << is->summary();
    EXPECT_TRUE(isNot->stored);
    EXPECT_EQ(open(isNot->steps) + open(isNot->decisions), 0);
    EXPECT_EQ(open(decided->steps), 0);
    EXPECT_EQ(open(decided->decisions), 1);
  }
}

// What is open in anything that the word of the first resource comes from.
std::set<std::string> openBehind(const Job& job, std::uint32_t word) {
  Model model;
  const Expected<Slice> s = sliceOf(model, job, {0, word * 4, 4, 0});
  EXPECT_TRUE(s.ok() && s->stored) << word;
  if (!s) return {};
  std::set<std::string> open;
  for (const std::vector<SliceStep>* steps : {&s->steps, &s->decisions, &s->strays})
    for (const SliceStep& step : *steps)
      if (!openIn(step).empty()) open.insert(openIn(step));
  return open;
}

TEST(SliceOf, FindsWhatIsUndefinedAndNoNearMiss) {
  const Job job = jobOf<std::uint32_t>("slice_undefined", 20, {40, 0, 3, 8, std::bit_cast<std::uint32_t>(-1.0F), 0x80000000, 0xffffffff});
  const char* const texts[] = {"reads variable never, which nobody has written",
                               "reads variable other, which nobody has written",
                               "undefined for bits beyond the width",
                               "undefined for a shift by the width or more",
                               "undefined for a value that does not fit",
                               "undefined for a divisor of 0, or the smallest number by -1",
                               "undefined for low > high",
                               "reads variable held, which nobody has written",
                               "reads memory that nobody has written",
                               "reads variable maybe, which nobody has written"};
  for (std::uint32_t word = 0; word < 20; ++word) {
    const std::set<std::string> expected = word % 2 == 0 ? std::set<std::string>{texts[word / 2]} : std::set<std::string>{};
    EXPECT_EQ(openBehind(job, word), expected) << "word " << word;
  }
}

TEST(SliceOf, FindsVariablesThatTheCallBeforeHasWritten) {
  const Job job = text::programJob("call_again.comp");
  const std::map<std::uint32_t, std::string> undefined = {{1, "t"}, {2, "t"}, {4, "u"}, {5, "u"}, {13, "large"}, {14, "large"}};
  for (std::uint32_t word = 0; word < 15; ++word) {
    const auto at = undefined.find(word);
    const std::set<std::string> expected =
        at == undefined.end() ? std::set<std::string>{} : std::set{fmt::format("reads variable {}, which nobody has written", at->second)};
    EXPECT_EQ(openBehind(job, word), expected) << "word " << word;
  }
}

TEST(SliceOf, SaysWhenNobodyStoredTheTexel) {
  Model model;
  const Case c = *parseCase("photo/fingerprint/global @ 1x1 input=constant:0");
  const Job job = c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
  const std::uint32_t buckets = static_cast<std::uint32_t>(job.resources.size() - 1);
  const Expected<Slice> s = sliceOf(model, job, {buckets, job.resources[buckets].bytes().size() - 4, 4, 0});
  ASSERT_TRUE(s.ok());
  EXPECT_FALSE(s->stored);
  EXPECT_THAT(s->summary(),
              testing::MatchesRegex("no invocation stored this texel; others of its resource are stored at .*fingerprint.*:[0-9]+.*"));
  // Where nothing was stored at all, the branches are what is left to look at.
  const Case none = *parseCase("box-blur/double/naive @ 1x1 radius=1");
  Job idle = none.kernel->plan(none, kernelModule(*none.kernel), *inputOf(none));
  const std::uint32_t output =
      static_cast<std::uint32_t>(std::ranges::find(idle.resources, true, &Resource::output) - idle.resources.begin());
  for (Dispatch& d : idle.dispatches) std::ranges::fill(d.push, std::byte{0});
  const Expected<Slice> nothing = sliceOf(model, idle, {output, 0, 1, 0});
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->stored);
  EXPECT_THAT(nothing->summary(), testing::HasSubstr("this texel, nor another of its resource; invocations branched at "));
  EXPECT_EQ(sliceOf(model, job, {buckets, 0, 4, 0}, 10).error().outcome, Outcome::kUnsupported) << "a run that is too long";
}

TEST(OpenOperations, HaveTheirSection) {
  EXPECT_STREQ(ir::openness(ir::kImageSample)->clause, "Texel Filtering");
  EXPECT_STREQ(ir::openness(ir::core(spv::Op::OpGroupNonUniformFAdd))->clause, "Precision of Core SPIR-V Instructions");
  EXPECT_EQ(ir::openness(ir::core(spv::Op::OpGroupNonUniformIAdd)), nullptr);
}

TEST(OpenOperations, DivisionIsOpenOnlyByZero) {
  SliceStep step;
  step.code = ir::core(spv::Op::OpUDiv);
  step.result = Scalar::kI32;
  step.types = {Scalar::kI32, Scalar::kI32};
  step.arguments = {7, 3};
  EXPECT_EQ(openIn(step), "");
  step.arguments = {7, 0};
  EXPECT_NE(openIn(step), "");
  step.code = ir::core(spv::Op::OpIAdd);
  EXPECT_EQ(openIn(step), "");
  step.code = ir::kImageRead;
  EXPECT_EQ(openIn(step), "");
  step.floats = true;
  EXPECT_NE(openIn(step), "");
}

// 0 / 0 is a NaN where the module says so, and then only as open as any quotient.
TEST(OpenOperations, AQuotientOfZerosIsUndefinedUnlessNansAreKept) {
  SliceStep step;
  step.code = ir::core(spv::Op::OpFDiv);
  step.result = Scalar::kF32;
  step.types = {Scalar::kF32, Scalar::kF32};
  step.arguments = {0, 0};
  EXPECT_EQ(openIn(step), ir::undefinedText(ir::Definedness::kNotBothZero));
  step.keepsNan = true;
  EXPECT_EQ(openIn(step), ir::openness(step.code)->allowed);
}

TEST(OpenOperations, AnAccessOutsideIsOpenWhateverItIs) {
  SliceStep step;
  step.code = ir::core(spv::Op::OpIAdd);
  EXPECT_EQ(openIn(step), "");
  step.outside = true;
  EXPECT_EQ(openIn(step), ir::openOutside().allowed);
}

}  // namespace
}  // namespace lanewise
