// The sweep, against test doubles with bugs planted and near misses beside them.
#include <fmt/format.h>

#include <fstream>
#include <set>
#include <thread>

#include "golden/image/inputs.h"
#include "golden/pictures/picture_io.h"
#include "model/base/file.h"
#include "tests/scratch_folder.h"
#include "tests/tools/fake_sweep.h"
#include "tools/report/report.h"
#include "tools/sweep/keep.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

TEST(Sweep, AgreementIsOutcomeZero) {
  FakeDevice good;
  const SweepResult r = sweep({"box-blur/double/naive @ 5x3", "checksum/sum/shuffle @ 5x3"}, {{"model", &good}, {"fake", &good}});
  EXPECT_EQ(r.outcome(), Outcome::kOk);
  EXPECT_EQ(r.count(Verdict::kOk), 4u);
  EXPECT_TRUE(r.evidence.empty());
  EXPECT_THAT(summaryText(r), HasSubstr("PASSED: 2 cases, 0 failed"));
}

TEST(Sweep, OneFlippedBitIsFoundWithItsPlace) {
  FakeDevice good, bad(flipLastBit);
  const SweepResult r = sweep({"box-blur/double/naive @ 5x3 input=constant:7"}, {{"model", &good}, {"fake", &bad}});
  EXPECT_EQ(r.outcome(), Outcome::kFinding);
  const CaseResult& c = r.cases[0];
  EXPECT_EQ(c.sides[0].verdict, Verdict::kOk);
  EXPECT_EQ(texelText(c.sides[1]), "texel (4, 2): 7 expected, 6 got (channel a)");
  EXPECT_THAT(arbitration(r, c), HasSubstr("fake wrong"));
  ASSERT_EQ(r.evidence.size(), 1u);
  EXPECT_TRUE(r.evidence[0].got[0].empty());
  EXPECT_EQ(r.evidence[0].got[1].size(), 1u);
}

// Neither words nor numbers of a message say how something failed.
TEST(Sweep, TheKindOfAFailureIsNoText) {
  const auto failed = [](Outcome outcome, std::string what, std::optional<FindingKind> finding = {}) {
    SideResult side;
    side.verdict = Verdict::kError;
    side.error = Error{outcome, std::move(what), "", ""};
    side.finding = finding;
    return failureKind(side);
  };
  EXPECT_FALSE(failureKind(SideResult{}));
  EXPECT_EQ(failed(Outcome::kUnsupported, "it lacks r32f"), failed(Outcome::kUnsupported, "it lacks r16f"));
  EXPECT_NE(failed(Outcome::kUnsupported, "it is 1"), failed(Outcome::kDeviceTrouble, "it is 2"));
  EXPECT_NE(failed(Outcome::kFinding, "a race", FindingKind::kRace), failed(Outcome::kFinding, "a race", FindingKind::kBufferOutOfRange));
  SideResult wrong, never;
  wrong.verdict = never.verdict = Verdict::kMismatch;
  golden::Diff diff;
  diff.first.emplace().undefined = true;
  never.diff = std::make_shared<const golden::Diff>(diff);
  EXPECT_NE(failureKind(wrong), failureKind(never));
  EXPECT_EQ(failureKind(wrong), failureKind(wrong));
}

// What a driver compiled it keeps: of devices that are alike only one sees a module, also where two kernels share it.
TEST(Sweep, TwinsTakeWholeModules) {
  std::set<const ShaderModule*> seen[2];
  std::atomic<int> begun = 0;
  const auto watch = [&](std::size_t i) {
    return [&, i](const Job& job, RunResult&) {
      if (seen[i].empty()) ++begun;
      seen[i].insert(job.dispatches[0].module.get());
      while (begun < 2) std::this_thread::yield();  // both have begun
    };
  };
  FakeDevice a(watch(0)), b(watch(1));
  std::vector<std::string> names;
  for (const char* kernel : {"naive", "accumulated-x1"})
    for (const char* size : {"3x2", "5x3", "17x15"}) names.push_back(fmt::format("box-blur/double/{} @ {}", kernel, size));
  const Side side{{"fake", "a test double", 8}, &a, false, {&b}};
  const SweepResult r = runSweep({casesFrom(names), {names.size(), 0}, {}}, {&side, 1}, Inputs(), {});
  EXPECT_EQ(r.count(Verdict::kNotRun), 0u);
  EXPECT_EQ(seen[0].size(), 1u);
  EXPECT_EQ(seen[1].size(), 1u);
  EXPECT_NE(seen[0], seen[1]);
}

