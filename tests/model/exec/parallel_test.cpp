// Parts of a dispatch side by side: the bytes of the run in order, whatever the workgroups do to each other.
#include "model/exec/parallel.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <thread>

#include "model/exec/own_check.h"
#include "model/exec/own_sums.h"
#include "model/exec/sharing.h"
#include "model/model.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kGroups = 40;

// The kernel in a mode, which is a specialization constant.
Job jobOf(const std::string& kernel, std::uint32_t mode, std::span<const std::uint32_t> words, std::uint32_t groups = kGroups) {
  Job job = kernelJob(kernel, groups, words);
  job.dispatches[0].spec = {{0, mode}};
  return job;
}

struct Ran {
  std::optional<Error> error;
  std::vector<std::vector<std::byte>> bytes;
  std::uint64_t parallel = 0;
};

Ran run(Model& model, const Job& job) {
  Ran out;
  Expected<Execution> execution = model.start(job, ir::Flavour::kUnwatched);
  EXPECT_TRUE(execution.ok()) << execution.error().text();
  out.error = execution->run();
  out.parallel = execution->ranParallel();
  for (const Resource& r : execution->resources()) out.bytes.push_back(r.bytes());
  return out;
}

ModelOptions inParts(std::uint32_t parts, Schedule schedule = {}) {
  ModelOptions options;
  options.schedule = schedule;
  options.parallel = {.inOrder = {}, .least = {}, .parts = parts};
  return options;
}
ModelOptions inOrder(Schedule schedule = {}) {
  ModelOptions options;
  options.schedule = schedule;
  options.parallel.allowed = false;
  return options;
}

const std::vector<Schedule> kSchedules = {{}, {Schedule::Order::kReverse, 0}, {Schedule::Order::kSeeded, 5}};

// Runs the job in order and in 2, 3, 7 and 126 parts; returns how often parts ran side by side.
std::uint64_t expectSame(const Job& job, const std::string& what, const std::vector<Schedule>& schedules = kSchedules) {
  std::uint64_t parallel = 0;
  for (const Schedule& schedule : schedules) {
    Model reference(inOrder(schedule));
    const Ran expected = run(reference, job);
    EXPECT_EQ(expected.parallel, 0u);
    for (std::uint32_t parts : {2u, 3u, 7u, 126u}) {
      Model model(inParts(parts, schedule));
      const Ran got = run(model, job);
      parallel += got.parallel;
      EXPECT_EQ(got.error ? got.error->text() : "", expected.error ? expected.error->text() : "") << what;
      EXPECT_EQ(got.bytes, expected.bytes) << what << ", " << schedule.token() << ", parts: " << parts;
    }
  }
  return parallel;
}
constexpr std::uint64_t kAlways = 12;  // runs of expectSame()

constexpr std::uint32_t kOrderWords[] = {kGroups * 128 + 1, 5};

TEST(Parts, ThatDoNotMeetRunSideBySide) {
  for (std::uint32_t mode : {0u, 6u, 8u, 300u})
    EXPECT_EQ(expectSame(jobOf("parts_order", mode, kOrderWords), "mode " + std::to_string(mode)), kAlways);
}

TEST(Parts, ThatMeetGiveTheBytesOfTheirOrder) {
  for (std::uint32_t mode : {1u, 2u, 3u, 9u, 10u})
    EXPECT_EQ(expectSame(jobOf("parts_order", mode, kOrderWords), "mode " + std::to_string(mode)), 0u);
}

// Of these, some meet and some do not.
TEST(Parts, ThatMeetByChanceGiveTheBytesOfTheirOrder) {
  std::uint64_t parallel = 0;
  constexpr std::uint32_t kFirst = 12, kModes = 194;
  for (std::uint32_t mode = kFirst; mode < kFirst + kModes; ++mode)
    parallel += expectSame(jobOf("parts_order", mode, kOrderWords), "mode " + std::to_string(mode), {Schedule{}});
  EXPECT_GT(parallel, 0u);
  EXPECT_LT(parallel, 4 * kModes);
}

