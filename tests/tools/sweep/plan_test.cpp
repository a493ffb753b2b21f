// Plans: the sets, parts of a plan, the journal, and parts put together again.
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>
#include <set>

#include "tests/scratch_folder.h"
#include "tests/tools/fake_device.h"
#include "tools/report/read.h"
#include "tools/report/report.h"
#include "tools/sweep/sweep.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

std::vector<Case> casesOfSet(const char* kernel, CaseSet set, const Overrides& overrides = {}) {
  std::vector<Case> cases;
  EXPECT_FALSE(forEachCase(*findKernel(kernel), set, overrides, [&](const Case& c) { cases.push_back(c); }).has_value());
  return cases;
}

std::set<std::string> namesOf(const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Case& c : cases) names.insert(c.name());
  return names;
}

TEST(Sets, PairwiseRowsHoldEveryPairAndFewMore) {
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{2, 3}, {7, 1, 4, 6, 3}, {23, 7, 4, 1, 6, 1}, {3}}) {
    const auto rows = pairwiseRows(lengths);
    EXPECT_EQ(rows, pairwiseRows(lengths));
    std::set<std::vector<std::size_t>> pairs;
    for (const auto& row : rows)
      for (std::size_t a = 0; a < lengths.size(); ++a)
        for (std::size_t b = a + 1; b < lengths.size(); ++b) pairs.insert({a, row[a], b, row[b]});
    std::size_t all = 0, most = 0;
    for (std::size_t a = 0; a < lengths.size(); ++a)
      for (std::size_t b = a + 1; b < lengths.size(); ++b) {
        all += lengths[a] * lengths[b];
        most = std::max(most, lengths[a] * lengths[b]);
      }
    EXPECT_EQ(pairs.size(), all);
    EXPECT_LE(rows.size(), most * 2 + lengths[0]);
  }
}

TEST(Sets, TheFullSetHoldsTheQuickOneEverySizeAndEveryRadius) {
  for (const char* kernel : {"box-blur/double/naive", "checksum/sum/shuffle", "photo/bilinear/checked"}) {
    const std::vector<Case> full = casesOfSet(kernel, CaseSet::kFull);
    const std::set<std::string> names = namesOf(full);
    EXPECT_EQ(names.size(), full.size()) << "each case once";
    for (const std::string& name : namesOf(casesOfSet(kernel, CaseSet::kQuick))) EXPECT_TRUE(names.contains(name)) << name;
    std::set<Size> sizes;
    for (const Case& c : full)
      if (c.size.width <= 72 && c.size.height <= 72) sizes.insert(c.size);
    EXPECT_EQ(sizes.size(), 72u * 72u);
  }
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::uint32_t>>> classes;
  for (const Case& c : casesOfSet("box-blur/double/naive", CaseSet::kFull))
    classes[c.value("radius")].insert({c.size.width % 4, c.size.height % 4});
  for (std::uint32_t radius = 0; radius < 64; ++radius) EXPECT_EQ(classes[radius].size(), 16u) << radius;
}

// What is dealt out must not run in step with the sizes: each parity of the width meets every edge, radius and input.
TEST(Sets, DealtAxesAreNotInStepWithTheSizes) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges, radii;
  for (const Case& c : casesOfSet("box-blur/double/naive", CaseSet::kFull)) {
    if (c.size.height != 37 || c.size.width > 72) continue;  // one row of sizes
    edges.insert({c.size.width % 2, c.value("edge")});
    radii.insert({c.size.width % 2, c.value("radius")});
  }
  EXPECT_EQ(edges.size(), 8u);
  EXPECT_EQ(radii.size(), 8u);
}

TEST(Sets, OverridesReplaceAxesInEverySet) {
  Overrides o;
  o.sizes = {{3, 2}, {5, 5}};
  o.values = {{"radius", {"0", "9"}}};
  EXPECT_EQ(casesOfSet("box-blur/double/naive", CaseSet::kExhaustive, o).size(), 2u * 2u * 4u * 2u * 6u);
  for (const Case& c : casesOfSet("box-blur/double/naive", CaseSet::kFull, o)) {
    EXPECT_TRUE((c.size == Size{3, 2} || c.size == Size{5, 5}) && (c.value("radius") == 0 || c.value("radius") == 9)) << c.name();
  }
  o.sizes = {{16385, 1}};
  const Status bad = forEachCase(*findKernel("box-blur/double/naive"), CaseSet::kExhaustive, o, [](const Case&) {});
  ASSERT_TRUE(bad.has_value()) << "what the user named is never left out in silence";
  EXPECT_THAT(bad->text(), HasSubstr("up to 16384"));
}

