// Every order that can differ: counted against all orders, on the litmus programs; and kernels of which one order in six is wrong.
#include "model/explore.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/check/race_text.h"
#include "tests/model/all_orders.h"
#include "tests/model/check/litmus_kernel.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

using memory_model::Litmus;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

// The races of all orders.
std::set<std::string> racesOf(const Explored& explored) {
  std::set<std::string> all;
  for (const Explored::Found& f : explored.found)
    for (const RunFinding& one : f.findings)
      if (isRace(one.kind)) all.insert(placesOf(one));
  return all;
}

std::set<std::vector<std::byte>> resultsOf(const Explored& explored) {
  std::set<std::vector<std::byte>> all;
  for (const Explored::Ending& e : explored.endings) all.insert(bytesOf(e.outputs));
  return all;
}

RunResult runAgain(Job job, const Schedule& schedule) {
  const Expected<Schedule> parsed = parseSchedule(schedule.token());
  EXPECT_TRUE(parsed.ok()) << schedule.token();
  EXPECT_EQ(*parsed, schedule) << schedule.token();
  return Model({.profile = {}, .schedule = *parsed}).run(job);
}

// The job comes to each of its endings again under the token that the exploration names.
void expectReplays(const Job& job, const Explored& explored) {
  for (const Explored::Ending& e : explored.endings) {
    const RunResult result = runAgain(job, e.schedule);
    ASSERT_EQ(result.error.has_value(), e.error.has_value()) << e.schedule.token();
    EXPECT_EQ(bytesOf(result.outputs), bytesOf(e.outputs)) << e.schedule.token();
  }
}

TEST(Explore, OrdersOfTheLitmusProgramsAreAllThereAndOnce) {
  std::size_t compared = 0, orders = 0, kinds = 0, most = 0, races = 0, ofSomeOrders = 0;
  for (const Litmus& l : memory_model::allLitmus(LANEWISE_LITMUS)) {
    const std::optional<Job> job = memory_model::kernelOf(l);
    if (!job) continue;
    const AllOrders::Seen seen = AllOrders(*job).take();
    if (!seen.whole) continue;
    const Expected<Explored> explored = explore(*job, {});
    ASSERT_TRUE(explored.ok()) << l.name << ": " << explored.error().text();
    EXPECT_EQ(explored->open, "") << l.name;
    EXPECT_EQ(explored->executions, seen.kinds) << l.name << ", of " << seen.orders << " orders";
    EXPECT_EQ(resultsOf(*explored), seen.results) << l.name;
    EXPECT_EQ(racesOf(*explored), seen.races) << l.name;
    expectReplays(*job, *explored);
    ++compared;
    orders += seen.orders;
    kinds += seen.kinds;
    most = std::max(most, seen.kinds);
    races += seen.races.size();
    ofSomeOrders += seen.ofSomeOrders;
  }
  EXPECT_GT(compared, 30u);
  EXPECT_GT(most, 5u);
  EXPECT_GT(races, 10u);
  EXPECT_GT(ofSomeOrders, 3u);
  RecordProperty("programs", static_cast<int>(compared));
  RecordProperty("orders", static_cast<int>(orders));
  RecordProperty("executions", static_cast<int>(kinds));
}

Job ordersJob(std::uint32_t mode, std::uint32_t groups, const std::string& kernel = "orders") {
  const std::uint32_t words[] = {0, 0};
  Job job = kernelJob(kernel, groups, std::span(words, kernel == "orders" ? 2 : 1));
  for (Resource& r : job.resources) r.data = BufferData{std::vector<std::byte>(64)};
  job.dispatches[0].spec = {{0, mode}};
  job.subgroupSize = 1;
  return job;
}

Explored explored(const Job& job, const ExploreLimits& limits = {}) {
  Expected<Explored> e = explore(job, {}, limits);
  EXPECT_TRUE(e.ok()) << e.error().text();
  return *e;
}

TEST(Explore, OneWrongOrderOfSixIsFound) {
  const Job job = ordersJob(0, 3);
  const Explored e = explored(job);
  EXPECT_EQ(e.open, "");
  EXPECT_EQ(e.executions, 6u);
  ASSERT_THAT(e.endings, SizeIs(2));
  expectReplays(job, e);
  EXPECT_EQ(static_cast<int>(e.endings[0].outputs[0].bytes()[0]) + static_cast<int>(e.endings[1].outputs[0].bytes()[0]), 1);
  // The order 2 0 1, and that in order.
  const std::string subject = fmt::format("turns:{:04x}:", e.endings[0].schedule.subject);
  EXPECT_EQ(e.endings[0].schedule.token(), subject);
  EXPECT_EQ(e.endings[1].schedule.token(), subject + "2");
}