TEST(Parts, WithAtomicsThatTellTheOrderRunInOrder) {
  EXPECT_EQ(expectSame(jobOf("parts_order", 5, kOrderWords), "a used result"), 0u);
}

TEST(Parts, OfWhichOneFaultsGiveTheErrorOfTheirOrder) {
  Job job = jobOf("parts_order", 7, kOrderWords);
  job.limits.maxSteps = 5000;
  EXPECT_EQ(expectSame(job, "the step limit"), 0u);
}

TEST(Parts, JoinTheirSums) {
  constexpr std::uint32_t words[] = {4, 4, 8};
  for (std::uint32_t sum = 0; sum < 10; ++sum)
    EXPECT_EQ(expectSame(jobOf("parts_sums", sum, words), "sum " + std::to_string(sum)), kAlways) << sum;
  EXPECT_EQ(expectSame(jobOf("parts_sums", 10, words), "exchange"), 0u);
  EXPECT_EQ(expectSame(jobOf("parts_order", 4, kOrderWords), "two kinds, each at a fixed place"), kAlways);
  EXPECT_EQ(expectSame(jobOf("parts_sums", 11, words), "two kinds, apart"), kAlways);
  EXPECT_EQ(expectSame(jobOf("parts_sums", 12, words), "two kinds in one scalar"), 0u);
  EXPECT_EQ(expectSame(jobOf("parts_sums", 13, words), "two kinds, nobody knows where"), 0u);
}

TEST(Parts, OfPlainKernels) {
  struct Plain {
    const char* name;
    std::uint32_t groups, results;
    bool parallel;
  };
  constexpr std::uint32_t kSource = 1 << 14;
  for (const auto& [name, groups, results, parallel] :
       {Plain{"plain_histogram", 4, 1, true}, Plain{"plain_in_place", 16, 1 << 11, true}, Plain{"plain_reduction", 16, 16, true},
        Plain{"plain_sort", 8, 1 << 13, true}, Plain{"plain_last_workgroup", 8, 64, false}, Plain{"plain_look_back", 8, 1 << 11, false}}) {
    const std::uint32_t words[] = {kSource, results, 1 << 14};
    Job job = jobOf(name, 0, words, groups);
    job.dispatches[0].spec.clear();
    EXPECT_EQ(expectSame(job, name, {Schedule{}}) != 0, parallel) << name;  // some wait for earlier workgroups
  }
}

// Whether all that the program accesses at binding 0 is proved to be its workgroup's own.
bool isOwn(const Job& job) {
  Model model;
  const Dispatch& d = job.dispatches[0];
  const Expected<std::shared_ptr<const Program>> program = model.program(d, 32, ir::Flavour::kUnwatched);
  EXPECT_TRUE(program.ok());
  const Program& p = **program;
  BoundDispatch bound;
  bound.dispatch = &d;
  bound.push = d.push;
  std::vector<bool> fixed(p.resources.size(), true);
  std::vector<std::vector<std::byte>> bytes;
  for (const Resource& r : job.resources) bytes.push_back(r.bytes());
  const auto bindingOf = [&](const ir::ResourceDeclaration& r) {
    return std::ranges::find(d.bindings, r.binding, &Binding::binding) - d.bindings.begin();
  };
  for (std::uint32_t r = 0; r < p.resources.size(); ++r) {
    std::vector<std::byte>& of = bytes[static_cast<std::size_t>(bindingOf(p.resources[r]))];
    bound.descriptors.push_back({r, 1});
    bound.buffers.push_back({of.data(), of.size(), r, 0});
  }
  std::vector<OwnCheck::Accessed> all;
  for (std::uint32_t pc = 0; pc < p.code.size(); ++pc) {
    const ir::Access* access = p.accessOf(pc);
    if (!access || access->space != ir::Space::kBuffer) continue;
    if (p.info[pc].op == ir::kStore) fixed[access->resource] = false;
    if (p.resources[access->resource].binding != 0) continue;
    all.push_back(OwnCheck::accessedBy(p, pc));
  }
  return OwnCheck(bound, p, fixed).isOwn(all);
}
bool isOwn(std::uint32_t mode) {
  return isOwn(jobOf("parts_order", mode, kOrderWords));
}