PlanRequest blurRequest(const char* shard = "1/1") {
  PlanRequest request;
  request.kernels = {findKernel("box-blur/double/naive"), findKernel("checksum/sum/shuffle")};
  request.shard = *parseShard(shard);
  return request;
}

// What is slow in the quick set is for every device as soon as somebody asks for sizes or for more.
TEST(Sets, WhatIsSlowInTheQuickSetIsForEveryDeviceElsewhere) {
  const Kernel& kernel = *findKernel("depth/conservative/spd");
  const auto slow = [](const std::vector<Case>& cases) { return std::ranges::count(cases, true, &Case::slow); };
  const Expected<std::vector<Case>> quick = casesOf(kernel), sizes = casesOf(kernel, {{{3, 5}, {13, 22}}, {}, {}, {}});
  ASSERT_TRUE(quick);
  EXPECT_GT(slow(*quick), 10) << "the quick set leaves some to those that are quick";
  EXPECT_LT(slow(*quick), std::ssize(*quick));
  ASSERT_TRUE(sizes);
  EXPECT_EQ(slow(*sizes), 0);
  std::set<Size> seen;
  ASSERT_FALSE(forEachCase(kernel, CaseSet::kFull, {}, [&](const Case& c) {
    if (c.subgroupSize == 0 && c.size.width <= 72 && c.size.height <= 72) seen.insert(c.size);
  }));
  EXPECT_EQ(seen.size(), 72u * 72u) << "every size of the full set";
}

TEST(Shards, AreEqualDisjointAndTogetherTheWhole) {
  const SweepPlan whole = *makePlan(blurRequest());
  for (const std::uint32_t count : {2u, 7u, 16u}) {
    std::set<std::string> seen;
    std::size_t least = whole.cases.size(), most = 0;
    for (std::uint32_t k = 1; k <= count; ++k) {
      const SweepPlan part = *makePlan(blurRequest(fmt::format("{}/{}", k, count).c_str()));
      EXPECT_EQ(part.identity, whole.identity);
      least = std::min(least, part.cases.size());
      most = std::max(most, part.cases.size());
      for (const Case& c : part.cases) EXPECT_TRUE(seen.insert(c.name()).second) << c.name();
    }
    EXPECT_EQ(seen.size(), whole.cases.size());
    EXPECT_LE(most - least, 1u);
  }
  PlanRequest other = blurRequest();
  other.kernels.pop_back();
  EXPECT_NE(makePlan(other)->identity, whole.identity);
}

TEST(Shards, WrongPartsAreBadInput) {
  for (const char* text : {"", "1", "0/3", "4/3", "1/0", "1/3x", "-1/3", "1//3"}) {
    ASSERT_FALSE(parseShard(text).ok()) << text;
    EXPECT_EQ(parseShard(text).error().outcome, Outcome::kBadInput);
  }
  EXPECT_EQ(parseShard("8/8")->text(), "8/8");
}

SweepPlan planOf(const std::vector<std::string>& names) {
  SweepPlan plan;
  for (const std::string& name : names) plan.cases.push_back(*parseCase(name));
  plan.identity.cases = names.size();
  return plan;
}

const std::vector<std::string> kThree = {"box-blur/double/naive @ 2x1", "box-blur/double/naive @ 3x1",
                                         "checksum/sum/shuffle @ 2x1 subgroup=4"};

// Runs the three cases with a journal; counts how many really ran.
SweepResult journaled(const fs::path& file, bool resume, FakeDevice& device, std::size_t& ran) {
  Expected<Journal> journal = Journal::open(file, "a run", resume);
  if (!journal) return {};
  SweepOptions options;
  options.journal = &*journal;
  ran = 0;
  FakeDevice counting([&](const Job& job, RunResult& result) {
    ++ran;
    result = device.run(job);
  });
  const Side side{{"fake", "", 8}, &counting, false};
  return runSweep(planOf(kThree), {&side, 1}, Inputs(), options);
}

TEST(JournalFile, ARunGoesOnWhereTheLastOneStopped) {
  const ScratchFolder scratch;
  const fs::path file = scratch / "journal.txt";
  FakeDevice good;
  std::size_t ran = 0;
  EXPECT_EQ(journaled(file, false, good, ran).outcome(), Outcome::kOk);
  EXPECT_EQ(ran, 2u) << "one is not applicable";
  const SweepResult again = journaled(file, true, good, ran);
  EXPECT_EQ(ran, 0u);
  EXPECT_EQ(again.recalled, 3u);
  EXPECT_EQ(again.cases[0].sides[0].verdict, Verdict::kOk);
  EXPECT_EQ(again.cases[2].sides[0].verdict, Verdict::kNotApplicable);
  journaled(file, false, good, ran);
  EXPECT_EQ(ran, 2u) << "without --resume everything runs";
}