TEST(Explore, TurnsOfAnotherSubjectAreRefused) {
  const auto refusal = [](const char* token) {
    const RunResult result = Model({.profile = {}, .schedule = *parseSchedule(token)}).run(ordersJob(0, 3));
    return result.error ? result.error->text() : "";
  };
  EXPECT_EQ(refusal("turns:2"), "") << "the last of three";
  EXPECT_THAT(refusal("turns:0-3"), HasSubstr("they name subgroup 3 of dispatch 0, which has 3 subgroups"));
  EXPECT_THAT(refusal("turns:2/0"), HasSubstr("they have 2 dispatches, and this one has 1"));
}

// Although the numbers fit.
TEST(Explore, TurnsOfAnotherModuleGridOrSubgroupSizeAreRefused) {
  const Job job = ordersJob(0, 3);
  const Schedule wrong = explored(job).endings[1].schedule;
  EXPECT_FALSE(runAgain(job, wrong).error);
  Job module = job, grid = job, size = job, constant = job, data = job;
  module.dispatches[0].module = ordersJob(0, 3, "orders_shared").dispatches[0].module;
  grid.dispatches[0].groups = {4, 1, 1};
  size.subgroupSize = 4;
  constant.dispatches[0].spec = {{0, 1}};
  for (const Job& other : {module, grid, size, constant}) {
    const RunResult result = runAgain(other, wrong);
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->outcome, Outcome::kBadInput);
    EXPECT_THAT(result.error->text(), AllOf(HasSubstr("those of another module, grid or subgroup size"), HasSubstr("take them without")));
  }
  data.resources[0].bytes()[0] = std::byte{1};
  EXPECT_FALSE(runAgain(data, wrong).error) << "the order of other data";
  Schedule open = wrong;
  open.subject = 0;
  EXPECT_FALSE(runAgain(grid, open).error) << "of no subject in particular";
}

// The module with an OpString and an OpSource of a file, in front of its names.
std::shared_ptr<const ShaderModule> fromFile(const ShaderModule& module, const std::string& file) {
  const auto first = [](std::uint32_t op, std::size_t words) { return static_cast<std::uint32_t>(words << 16 | op); };
  std::vector<std::uint32_t> text(file.size() / 4 + 1);
  std::memcpy(text.data(), file.data(), file.size());
  auto out = std::make_shared<ShaderModule>();
  out->name = file;
  out->words.assign(module.words.begin(), module.words.begin() + 5);
  const std::uint32_t id = out->words[3]++;
  bool isIn = false;
  for (std::size_t at = 5; at < module.words.size(); at += module.words[at] >> 16) {
    const std::uint32_t op = module.words[at] & 0xffff;
    if (op == 3) continue;                             // OpSource
    if (!isIn && (op == 5 || op == 71 || op == 72)) {  // OpName, OpDecorate, OpMemberDecorate
      isIn = true;
      out->words.insert(out->words.end(), {first(7, text.size() + 2), id});
      out->words.insert(out->words.end(), text.begin(), text.end());
      out->words.insert(out->words.end(), {first(3, 4), 2, 460, id});
    }
    const auto begin = module.words.begin() + static_cast<std::ptrdiff_t>(at);
    out->words.insert(out->words.end(), begin, begin + (module.words[at] >> 16));
  }
  EXPECT_TRUE(isIn);
  return out;
}

TEST(Explore, TurnsAreThoseOfTheModuleWhateverItsFileIsCalled) {
  Job here = ordersJob(0, 3), there = here;
  here.dispatches[0].module = fromFile(*here.dispatches[0].module, "orders.comp");
  there.dispatches[0].module = fromFile(*there.dispatches[0].module, "/a/place/of/another/name.comp");
  ASSERT_NE(here.dispatches[0].module->words, there.dispatches[0].module->words);
  const Schedule turns = explored(here).endings[1].schedule;
  EXPECT_EQ(turns.subject, explored(there).endings[1].schedule.subject);
  const RunResult moved = runAgain(there, turns);
  EXPECT_FALSE(moved.error) << moved.error->text();
  there.dispatches[0].groups = {4, 1, 1};
  const RunResult grid = runAgain(there, turns);
  ASSERT_TRUE(grid.error);
  EXPECT_THAT(grid.error->text(), HasSubstr("those of another module, grid or subgroup size"));
}