TEST(Parts, PlacesOfAWorkgroupsOwnAreProved) {
  EXPECT_TRUE(isOwn(8));
  EXPECT_TRUE(isOwn(300)) << "loaded there too";
  EXPECT_FALSE(isOwn(0)) << "all load the last word";
  EXPECT_FALSE(isOwn(1)) << "one word of all";
  EXPECT_FALSE(isOwn(9)) << "the last word of each is the next one's first";
  EXPECT_FALSE(isOwn(10)) << "one of two stores";
}

// Of a picture of width x height; 8x4 invocations a workgroup.
Job placesOf(std::uint32_t mode, std::uint32_t width, std::uint32_t height, Extent3 groups, std::uint32_t bits = 0) {
  const std::uint32_t words[] = {4096, 2};
  Job job = jobOf("parts_places", mode, words);
  job.dispatches[0].groups = groups;
  for (const std::uint32_t word : {width, height, bits})
    for (int byte = 0; byte < 4; ++byte) job.dispatches[0].push.push_back(static_cast<std::byte>(word >> (8 * byte)));
  std::vector<std::byte>& numbers = std::get<BufferData>(job.resources[1].data).bytes;
  std::memcpy(numbers.data(), &width, sizeof width);
  return job;
}

TEST(Parts, PlacesAreProvedByTheNumbersOfTheDispatch) {
  struct Case {
    std::uint32_t mode, width, height;
    Extent3 groups;
    bool own;
    std::uint32_t bits = 0;
  };
  constexpr Extent3 kWhole{5, 6, 1}, kRow{5, 1, 1};  // 40 x 24 invocations, and 40 x 4
  for (const Case& c : {
           Case{0, 40, 24, kWhole, true},
           Case{0, 41, 24, kWhole, true},
           Case{0, 39, 24, kWhole, false},  // a row begins before the one above has ended
           Case{1, 41, 24, kWhole, true},
           Case{1, 40, 24, kWhole, false},
           Case{2, 37, 23, kWhole, true},
           Case{3, 37, 23, kWhole, false},
           Case{4, 37, 23, kWhole, true},
           Case{4, 37, 23, {5, 1u << 29, 1}, false},  // a signed place may have wrapped
           Case{5, 37, 23, kWhole, true},
           Case{6, 37, 23, kRow, true},
           Case{6, 40, 1u << 30, kRow, false},  // a multiple of 40 that wraps
           Case{6, 64, 1u << 30, kRow, true},   // one of 64 is one of 64 all the same
           Case{7, 37, 23, kRow, false},
           Case{8, 38, 24, kWhole, true},
           Case{8, 37, 24, kWhole, false},  // of an odd width the second is the next row's first
           Case{9, 38, 24, kWhole, false},
           Case{10, 40, 24, kWhole, true},
           Case{10, 38, 24, kWhole, false},
           Case{11, 40, 24, kWhole, false},
           Case{12, 40, 24, kWhole, true},
           Case{12, 39, 24, kWhole, false},
           Case{13, 40, 24, kWhole, false},
           Case{14, 0, 0, kWhole, true},
           Case{15, 0, 0, kWhole, false},
           Case{16, 0, 0, kRow, true},
           Case{16, 0, 0, kWhole, false, 1u << 20},
           Case{17, 0, 0, kRow, true},
           Case{17, 0, 0, {40, 1, 1}, false},
           Case{18, 15, 4, kRow, false},
           Case{19, 0x7fffff80, 90, {2, 2, 1}, true, 0x7ffffff3},
           Case{19, 0x7ffffff0, 90, {2, 2, 1}, false, 0x7ffffff3},
           Case{20, 0, 0, {2, 1, 1}, true, 0x7ffffffe},
           Case{20, 0, 0, {2, 1, 1}, false, 0x7fffffff},
           Case{21, 0, 0, kRow, true},
           Case{22, 0, 0, kRow, false},
           Case{23, 37, 23, kWhole, true, 4},
           Case{24, 37, 23, kWhole, false, 4},
           Case{25, 0, 2, kRow, false, 64},
       }) {
    const Job job = placesOf(c.mode, c.width, c.height, c.groups, c.bits);
    const std::string what = "mode " + std::to_string(c.mode) + ", " + std::to_string(c.width) + "x" + std::to_string(c.height);
    EXPECT_EQ(isOwn(job), c.own) << what;
    if (c.groups.y < 100 && c.height < 100) expectSame(job, what, {Schedule{}});
  }
}