// A pyramid of several pipelines: a change of one that is not its kernel's own module is another run, and so is one of the user's module.
TEST(JournalFile, BelongsToTheWordsOfEveryModuleThatRuns) {
  std::vector<EmbeddedModule> modules(embeddedModules().begin(), embeddedModules().end());
  const golden::Hash128 before = hashOfWords(modules, nullptr);
  EXPECT_EQ(hashOfWords(modules, nullptr), before);
  const Expected<Case> c = parseCase("pyramid/energy-float/nvpro-hybrid @ 64x128");
  ASSERT_TRUE(c.ok()) << c.error().text();
  const Job job = c->kernel->plan(*c, kernelModule(*c->kernel), *inputOf(*c));
  std::set<std::string> others;
  for (const Dispatch& d : job.dispatches)
    if (d.module != kernelModule(*c->kernel)) others.insert(d.module->name);
  ASSERT_FALSE(others.empty());
  for (EmbeddedModule& m : modules) {
    if (!others.contains(std::string(m.name) + ".comp")) continue;
    std::vector<std::uint32_t> changed(m.words.begin(), m.words.end());
    changed.back() ^= 1;
    const EmbeddedModule own = std::exchange(m, EmbeddedModule{m.name, changed});
    EXPECT_NE(hashOfWords(modules, nullptr), before) << m.name;
    m = own;
  }
  ShaderModule mine;
  mine.words = {1};
  EXPECT_NE(hashOfWords(modules, &mine), before);
}

TEST(JournalFile, FailuresRunAgain) {
  const ScratchFolder scratch;
  const fs::path file = scratch / "journal.txt";
  FakeDevice good, bad([](const Job&job, RunResult&result) {
    if (std::get<ImageData>(job.resources[0].data).extent.x == 3) result.outputs[0].bytes()[0] ^= std::byte{1};
  });
  std::size_t ran = 0;
  EXPECT_EQ(journaled(file, false, bad, ran).outcome(), Outcome::kFinding);
  const SweepResult again = journaled(file, true, bad, ran);
  EXPECT_EQ(ran, 1u);
  EXPECT_EQ(again.outcome(), Outcome::kFinding);
  EXPECT_EQ(again.evidence.size(), 1u) << "with its images";
}

TEST(JournalFile, LinesThatAreNotWholeAreNotBelieved) {
  const ScratchFolder scratch;
  const fs::path file = scratch / "journal.txt";
  FakeDevice good;
  std::size_t ran = 0;
  journaled(file, false, good, ran);
  std::string text;
  {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  for (std::size_t cut = first; cut <= text.size(); cut += 4) {
    std::ofstream(file, std::ios::trunc) << text.substr(0, cut);
    const std::size_t whole = static_cast<std::size_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(cut), '\n'));
    EXPECT_EQ(Journal::open(file, "a run", true)->known(), whole) << "cut at " << cut;
  }
  std::string flipped = text;
  flipped[second + 12] ^= 1;
  std::ofstream(file, std::ios::trunc) << flipped;
  EXPECT_EQ(Journal::open(file, "a run", true)->known(), 1u);
  EXPECT_EQ(Journal::open(file, "another run", true).error().outcome, Outcome::kBadInput);
}