TEST(Sweep, TellsWhoIsWrong) {
  FakeDevice good, bad(flipLastBit), other([](const Job&, RunResult&result) { result.outputs[0].bytes()[0] ^= std::byte{4}; });
  const std::string name = "box-blur/double/naive @ 5x3";
  const auto verdict = [&](std::vector<std::pair<std::string, Device*>> devices) {
    const SweepResult r = sweep({name}, std::move(devices));
    return arbitration(r, r.cases[0]);
  };
  EXPECT_THAT(verdict({{"model", &bad}, {"a", &good}}),
              HasSubstr("model wrong, or a result that depends on how it runs: a and the golden agree"));
  EXPECT_THAT(verdict({{"model", &bad}, {"a", &bad}}), HasSubstr("kernel wrong: model, a give the same wrong bytes"));
  EXPECT_THAT(verdict({{"model", &bad}, {"a", &other}}), HasSubstr("undecided"));
  EXPECT_THAT(verdict({{"model", &bad}}), HasSubstr("undecided: the model alone ran; a device decides"));
  FakeDevice lost([](const Job&, RunResult& result) { result.error = Error{Outcome::kDeviceTrouble, "the device is lost", "", ""}; });
  EXPECT_THAT(verdict({{"model", &bad}, {"a", &lost}}), HasSubstr("undecided: the model is wrong, and a gave no bytes; a device"));
  EXPECT_EQ(verdict({{"model", &good}, {"a", &good}}), "");
}

TEST(Sweep, ErrorsKeepTheirOutcomeAndTheSweepGoesOn) {
  FakeDevice good, lost([](const Job&job, RunResult&result) {
    if (std::get<ImageData>(job.resources[0].data).extent.x == 2)
      result.error = Error{Outcome::kDeviceTrouble, "the device is lost", "", ""};
  });
  const SweepResult r = sweep({"box-blur/double/naive @ 2x1", "box-blur/double/naive @ 3x1"}, {{"fake", &lost}});
  EXPECT_EQ(r.outcome(), Outcome::kDeviceTrouble);
  EXPECT_EQ(r.cases[1].sides[0].verdict, Verdict::kOk);
  EXPECT_THAT(summaryText(r), HasSubstr("device trouble: the device is lost"));
  const SweepResult both = sweep({"box-blur/double/naive @ 2x1"}, {{"fake", &lost}, {"model", &good}});
  EXPECT_EQ(both.outcome(), Outcome::kDeviceTrouble);
}

TEST(Sweep, AMissingOutputIsOurBug) {
  FakeDevice none([](const Job&, RunResult& result) { result.outputs.clear(); });
  EXPECT_EQ(sweep({"box-blur/double/naive @ 2x1"}, {{"fake", &none}}).outcome(), Outcome::kInternal);
}

TEST(Sweep, SubgroupSizesThatADeviceHasNotAreNotApplicable) {
  FakeDevice fixed;  // 8 and nothing else
  const SweepResult r = sweep({"checksum/sum/shuffle @ 2x1 subgroup=4", "checksum/sum/shuffle @ 2x1 subgroup=8"}, {{"fake", &fixed}});
  EXPECT_EQ(r.cases[0].sides[0].verdict, Verdict::kNotApplicable);
  EXPECT_EQ(r.cases[1].sides[0].verdict, Verdict::kOk);
  EXPECT_THAT(summaryText(r), HasSubstr("1 ok, 1 not applicable"));
  EXPECT_TRUE(r.notes.empty());
  EXPECT_THAT(sweep({"checksum/sum/shuffle @ 2x1 subgroup=4"}, {{"fake", &fixed}}).notes,
              testing::ElementsAre("fake ran nothing: its subgroup size is 8"));
}

// Two lanes have no quad: that says nothing about the kernel, which is right from four on.
TEST(Sweep, ASubgroupSizeForWhichAKernelIsNotRightIsNotApplicable) {
  FakeDevice never([](const Job&, RunResult&) { ADD_FAILURE() << "nothing runs"; });
  const std::string quads = "pyramid/mean2x2/spd-quads @ 2x2 subgroup=";
  const SweepResult r = sweep({quads + "1", quads + "2"}, {{"model", &never}});
  EXPECT_EQ(r.count(Verdict::kNotApplicable), 2u);
  EXPECT_EQ(r.outcome(), Outcome::kBadInput);
  EXPECT_THAT(r.notes, testing::Contains(HasSubstr("spd-quads: it is right for subgroups of 4 to 128 lanes, not of 2")));
  Profile profile;
  profile.minSubgroupSize = 1;
  profile.maxSubgroupSize = profile.subgroupSize = 2;
  EXPECT_THAT(cannotRun(*parseCase("pyramid/mean2x2/spd-quads @ 2x2"), profile), HasSubstr("right for subgroups of 4"));
  EXPECT_EQ(cannotRun(*parseCase("pyramid/mean2x2/spd-memory @ 2x2"), profile), "");
}