// The bytes of a place are those of the view.
TEST(Parts, OfViewsOfOtherUnits) {
  EXPECT_EQ(expectSame(viewsJob(kGroups, 4), "halves"), kAlways);
  EXPECT_EQ(expectSame(viewsJob(kGroups, 5), "bytes and halves"), 0u);
  EXPECT_EQ(expectSame(viewsJob(kGroups, 6), "words and halves"), 0u);
}

// Each level has places of its own: which one is accessed is known where the element of the array is.
TEST(Parts, OfLevels) {
  EXPECT_EQ(expectSame(levelsJob(kGroups, 0), "each by its number"), kAlways);
  EXPECT_EQ(expectSame(levelsJob(kGroups, 1), "one by a number that is loaded"), 0u);
  EXPECT_EQ(expectSame(levelsJob(kGroups, 2), "the one that others load"), 0u);
}

TEST(Parts, AProgramThatMeetsIsRemembered) {
  Model model(inParts(3));
  const Job job = jobOf("parts_order", 1, kOrderWords);
  const Expected<std::shared_ptr<const Program>> program = model.program(job.dispatches[0], 32, ir::Flavour::kUnwatched);
  ASSERT_TRUE(program.ok());
  EXPECT_FALSE((*program)->sideBySide.orderShows);
  EXPECT_EQ(run(model, job).parallel, 0u);
  EXPECT_TRUE((*program)->sideBySide.orderShows);
}

// By what whole dispatches of as many workgroups took, for each workgroup.
TEST(Parts, RunWhereTheyWereQuicker) {
  if (threadsForParts() < 2) GTEST_SKIP() << "one thread";
  ModelOptions options;
  options.parallel = {.inOrder = {}, .least = {}};
  Model model(options);
  const Job job = jobOf("parts_order", 0, kOrderWords);
  const Expected<std::shared_ptr<const Program>> program = model.program(job.dispatches[0], 32, ir::Flavour::kUnwatched);
  ASSERT_TRUE(program.ok());
  Program::SideBySide::Pace& pace = (*program)->sideBySide.byInterpreter;
  constexpr double kSecond = 1e9;
  pace.groups = kGroups;
  const auto parallel = [&](double inOrder, double inParts, bool isDoubtful) {
    pace.inOrder = inOrder, pace.inParts = inParts, pace.estimate = kSecond, pace.isDoubtful = isDoubtful;
    return run(model, job).parallel;
  };
  EXPECT_EQ(parallel(0, kSecond / 2, false), 1u);
  EXPECT_EQ(parallel(0, kSecond, true), 0u) << "nobody knows yet what it takes in order";
  EXPECT_GT(pace.inOrder.load(), 0.0);
  EXPECT_EQ(parallel(kSecond, kSecond / 2, true), 1u);
  // What was slower is tried again: once soon, as parts may have been cold, and then ever more seldom, at 8, 16 and 32.
  const auto tries = [&](double inParts, std::uint64_t usually) {
    pace.lost = 1;
    const bool soon = parallel(kSecond, inParts, true) != usually;
    std::uint64_t others = 0;
    for (int i = 0; i < 40; ++i) others += parallel(kSecond, inParts, true) != usually;
    return std::pair(soon, others);
  };
  EXPECT_EQ(tries(kSecond, 0), std::pair(true, std::uint64_t{3}));
  EXPECT_EQ(tries(0.8 * kSecond, 1), std::pair(true, std::uint64_t{3}));
  EXPECT_EQ(tries(0.5 * kSecond, 1), std::pair(false, std::uint64_t{0})) << "much quicker: nobody asks";
}