// Files of this process may not grow any more: what a full disk looks like.
TEST(JournalFile, AFullDiskIsSaidAndTheSweepGoesOn) {
  const ScratchFolder scratch;
  const fs::path file = scratch / "journal.txt";
  Expected<Journal> journal = Journal::open(file, "a run", false);
  ASSERT_TRUE(journal.ok());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit full{static_cast<rlim_t>(fs::file_size(file)) + 100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  FakeDevice good;
  const Side side{{"fake", "", 8}, &good, false};
  SweepOptions options;
  options.journal = &*journal;
  const SweepResult r = runSweep(planOf(kThree), {&side, 1}, Inputs(), options);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(r.count(Verdict::kOk), 2u) << "the sweep went on";
  EXPECT_EQ(r.outcome(), Outcome::kIoError);
  EXPECT_THAT(summaryText(r), HasSubstr("cannot write"));
  EXPECT_LE(Journal::open(file, "a run", true)->known(), 1u) << "the line that was cut off is not believed";
}

// The same plan in parts, by JSON and back, is the whole plan's report.
NamedResult part(const char* shard, FakeDevice& device, bool interrupted = false) {
  PlanRequest request = blurRequest(shard);
  request.overrides[0].sizes = {{1, 1}, {2, 1}, {3, 2}, {5, 4}};
  const Side side{{"fake", "a test double", 8}, &device, false};
  SweepResult result = runSweep(*makePlan(request), {&side, 1}, Inputs(), {});
  result.interrupted |= interrupted;
  Expected<SweepResult> back = readJson(jsonText(result, {"", ""}));
  EXPECT_TRUE(back.ok()) << (back.ok() ? "" : back.error().text());
  return {shard, std::move(*back)};
}

void spoilWide(const Job& job, RunResult& result) {
  if (std::get<ImageData>(job.resources[0].data).extent.x == 3) result.outputs[0].bytes()[1] ^= std::byte{8};
}

TEST(Merge, PartsTogetherAreTheWhole) {
  FakeDevice bad(spoilWide);
  const Expected<Merged> merged = mergeResults({part("2/3", bad), part("1/3", bad), part("3/3", bad)});
  ASSERT_TRUE(merged.ok());
  const SweepResult whole = part("1/1", bad).result;
  EXPECT_TRUE(merged->missing.empty() && merged->duplicates.empty());
  EXPECT_EQ(merged->result.cases.size(), whole.cases.size());
  EXPECT_EQ(merged->result.count(Verdict::kMismatch), whole.count(Verdict::kMismatch));
  EXPECT_GT(whole.count(Verdict::kMismatch), 0u);
  EXPECT_EQ(merged->result.outcome(), Outcome::kFinding);
  const auto texels = [](const SweepResult& r) {
    std::set<std::string> out;
    for (const CaseResult& c : r.cases)
      for (const SideResult& s : c.sides) out.insert(c.what.name() + ": " + texelText(s));
    return out;
  };
  EXPECT_EQ(texels(merged->result), texels(whole));
}

TEST(Merge, SaysWhatIsMissingAndWhatIsTwice) {
  FakeDevice good, bad(spoilWide);
  const Expected<Merged> merged =
      mergeResults({part("1/4", good), part("1/4", good), part("3/4", good), part("3/4", bad), part("4/4", good, true)});
  ASSERT_TRUE(merged.ok());
  EXPECT_THAT(merged->missing, testing::ElementsAre(HasSubstr("part 3/4: 3/4 and 3/4 do not agree"), "part 2/4 is missing",
                                                    HasSubstr("part 4/4 was interrupted")));
  EXPECT_THAT(merged->duplicates, testing::ElementsAre(HasSubstr("part 1/4: 1/4 and 1/4 agree")));
  EXPECT_EQ(merged->result.outcome(), Outcome::kInterrupted);
  // All parts are there, but two of them are no whole answer.
  const Expected<Merged> apart =
      mergeResults({part("1/4", good), part("2/4", good), part("2/4", bad), part("3/4", good), part("4/4", good)});
  EXPECT_THAT(apart->missing, testing::ElementsAre(HasSubstr("do not agree")));
  EXPECT_EQ(apart->result.outcome(), Outcome::kInterrupted);
  const Expected<Merged> mixed = mergeResults({part("1/4", good), part("2/3", good)});
  ASSERT_FALSE(mixed.ok());
  EXPECT_THAT(mixed.error().text(), HasSubstr("parts of different plans"));
}

TEST(Merge, BytesThatAreNoReportAreBadInput) {
  FakeDevice bad(spoilWide);
  const Side side{{"fake", "a test double", 8}, &bad, false};
  const std::string text = jsonText(runSweep(planOf(kThree), {&side, 1}, Inputs(), {}), {"", ""});
  ASSERT_TRUE(readJson(text).ok());
  std::size_t refused = 0;
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += 7) refused += readJson(text.substr(0, cut)).ok() ? 0 : 1;
  EXPECT_EQ(refused, (text.size() - 2 + 6) / 7);
  // A key renamed, a number turned into a text: never a crash; an error wherever the field is needed.
  for (const char* field : {"\"schema\"", "\"plan\"", "\"sides\"", "\"verdict\"", "\"histogram\"", "\"kernel\""}) {
    std::string other = text;
    other.replace((std::string_view(field) == "\"verdict\"" ? other.rfind(field) : other.find(field)) + 1, 1, "Z");  // a failure's
    EXPECT_EQ(readJson(other).ok(), std::string_view(field) == "\"kernel\"") << field;
  }
}

}  // namespace
}  // namespace lanewise