// What a device does not build in time is told once, and is no failure of the cases.
TEST(Sweep, APipelineThatIsNotBuiltInTimeIsToldOnce) {
  std::optional<Error> slow;
  FakeDevice device([&](const Job& job, RunResult& result) {
    if (job.resources[0].name == "source" && job.dispatches.size() == 2)
      result.error = slow = Error{Outcome::kDeviceTrouble, "too long", "", ""};
  });
  Side side{{"fake", "a test double", 8}, &device, false};
  side.unbuilt = [&](const Job& job) { return job.dispatches.size() == 2 ? slow : std::nullopt; };
  const std::vector<std::string> names = {"checksum/sum/shuffle @ 2x1", "box-blur/double/naive @ 2x1", "box-blur/double/naive @ 3x1"};
  const SweepResult r = runSweep({casesFrom(names), {names.size(), 0}, {}}, {&side, 1}, Inputs(), {});
  EXPECT_EQ(r.count(Verdict::kOk), 1u);
  EXPECT_EQ(r.count(Verdict::kNotApplicable), 2u);
  EXPECT_EQ(r.outcome(), Outcome::kDeviceTrouble);
  EXPECT_THAT(r.notes, testing::ElementsAre(HasSubstr("device trouble: too long: 2 cases left out there")));
  EXPECT_THAT(summaryText(r), HasSubstr("3 cases, 0 failed"));
  EXPECT_THAT(junitText(r), testing::Not(HasSubstr("<error")));
  slow = Error{Outcome::kDeviceTrouble, "the device is lost", "", ""};
  side.unbuilt = [](const Job&) { return std::nullopt; };
  EXPECT_EQ(runSweep({casesFrom(names), {names.size(), 0}, {}}, {&side, 1}, Inputs(), {}).count(Verdict::kError), 2u);
}

TEST(Sweep, APictureThatAKernelDoesNotTakeIsNotApplicable) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  golden::Image far = golden::makeImage({2, 1}, 1, golden::Component::kF32);
  far.set(0, 1, 0, 0, std::numeric_limits<float>::infinity());
  ASSERT_FALSE(golden::writeImage(folder / "far away.tif", far));
  Inputs inputs;
  ASSERT_FALSE(inputs.addPicture(folder / "far away.tif"));
  const std::string name = inputs.pictures()[0].first;
  EXPECT_THAT(name, testing::EndsWith("/far%20away.tif"));
  FakeDevice device;
  const Side side{{"model", "a test double", 8, true}, &device, true};
  const auto run = [&](const std::string& text) {
    const Expected<Case> c = parseCase(text + " input=" + name);
    EXPECT_TRUE(c.ok()) << c.error().text();
    return runSweep({{*c}, {1, 0}, {}}, {&side, 1}, inputs, {});
  };
  const SweepResult depth = run("depth/floor/spd @ 2x1");
  EXPECT_EQ(depth.cases[0].sides[0].verdict, Verdict::kNotApplicable);
  EXPECT_EQ(depth.outcome(), Outcome::kBadInput);
  EXPECT_THAT(depth.notes,
              testing::Contains(HasSubstr("depth/floor/spd with " + (folder / "far away.tif").string() + ": texel (1, 0) holds inf")));
  // Eight bits hold it: infinity is white.
  EXPECT_EQ(run("box-blur/double/naive @ 2x1").cases[0].sides[0].verdict, Verdict::kOk);
}

TEST(Sweep, StopsBetweenCasesAndSaysSo) {
  std::atomic<bool> stop{false};
  FakeDevice once([&stop](const Job&, RunResult&) { stop = true; });
  SweepOptions options;
  options.stop = &stop;
  const SweepResult r = sweep({"box-blur/double/naive @ 2x1", "box-blur/double/naive @ 3x1"}, {{"fake", &once}}, options);
  EXPECT_EQ(r.cases[0].sides[0].verdict, Verdict::kOk);
  EXPECT_EQ(r.cases[1].sides[0].verdict, Verdict::kNotRun);
  EXPECT_EQ(r.outcome(), Outcome::kInterrupted);
  EXPECT_THAT(summaryText(r), HasSubstr("INTERRUPTED"));
}