TEST(Explore, OnlyOrdersThatCanDifferAreRun) {
  EXPECT_EQ(explored(ordersJob(1, 3)).executions, 6u) << "each order of three is seen";
  EXPECT_THAT(explored(ordersJob(1, 3)).endings, SizeIs(6));
  EXPECT_THAT(explored(ordersJob(1, 4)).open, HasSubstr("more than 16 different states"));
  EXPECT_EQ(explored(ordersJob(2, 100)).executions, 1u) << "sums of which nobody uses the old value";
  EXPECT_EQ(explored(ordersJob(3, 100)).executions, 1u) << "words of their own";
}

TEST(Explore, TheLastWorkgroupSumsWhateverTheOrder) {
  const Explored e = explored(ordersJob(4, 4));
  EXPECT_EQ(e.open, "");
  EXPECT_THAT(e.endings, SizeIs(1));
  EXPECT_EQ(e.executions, 24u) << "of the counter";
}

TEST(Explore, DispatchesAddUpAndDoNotMultiply) {
  Job job = ordersJob(0, 3);
  job.dispatches.push_back(job.dispatches[0]);
  const Explored e = explored(job);
  EXPECT_EQ(e.open, "");
  // The second sees three bits or more, so it has no wrong order: from each of two states before it six.
  EXPECT_EQ(e.executions, 6u + 2 * 6);
  EXPECT_THAT(e.endings, SizeIs(2));
  expectReplays(job, e);
}

TEST(Explore, ABarrierOrdersWhatAMissingOneDoesNot) {
  const Explored with = explored(ordersJob(0, 1, "orders_shared")), without = explored(ordersJob(1, 1, "orders_shared"));
  EXPECT_EQ(with.executions, 1u);
  EXPECT_THAT(with.endings, SizeIs(1));
  EXPECT_EQ(without.open, "");
  // Each of two pairs swaps words: both see the new one, or either the old one.
  EXPECT_EQ(without.executions, 9u);
  EXPECT_THAT(without.endings, SizeIs(9));
  expectReplays(ordersJob(1, 1, "orders_shared"), without);
  const Explored atomics = explored(ordersJob(2, 1, "orders_shared"));
  EXPECT_EQ(atomics.executions, 24u);
  EXPECT_THAT(atomics.endings, SizeIs(1));
}

TEST(Explore, ABoundIsSaid) {
  EXPECT_THAT(explored(ordersJob(4, 4), {.executions = 23}).open, HasSubstr("more than 23 orders"));
  EXPECT_EQ(explored(ordersJob(4, 4), {.executions = 24}).open, "");
  EXPECT_THAT(explored(ordersJob(4, 4), {.turns = 20}).open, HasSubstr("more than 20 turns"));
  EXPECT_THAT(explored(ordersJob(4, 4), {.subgroups = 3}).open, HasSubstr("4 subgroups, more than 3"));
  EXPECT_THAT(explored(ordersJob(4, 4), {.bytes = 127}).open, HasSubstr("128 bytes, more than 127"));
  EXPECT_THAT(explored(ordersJob(5, 2), {.turnsEach = 100}).open, HasSubstr("more than 100 turns"));
  // What all do first says how many orders there are; then few of them are run.
  const Explored first = explored(ordersJob(1, 3), {.executions = 5, .sample = 3});
  EXPECT_THAT(first.open, HasSubstr("more than 5 orders"));
  EXPECT_EQ(first.executions, 3u);
  EXPECT_EQ(explored(ordersJob(1, 3), {.executions = 6, .sample = 3}).executions, 6u);
  const std::atomic<bool> stop{true};
  EXPECT_EQ(explored(ordersJob(4, 4), {.stop = &stop}).open, "it was interrupted");
}

TEST(Explore, WhoWaitsForWhatComesIsNoError) {
  const Explored e = explored(ordersJob(5, 2));
  EXPECT_THAT(e.open, HasSubstr("wait for others"));
  for (const Explored::Ending& ending : e.endings) EXPECT_FALSE(ending.error) << ending.error->text();
}

TEST(Explore, MemoryForFewerWorkgroupsIsSaid) {
  Job job = ordersJob(4, 4);
  job.limits.maxMemory = 256;
  Expected<Explored> e = explore(job, {});
  for (; !e.ok() && job.limits.maxMemory < 1 << 20; e = explore(job, {})) job.limits.maxMemory *= 2;
  ASSERT_TRUE(e.ok()) << e.error().text();
  EXPECT_EQ(e->open, "memory does not let all workgroups be resident");
}