// A dispatch that has just begun, of a program that nothing is known of.
struct Begun {
  std::shared_ptr<const Program> program;
  DispatchRun dispatch;
  Part part;
  Begun() {
    const Job job = jobOf("parts_order", 0, kOrderWords);
    const Expected<std::shared_ptr<const Program>> made = Model().program(job.dispatches[0], 32, ir::Flavour::kUnwatched);
    if (!made) throw std::runtime_error(made.error().text());
    program = *made;
    dispatch.program = program;
    part.end = kGroups;
    part.residents.resize(1);
  }
};

// By code, of which it is known that parts are quicker: from the first workgroup on.
TEST(Parts, OfKnownPaceBeginAtOnce) {
  if (threadsForParts() < 2) GTEST_SKIP() << "one thread";
  const Begun begun;
  const auto& [program, dispatch, part] = begun;
  const ParallelRule rule;
  EXPECT_FALSE(ParallelWatch(rule, part, dispatch, false, true).left(true)) << "nothing is known yet";
  Program::SideBySide::Pace& pace = program->sideBySide.byCode;
  pace.groups = kGroups, pace.inOrder = 1e9, pace.inParts = 1e8;
  ParallelWatch watch(rule, part, dispatch, false, true);
  EXPECT_TRUE(watch.left(true));
  watch.ended(true);
  EXPECT_FALSE(pace.isDoubtful);
  EXPECT_LT(pace.inParts.load(), 1e7) << "what was slower may have been cold";
  EXPECT_EQ(pace.inOrder.load(), 1e9);
  pace.groups = kGroups + 1;
  EXPECT_FALSE(ParallelWatch(rule, part, dispatch, false, true).left(true)) << "of another size";
}

// Also the first runs, which start threads.
TEST(Parts, AreDoubtedWhereTheyWereSlower) {
  if (threadsForParts() < 2) GTEST_SKIP() << "one thread";
  const Begun begun;
  const auto& [program, dispatch, part] = begun;
  const ParallelRule rule{.least = {}};
  Program::SideBySide::Pace& pace = program->sideBySide.byCode;
  pace.groups = kGroups, pace.inOrder = 10, pace.inParts = 1;
  ParallelWatch watch(rule, part, dispatch, false, true);
  EXPECT_TRUE(watch.left(true));
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  watch.ended(true);
  EXPECT_TRUE(pace.isDoubtful);
  EXPECT_GT(pace.inParts.load(), 0.4e6 / kGroups) << "a mean, in nanoseconds";
}

// Nobody knows yet what the order takes: the next dispatch tells. Then parts are tried again.
TEST(Parts, ThatAreDoubtedWaitForARunInOrder) {
  if (threadsForParts() < 2) GTEST_SKIP() << "one thread";
  const Begun begun;
  const auto& [program, dispatch, part] = begun;
  const ParallelRule rule;
  Program::SideBySide::Pace& pace = program->sideBySide.byCode;
  pace.groups = kGroups, pace.lost = 1;
  EXPECT_TRUE(ParallelWatch(rule, part, dispatch, false, true).isPossible());
  pace.isDoubtful = true;
  const ParallelWatch inOrder(rule, part, dispatch, false, true);
  EXPECT_FALSE(inOrder.isPossible());
  inOrder.ended(false);
  EXPECT_GT(pace.inOrder.load(), 0.0);
  const ParallelWatch inParts(rule, part, dispatch, false, true);
  EXPECT_TRUE(inParts.isPossible());
  inParts.ended(true);
  EXPECT_GT(pace.inParts.load(), 0.0) << "judged, though it is but the second one";
}

