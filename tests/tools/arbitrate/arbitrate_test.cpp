// Arbitration: the smallest failing case, the slice, the ruling for each side, and capsules, against known-bad kernels and planted bugs.
#include <fmt/format.h>

#include "golden/image/random.h"
#include "tests/kernels/kernels.h"
#include "tests/text/program_modules.h"
#include "tests/tools/fake_device.h"
#include "tools/arbitrate/arbitrate.h"
#include "tools/arbitrate/capsule.h"
#include "tools/arbitrate/slice.h"

namespace lanewise {
namespace {

using testing::Contains;
using testing::HasSubstr;

Side sideOf(const char* name, Device& device) {
  const bool isModel = std::string_view(name) == "model";
  return {{name, "", device.profile().subgroupSize, isModel}, &device, isModel};
}

TEST(Shrink, FindsTheSmallestFailingCase) {
  Model model;
  const Side side = sideOf("model", model);
  const Shrunk s = shrink(*parseCase("broken/box-blur-remainder-x4 @ 55x43 radius=5 edge=zero input=noise:3"), side, Inputs(), {});
  EXPECT_TRUE(s.finished);
  EXPECT_EQ(s.what.size.width * s.what.size.height, 2u) << s.what.name();
  EXPECT_THAT(s.what.input, testing::StartsWith("list:"));
  EXPECT_EQ(runCase(s.what, side, Inputs(), nullptr).verdict, Verdict::kMismatch);
  // A case that passes stays as it is.
  const Case good = *parseCase("box-blur/double/naive @ 9x9");
  EXPECT_EQ(shrink(good, side, Inputs(), {}).what, good);
}

// Few runs are as large as it.
TEST(Shrink, ALargeCaseFirstLosesItsTexels) {
  Model model;
  const Side side = sideOf("model", model);
  const Shrunk s = shrink(*parseCase("broken/box-blur-remainder-x4 @ 331x199 radius=1 edge=zero input=noise:3"), side, Inputs(), {});
  EXPECT_TRUE(s.finished);
  EXPECT_LE(s.what.size.width * s.what.size.height, 4u) << s.what.name();
}

// What fails where both sides are long cannot lose its texels at once: all runs together have at most twice those of the case.
TEST(Shrink, ACaseThatIsLargeInBothSidesCostsTwoRunsOfItself) {
  std::uint64_t texels = 0;
  FakeDevice device([&](const Job& job, RunResult& result) {
    const Extent3 size = std::get<ImageData>(job.resources[0].data).extent;
    texels += std::uint64_t{size.x} * size.y;
    if (size.x > 300 && size.y > 300) result.outputs[0].bytes()[0] ^= std::byte{1};
  });
  const Shrunk s =
      shrink(*parseCase("box-blur/double/naive @ 900x800 radius=1 edge=clamp input=noise:3"), sideOf("fake", device), Inputs(), {});
  EXPECT_FALSE(s.finished);
  EXPECT_LE(texels, 3u * 900 * 800) << "the case itself, and twice its texels";
  EXPECT_LE(std::max(s.what.size.width, s.what.size.height), 360u) << s.what.name();
  EXPECT_GT(std::min(s.what.size.width, s.what.size.height), 300u) << s.what.name();
}

// Sizes that the kernel does not have say nothing about those around them.
TEST(Shrink, PassesOverSizesThatTheKernelDoesNotHave) {
  const auto smallest = [](const char* name, const auto& has, std::uint32_t fails) {
    FakeDevice device([fails](const Job& job, RunResult& result) {
      const Extent3 size = std::get<ImageData>(job.resources[0].data).extent;
      if (size.x >= fails && size.y >= fails) result.outputs[0].bytes()[0] ^= std::byte{1};
    });
    Case c = *parseCase(name);
    Kernel kernel = *c.kernel;
    kernel.fits = [has](const Case& asked) {
      return has(asked) ? Status{} : Status{Error{Outcome::kBadInput, "the kernel has no such case", "", ""}};
    };
    c.kernel = &kernel;
    const Shrunk s = shrink(c, sideOf("fake", device), Inputs(), {});
    EXPECT_TRUE(s.finished);
    return fmt::format("{}x{} radius={}", s.what.size.width, s.what.size.height, s.what.value("radius"));
  };
  const auto sixteens = [](const Case& c) { return c.size.width % 16 == 0 && c.value("radius") % 4 == 3; };
  EXPECT_EQ(smallest("box-blur/double/naive @ 80x9 radius=7 edge=clamp input=noise:3", sixteens, 1), "16x1 radius=3");
  EXPECT_EQ(smallest("box-blur/double/naive @ 1600x90 radius=7 edge=clamp input=noise:3", sixteens, 20), "32x20 radius=3");
  const auto squares = [](const Case& c) { return c.size.width == c.size.height; };
  EXPECT_EQ(smallest("box-blur/double/naive @ 40x40 radius=1 edge=clamp input=noise:3", squares, 9), "9x9 radius=0");
  EXPECT_EQ(smallest("box-blur/double/naive @ 400x400 radius=1 edge=clamp input=noise:3", squares, 9), "9x9 radius=0");
}

TEST(Shrink, TriesNoMoreThanItMay) {
  Model model;
  ShrinkOptions options;
  options.most = 0;
  const Case c = *parseCase("broken/box-blur-remainder-x4 @ 55x43 radius=5");
  const Shrunk s = shrink(c, sideOf("model", model), Inputs(), options);
  EXPECT_FALSE(s.finished);
  EXPECT_EQ(s.what, c);
}

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
  const text::ProgramText program = text::readProgram(text::programPath("local_arrays.comp"));
  Job job = program.job;
  job.dispatches[0].module = *text::programModule("local_arrays.comp");
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
  auto module = std::make_shared<ShaderModule>();
  module->name = kernel + ".comp";
  for (const EmbeddedModule& m : testKernels())
    if (m.name == kernel) module->words.assign(m.words.begin(), m.words.end());
  Job job;
  job.resources.push_back(undefinedBuffer("result", std::size_t{4} * words));
  job.resources.back().output = true;
  BufferData data;
  const auto bytes = std::as_bytes(std::span(numbers));
  data.bytes.assign(bytes.begin(), bytes.end());
  job.resources.push_back({"numbers", data});
  Dispatch d;
  d.module = module;
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
  text::ProgramText program = text::readProgram(text::programPath("call_again.comp"));
  program.job.dispatches[0].module = *text::programModule("call_again.comp");
  const std::map<std::uint32_t, std::string> undefined = {{1, "t"}, {2, "t"}, {4, "u"}, {5, "u"}, {13, "large"}, {14, "large"}};
  for (std::uint32_t word = 0; word < 15; ++word) {
    const auto at = undefined.find(word);
    const std::set<std::string> expected =
        at == undefined.end() ? std::set<std::string>{} : std::set{fmt::format("reads variable {}, which nobody has written", at->second)};
    EXPECT_EQ(openBehind(program.job, word), expected) << "word " << word;
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

TEST(OpenOperations, AnAccessOutsideIsOpenWhateverItIs) {
  SliceStep step;
  step.code = ir::core(spv::Op::OpIAdd);
  EXPECT_EQ(openIn(step), "");
  step.outside = true;
  EXPECT_EQ(openIn(step), ir::openOutside().allowed);
}

// A model with a bug planted in what it gives back: stands for a device.
class Spoiled final : public Device {
 public:
  explicit Spoiled(std::function<void(std::vector<std::byte>&)> spoil, Profile profile = {}) : spoil_(std::move(spoil)) {
    ModelOptions options;
    options.profile = std::move(profile);
    model_ = makeModel(options);
  }
  const Profile& profile() const override { return model_->profile(); }
  RunResult run(const Job& job) override {
    RunResult r = model_->run(job);
    if (!r.error && spoil_) spoil_(r.outputs[0].bytes());
    return r;
  }

 private:
  std::function<void(std::vector<std::byte>&)> spoil_;
  std::unique_ptr<Model> model_;
};

Arbitration arbitrationOf(const std::string& name, std::vector<Side> sides, const ArbitrationOptions& options = {}) {
  SweepPlan plan;
  plan.cases = {*parseCase(name)};
  plan.identity.cases = 1;
  SweepResult result = runSweep(plan, sides, Inputs(), {});
  arbitrate(result, sides, Inputs(), options);
  return result.arbitrations.empty() ? Arbitration{} : result.arbitrations[0];
}

void flip(std::vector<std::byte>& bytes) {
  bytes[0] ^= std::byte{1};
}

TEST(Arbitration, KernelWrongWhereModelAndDeviceAgree) {
  Model model;
  Spoiled device({});
  const Arbitration f = arbitrationOf("broken/box-blur-remainder-x4 @ 11x9 radius=2", {sideOf("model", model), sideOf("device", device)});
  EXPECT_THAT(f.rulings, Contains(HasSubstr("kernel wrong: model, device give the same wrong bytes")));
  EXPECT_THAT(f.stored, HasSubstr("OpImageWrite"));
  EXPECT_FALSE(f.slice.empty());
}

TEST(Arbitration, DeviceWrongWhereNothingIsLeftOpen) {
  Model model;
  Spoiled device(flip);
  const Arbitration f = arbitrationOf("box-blur/double/naive @ 12x9 radius=2", {sideOf("model", model), sideOf("device", device)});
  EXPECT_THAT(f.rulings, Contains(HasSubstr("device wrong: the model and the golden agree, and Vulkan leaves nothing open")));
  EXPECT_THAT(f.smallest, HasSubstr("@ 1x1 radius=0"));
  // The same bug without the model among the sides: it is asked as a witness.
  EXPECT_THAT(arbitrationOf("box-blur/double/naive @ 12x9 radius=2", {sideOf("device", device)}).rulings,
              Contains(HasSubstr("device wrong")));
}

TEST(Arbitration, ModelWrongWhereTheDevicesAgreeWithTheGolden) {
  Spoiled wrong(flip), right({});
  const Arbitration f = arbitrationOf("box-blur/double/naive @ 3x3", {sideOf("model", wrong), sideOf("a", right), sideOf("b", right)});
  EXPECT_THAT(f.rulings, Contains(HasSubstr("model wrong: a, b and the golden agree")));
}

TEST(Arbitration, EachDeviceHasItsOwnRulingAndDisagreementIsUndecided) {
  Model model;
  Spoiled one(flip), two([](std::vector<std::byte>&b) { b[1] ^= std::byte{2}; });
  const Arbitration f = arbitrationOf("box-blur/double/naive @ 3x3", {sideOf("model", model), sideOf("one", one), sideOf("two", two)});
  EXPECT_THAT(f.rulings, testing::ElementsAre(HasSubstr("one wrong"), HasSubstr("two wrong")));
  Spoiled three([](std::vector<std::byte>& b) { b[0] ^= std::byte{4}; });
  const Arbitration all = arbitrationOf("box-blur/double/naive @ 3x3", {sideOf("model", three), sideOf("one", one), sideOf("two", two)});
  EXPECT_THAT(all.rulings, testing::ElementsAre(HasSubstr("undecided")));
}

TEST(Arbitration, WithoutADeviceTheModelSaysWhatItCan) {
  Model model;
  EXPECT_THAT(arbitrationOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0", {sideOf("model", model)}).rulings,
              testing::ElementsAre(HasSubstr("kernel wrong, as far as the model alone can tell")));
}

// The search has bounds of its own.
TEST(Arbitration, SuspectsDoNotDependOnShrinking) {
  Model model;
  const char* smallest = "broken/box-blur-remainder-x4 @ 2x1 radius=0 edge=clamp format=rgba8ui input=list:0,0,0,255,0,0,0,0";
  ArbitrationOptions options;
  options.smallerCases = 0;
  const Arbitration f = arbitrationOf(smallest, {sideOf("model", model)}, options);
  EXPECT_EQ(f.suspects, arbitrationOf(smallest, {sideOf("model", model)}).suspects);
  EXPECT_THAT(f.suspects, Contains(testing::EndsWith("mends the smallest case"))) << "it is the only case";
  std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_TRUE(arbitrationOf(smallest, {sideOf("model", model)}, options).suspects.empty());
}

Capsule capsuleOf(const std::string& name) {
  Model model;
  const Side side = sideOf("model", model);
  SweepPlan plan;
  plan.cases = {*parseCase(name)};
  SweepResult result = runSweep(plan, {&side, 1}, Inputs(), {});
  std::map<std::string, std::string> files;
  ArbitrationOptions options;
  options.capsules = &files;
  arbitrate(result, {&side, 1}, Inputs(), options);
  EXPECT_EQ(files.size(), 1u);
  const std::string& bytes = files.begin()->second;
  Expected<Capsule> capsule = decodeCapsule(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(capsule.ok()) << (capsule.ok() ? "" : capsule.error().text());
  return capsule ? std::move(*capsule) : Capsule{};
}

TEST(Capsules, GiveTheSameFailureAgain) {
  const Capsule c = capsuleOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0");
  Model model;
  RunResult run = model.run(c.job);
  const auto judged = judge(c.expected, run);
  ASSERT_TRUE(judged.ok());
  EXPECT_TRUE(judged->wrong);
  ASSERT_EQ(c.answers.size(), 1u);
  EXPECT_EQ(c.answers[0].images, judged->got);
  RunResult right;
  right.outputs = {c.job.resources.back()};
  right.outputs[0].bytes() = c.expected.images[0].bytes;
  EXPECT_FALSE(judge(c.expected, right)->wrong) << "the expected bytes are no failure";
}

TEST(Capsules, KeepWhatAScriptNeeds) {
  Capsule c = capsuleOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0");
  EXPECT_TRUE(c.needs.empty());
  c.needs = {"feature shaderInt16", "extension VK_KHR_shader_clock"};
  const Expected<Capsule> read = decodeCapsule(encodeCapsule(c));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->needs, c.needs);
}

// Cut anywhere, any byte changed, and with the checksum made to fit again: an error, never a crash or a wrong capsule.
TEST(Capsules, ReadAnyBytesWithoutHarm) {
  const std::vector<std::byte> good = encodeCapsule(capsuleOf("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0"));
  ASSERT_TRUE(decodeCapsule(good).ok());
  for (std::size_t cut = 0; cut < good.size(); cut += 1 + cut / 64) EXPECT_FALSE(decodeCapsule(std::span(good).first(cut)).ok());
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{0x10};
    EXPECT_FALSE(decodeCapsule(bad).ok()) << at;
  }
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::vector<std::byte> bad = good;
    bad.resize(bad.size() - 16);
    const std::uint64_t changes = 1 + golden::splitMix64(seed, 0) % 4;
    for (std::uint64_t i = 0; i < changes; ++i)
      bad[19 + golden::splitMix64(seed, 2 * i + 1) % (bad.size() - 19)] = static_cast<std::byte>(golden::splitMix64(seed, 2 * i + 2));
    const golden::Hash128 hash = golden::hashBytes(bad);
    for (const std::uint64_t half : {hash.high, hash.low})
      for (std::size_t i = 0; i < 8; ++i) bad.push_back(static_cast<std::byte>(half >> (8 * i)));
    const Expected<Capsule> c = decodeCapsule(bad);
    if (!c) {
      EXPECT_EQ(c.error().outcome, Outcome::kBadInput);
    }
  }
}

}  // namespace
}  // namespace lanewise