TEST(Sweep, EvidenceIsOfTheFirstFailingCasesWhateverTheOrder) {
  FakeDevice bad(flipLastBit);
  std::vector<std::string> names;
  for (int n = 1; n <= 40; ++n) names.push_back(fmt::format("box-blur/double/naive @ {}x1", n));
  SweepOptions options;
  options.evidenceCases = 3;
  const SweepResult r = sweep(names, {{"model", &bad}, {"fake", &bad}}, options);
  ASSERT_EQ(r.evidence.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(r.evidence[i].caseIndex, i);
    EXPECT_FALSE(r.evidence[i].got[0].empty() || r.evidence[i].got[1].empty());
  }
}

// The same cases on four plain threads: what ThreadSanitizer can see of a sweep.
TEST(Sweep, SidesShareTheOraclesAnswers) {
  FakeDevice good, bad(flipLastBit);
  std::vector<std::string> names;
  for (int n = 1; n <= 60; ++n) names.push_back(fmt::format("box-blur/double/naive @ {}x3", n));
  Progress progress;
  SweepOptions options;
  options.progress = &progress;
  const SweepResult r = sweep(names, {{"a", &good}, {"b", &bad}, {"c", &good}, {"d", &bad}}, options);
  EXPECT_EQ(r.count(Verdict::kOk), 120u);
  EXPECT_EQ(r.count(Verdict::kMismatch), 120u);
  EXPECT_EQ(progress.done, 240u);
  EXPECT_EQ(progress.failed, 120u);
  for (const Evidence& e : r.evidence) EXPECT_EQ(e.got[1], e.got[3]);
}

TEST(Sweep, EvidenceStaysBelowItsBytes) {
  FakeDevice bad(flipLastBit);
  SweepOptions options;
  options.evidenceBytes = 3 * 4 * 50;  // input, expected and got of 50 texels
  const std::vector<std::string> names = {"box-blur/double/naive @ 30x1", "box-blur/double/naive @ 19x1", "box-blur/double/naive @ 2x1",
                                          "box-blur/double/naive @ 1x1"};
  const SweepResult r = sweep(names, {{"model", &bad}}, options);
  ASSERT_EQ(r.evidence.size(), 2u) << "the third does not fit, and the fourth is not taken in its place";
  EXPECT_EQ(r.evidence[1].caseIndex, 1u);
}

TEST(Sweep, TheStoreIsAskedForCasesItMustHold) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  const Case c = *parseCase("box-blur/double/naive @ 2x1 input=ramp");
  const golden::Image input = *golden::makeInput("ramp", {2, 1});
  golden::Entries entries;
  entries[c.goldenKey()] = {golden::hashOutputs(*c.kernel->expect(c, input)), c.kernel->provenance()};
  const auto stateWith = [&](const golden::Entries& fresh, bool mustHold) {
    const golden::Store empty = *golden::Store::load(folder);
    EXPECT_FALSE(empty.apply(*empty.changesTo(fresh, golden::Scope::kAll)).has_value());
    const golden::Store store = *golden::Store::load(folder);
    SweepOptions options;
    options.store = &store;
    if (mustHold) options.storedKeys = {c.goldenKey()};
    FakeDevice good;
    const SweepResult r = sweep({c.name()}, {{"fake", &good}}, options);
    return std::pair{r.cases[0].golden, r.outcome()};
  };
  EXPECT_EQ(stateWith(entries, true), std::pair(GoldenState::kAgrees, Outcome::kOk));
  EXPECT_EQ(stateWith(entries, false), std::pair(GoldenState::kOracleOnly, Outcome::kOk));
  entries[c.goldenKey()].hash.low ^= 1;
  EXPECT_EQ(stateWith(entries, true), std::pair(GoldenState::kTrouble, Outcome::kGoldenTrouble));
}