// Parts whose sums were in one line of the host's cache would take turns with it.
TEST(Parts, SumInLinesOfTheirOwn) {
  std::array<std::byte, 4> count{}, counts[17]{};
  const std::span<std::byte> summed[] = {count, std::as_writable_bytes(std::span(counts))};
  const std::vector<Sharing::Sum> sums{{spv::Op::OpAtomicIAdd, 4}};
  Sharing sharing;
  sharing.summed = {{0, sums}, {1, sums}};
  const OwnSums own(BoundDispatch{}, sharing, summed);
  for (const AlignedBytes& bytes : own.bytes) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % kCacheLine, 0u);
    EXPECT_EQ(bytes.size() % kCacheLine, 0u);
  }
}

// Accesses that a profile moves to the end of the buffer meet there.
TEST(Parts, ThatAProfileMovesTogetherRunInOrder) {
  const Job job = jobOf("parts_order", 11, kOrderWords);
  EXPECT_EQ(expectSame(job, "outside"), kAlways);
  ModelOptions options = inParts(3);
  options.profile.outsideBuffer = OutsideBuffer::kWithin;
  Model model(options);
  options.parallel.allowed = false;
  Model reference(options);
  const Ran got = run(model, job), expected = run(reference, job);
  EXPECT_EQ(got.parallel, 0u);
  EXPECT_EQ(got.bytes, expected.bytes);
  EXPECT_NE(got.bytes[0], run(model, jobOf("parts_order", 12, kOrderWords)).bytes[0]);
}

// A run that was stopped inside of a workgroup goes on unwatched.
TEST(Parts, ARunThatWasStoppedGoesOn) {
  class Stop final : public Observer {
    std::uint32_t watches() const override { return watch::kAccess; }
    Answer access(const AccessEvent&) override { return Answer::kStop; }
  } stop;
  const Job job = jobOf("parts_order", 0, kOrderWords);
  Model reference(inOrder()), model(inParts(3));
  Expected<Execution> execution = model.start(job);
  ASSERT_TRUE(execution.ok());
  EXPECT_FALSE(execution->run(stop));
  EXPECT_FALSE(execution->finished());
  EXPECT_FALSE(execution->run());
  EXPECT_TRUE(execution->finished());
  EXPECT_EQ(execution->ranParallel(), 1u);
  EXPECT_EQ(execution->resources()[0].bytes(), run(reference, job).bytes[0]);
}

// Memory for copies and parts counts: without it the run stays in order.
TEST(Parts, FitIntoTheMemoryLimit) {
  Job job = jobOf("parts_order", 6, kOrderWords);
  std::uint64_t bytes = 0;
  for (const Resource& r : job.resources) bytes += r.bytes().size();
  job.limits.maxMemory = bytes + (1 << 20);
  Model model(inParts(3));
  EXPECT_EQ(run(model, job).parallel, 1u);
  job.limits.maxMemory = bytes + (1 << 13);
  EXPECT_EQ(run(model, job).parallel, 0u);
}

TEST(Parts, NobodyRunsThemWhileSomebodyWatches) {
  class Silent final : public Observer {
    std::uint32_t watches() const override { return watch::kAccess; }
  } silent;
  Model model(inParts(3));
  const Job job = jobOf("parts_order", 0, kOrderWords);
  Expected<Execution> execution = model.start(job);
  ASSERT_TRUE(execution.ok());
  EXPECT_FALSE(execution->run(silent));
  EXPECT_EQ(execution->ranParallel(), 0u);
}

}  // namespace
}  // namespace lanewise