TEST(Explore, ARaceOfOneOrderIsFound) {
  const Job job = ordersJob(7, 2);
  EXPECT_EQ(racesOf(explored(job)), AllOrders(job).take().races);
  const Explored e = explored(job);
  EXPECT_EQ(e.open, "");
  EXPECT_THAT(e.endings, SizeIs(1)) << "the bytes are the same";
  ASSERT_THAT(e.found, SizeIs(1));
  ASSERT_THAT(e.found[0].findings, SizeIs(1));
  EXPECT_EQ(e.found[0].findings[0].kind, FindingKind::kRaceOfEqualValues);
  const RunResult again = Model({.profile = {}, .schedule = *parseSchedule(e.found[0].schedule.token()), .findings = true}).run(job);
  ASSERT_THAT(again.findings, SizeIs(1));
  EXPECT_EQ(again.findings[0].text(), e.found[0].findings[0].text());
  EXPECT_THAT(Model({.profile = {}, .schedule = {}, .findings = true}).run(job).findings, SizeIs(0)) << "in order there is none";
  EXPECT_THAT(explored(ordersJob(8, 2)).found, SizeIs(0)) << "by atomics";
}

TEST(Explore, TwoVariablesOfOnePlaceThatOneOrderUsesAreToldAndEndNothing) {
  const std::uint32_t words[] = {8, 8, 2};
  Job job = kernelJob("orders_aliased", 4, words);
  for (Resource& r : job.resources) r.data = BufferData{std::vector<std::byte>(r.bytes().size())};
  job.dispatches[0].bindings[1].resource = job.resources[0].name;
  job.subgroupSize = 1;
  const Explored e = explored(job);
  EXPECT_EQ(e.open, "");
  ASSERT_THAT(e.found, SizeIs(1));
  ASSERT_THAT(e.found[0].findings, SizeIs(1));
  EXPECT_EQ(e.found[0].findings[0].kind, FindingKind::kAliased);
  job.dispatches[0].bindings[1].resource = job.resources[1].name;
  EXPECT_THAT(explored(job).found, SizeIs(0)) << "two buffers";
}

TEST(Explore, UndefinedValuesThatReachNothingCostNoLooks) {
  const Explored e = explored(ordersJob(9, 5), {.looks = 0});
  EXPECT_EQ(e.open, "");
  EXPECT_EQ(e.executions, 120u);
  EXPECT_THAT(e.endings, SizeIs(1));
  EXPECT_THAT(e.found, SizeIs(0));
}

TEST(Explore, AnUndefinedValueThatOneOrderStoresIsFound) {
  const Job job = ordersJob(10, 3);
  const Explored e = explored(job, {.looks = 1});
  EXPECT_EQ(e.open, "");
  EXPECT_EQ(e.executions, 6u);
  ASSERT_THAT(e.found, SizeIs(1));
  ASSERT_THAT(e.found[0].findings, SizeIs(1));
  EXPECT_EQ(e.found[0].findings[0].kind, FindingKind::kUndefinedValue);
  EXPECT_THAT(e.found[0].schedule.token(), testing::EndsWith(":2"));
  EXPECT_THAT(explored(ordersJob(10, 2)).found, SizeIs(0)) << "two of the three workgroups";
  // It is in the resource that the dispatch behind gets.
  Job two = job;
  two.dispatches.push_back(ordersJob(3, 3).dispatches[0]);
  const Explored both = explored(two);
  EXPECT_EQ(both.open, "");
  EXPECT_FALSE(both.found.empty());
}

TEST(Explore, DispatchesWithoutABarrierAreNotExplored) {
  Job job = ordersJob(0, 3);
  job.dispatches.push_back(job.dispatches[0]);
  job.dispatches[1].barrierBefore = false;
  EXPECT_EQ(explored(job).open, "there is no barrier between two dispatches");
}

TEST(Explore, AnOrderInWhichSomebodyWaitsForEverIsAnError) {
  const Job job = ordersJob(6, 2);
  const Explored e = explored(job);
  EXPECT_EQ(e.open, "");
  ASSERT_THAT(e.endings, SizeIs(2));
  const Explored::Ending& bad = e.endings[0].error ? e.endings[0] : e.endings[1];
  ASSERT_TRUE(bad.error);
  EXPECT_EQ(bad.error->outcome, Outcome::kFinding);
  EXPECT_EQ(runAgain(job, bad.schedule).error->text(), bad.error->text());
  EXPECT_THAT(e.found, SizeIs(0));
}

TEST(Explore, AnOrderThatIsStuckIsLookedAt) {
  const Explored e = explored(ordersJob(11, 2));
  EXPECT_EQ(e.open, "");
  EXPECT_THAT(racesOf(e), SizeIs(1));
  EXPECT_THAT(e.endings, testing::Contains(testing::Field(&Explored::Ending::error, testing::Ne(std::nullopt))));
}

}  // namespace
}  // namespace lanewise