TEST(Sweep, KeepsWhatEachSideProduced) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  FakeDevice good;
  SweepOptions options;
  options.keep = folder;
  EXPECT_EQ(sweep({"box-blur/double/naive @ 3x2", "checksum/sum/shuffle @ 1x1 input=constant:2"}, {{"fake", &good}}, options).outcome(),
            Outcome::kOk);
  for (const char* name : {"input.png", "expected.png", "fake.png"})
    EXPECT_TRUE(fs::exists(folder / "box-blur_double_naive___3x2_radius=1_edge=clamp_format=rgba8ui_input=noise_1" / name)) << name;
  std::string sum;
  std::ifstream(folder / "checksum_sum_shuffle___1x1_format=rgba8ui_input=constant_2" / "fake.txt") >> sum;
  EXPECT_EQ(sum, "8");
}

// The picture is red and stays red; the bytes of bgra8 begin with blue.
TEST(Sweep, PicturesWithBlueFirstAreKeptAndNamedByTheirColours) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  FakeDevice good, redder([](const Job&, RunResult&result) { result.outputs[0].bytes()[2] ^= std::byte{1}; });
  SweepOptions options;
  options.keep = folder;
  const Case c = *parseCase("box-blur/double/naive @ 3x2 radius=0 format=bgra8 input=constant:200,0,10,255");
  const SweepResult r = sweep({c.name()}, {{"good", &good}, {"redder", &redder}}, options);
  EXPECT_EQ(r.cases[0].sides[0].verdict, Verdict::kOk);
  EXPECT_EQ(texelText(r.cases[0].sides[1]), "texel (0, 0): 200 expected, 201 got (channel r)");
  for (const char* name : {"input.png", "expected.png", "good.png", "redder.png"}) {
    const Expected<golden::Image> kept = golden::readImage(folder / folderName(c) / name);
    ASSERT_TRUE(kept) << name;
    EXPECT_EQ(kept->get<std::uint8_t>(0, 2, 1, 0), 200) << name;
    EXPECT_EQ(kept->get<std::uint8_t>(0, 2, 1, 2), 10) << name;
  }
}

TEST(Sweep, KeepsLevelsThatDoNotEndWithOneTexel) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  const Case c = *parseCase("depth/floor/multipass @ 8x8 levels=ceil");
  const golden::Image input = *inputOf(c), chain = expectationOf(c, input)->images[0];
  EXPECT_EQ(keepImages(folder, c, "short", {&chain, 1}), std::nullopt);
  const Expected<golden::Image> kept = golden::readImage(folder / folderName(c) / "short.tif");
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, chain);
  const Case whole = *parseCase("depth/floor/multipass @ 8x8");
  const golden::Image levels = expectationOf(whole, input)->images[0];
  EXPECT_EQ(keepImages(folder, whole, "all", {&levels, 1}), std::nullopt);
  EXPECT_TRUE(fs::exists(folder / folderName(whole) / "all.exr"));
}

TEST(Sweep, LongNamesAreCutAndStayDifferent) {
  std::string list = "list:0";
  for (int i = 0; i < 400; ++i) list += ",12";
  const auto folderOf = [](const std::string& input) { return folderName(*parseCase("box-blur/double/naive @ 3x2 input=" + input)); };
  EXPECT_LE(folderOf(list).size(), 255u);
  EXPECT_NE(folderOf(list), folderOf(list + ",12"));
  EXPECT_THAT(folderOf(list), testing::StartsWith("box-blur_double_naive___3x2_radius=1_"));
  EXPECT_THAT(folderOf("noise:1"), testing::EndsWith("_input=noise_1"));
}

TEST(Sweep, WhatWasKeptSaysWhatEachSideDid) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  FakeDevice good, bad(flipLastBit), lost([](const Job&, RunResult&run) { run.error = Error{Outcome::kDeviceTrouble, "lost", "", ""}; });
  SweepOptions options;
  options.keep = folder;
  const auto linesOf = [&](const std::string& name, std::vector<std::pair<std::string, Device*>> devices) {
    const Case c = *parseCase(name);
    sweep({name}, std::move(devices), options);
    return *readWholeFile(folder / folderName(c) / "sides.txt");
  };
  EXPECT_EQ(linesOf("box-blur/double/naive @ 5x3 input=constant:7", {{"a", &good}, {"b", &bad}, {"c", &lost}}),
            "a: ok\nb: mismatch: texel (4, 2): 7 expected, 6 got (channel a)\nc: error: lost\n");
  EXPECT_EQ(linesOf("box-blur/double/naive @ 5x3 input=constant:7 subgroup=4", {{"a", &good}}),
            "a: not applicable: its subgroup size is 8\n");
}

}  // namespace
}  // namespace lanewise
