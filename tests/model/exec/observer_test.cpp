// The events that observers get, on every text program: a replica of all memory that is made of events alone comes to the same bytes, every
// value before an access is what the replica has there, what begins also ends, and a run that is stopped everywhere gives the same bytes.
#include <fmt/format.h>

#include "model/model.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

using U = std::uint32_t;

class Replica final : public Observer {
 public:
  explicit Replica(const std::vector<Resource>& resources) {
    for (const Resource& r : resources) bytes_.push_back(r.bytes());
  }
  U watches() const override { return ~0u; }

  Answer beforeInstruction(const InstructionEvent& e) override {
    running_ = e.pc;
    check(e.lanes == e.batch.mask && e.lanes.any(), "an instruction of other lanes");
    return Answer::kGoOn;
  }
  Answer afterInstruction(const InstructionEvent& e) override {
    check(e.pc == running_, "the end of another instruction");
    return Answer::kGoOn;
  }

  Answer access(const AccessEvent& e) override {
    check(e.pc == running_, "an access of another instruction");
    LaneMask seen;
    const std::byte *before = e.before.data(), *after = e.after.data();
    std::vector<std::pair<std::byte*, const std::byte*>> stores;
    forEachLane(e, [&](U lane, const LaneRun& run, std::uint64_t offset) {
      check(e.lanes.test(lane), "a lane that does not execute");
      check(e.place == Place::kImage || !seen.test(lane), "a lane told twice");
      seen.set(lane);
      for (U i = 0; i < run.size; ++i, ++before, ++after) {
        std::byte* own = at(e, run.resource, lane, offset + i);
        if (!own) continue;
        check(*before == *own, fmt::format("byte {} before is {}, not {}", offset + i, int(*before), int(*own)));
        if (isAtomic(e.kind) && writes(e.kind)) *own = *after;
        if (!isAtomic(e.kind) && writes(e.kind)) stores.emplace_back(own, after);
        if (!writes(e.kind)) check(*after == *own, "a read that changes memory");
      }
    });
    check(before == e.before.data() + e.before.size() && e.before.size() == e.after.size(), "values without a lane");
    for (const Outside& o : e.outside) seen.set(o.lane);
    check(e.place == Place::kImage || seen == e.lanes, "a lane that is not told");
    for (const auto& [own, value] : stores) *own = *value;
    return Answer::kGoOn;
  }

  Answer moment(const Moment& moment) override {
    std::visit(Cases{[&](const DispatchBegins&) { check(!std::exchange(dispatch_, true), "a dispatch in a dispatch"); },
                     [&](const DispatchEnds&) { check(std::exchange(dispatch_, false) && groups_.empty(), "the end of no dispatch"); },
                     [&](const WorkgroupBegins& e) { begin(e); }, [&](const WorkgroupEnds& e) { end(e); },
                     [&](const SubgroupBegins& e) { check(of(e.batch).subgroups.emplace(e.subgroup, e.lanes).second, "a subgroup twice"); },
                     [&](const SubgroupEnds& e) { check(of(e.batch).subgroups.erase(e.subgroup) == 1, "the end of no subgroup"); },
                     [&](const BarrierReached& e) {
                       of(e.batch).at[e.batch.index] = {e.pc, e.lanes};
                     },
                     [&](const BarrierReleased& e) { check(of(e.batch).at.erase(e.batch.index) == 1, "nobody was at the barrier"); },
                     [&](const StrandSplits& e) { split(e); }, [&](const LanesReturn& e) { leave(e); },
                     [&](const StrandsJoin& e) { check(e.lanes.any(), "nobody joins"); }, [](const auto&) {}},
               moment);
    return Answer::kGoOn;
  }

  std::vector<std::vector<std::byte>> bytes_;
  std::string problem;  // the first

 private:
  void check(bool good, const std::string& what) {
    if (!good && problem.empty()) problem = fmt::format("instruction {}: {}", running_, what);
  }
  // Of a workgroup that is resident.
  struct Group {
    std::vector<std::byte> memory;
    std::map<std::pair<U, U>, std::vector<std::byte>> lanes;
    std::map<U, LaneMask> subgroups;
    std::map<U, std::pair<U, LaneMask>> at;
  };
  Group& of(const Batch& batch) { return groups_[batch.env->slot]; }
  void begin(const WorkgroupBegins& e) {
    check(dispatch_ && !groups_.contains(e.env.slot), "a workgroup in a workgroup");
    Group& own = groups_[e.env.slot];
    own.memory.assign(e.env.program->workgroupBytes, kPoisonByte);
    for (const auto& [offset, size] : e.env.program->workgroupZero) std::fill_n(own.memory.begin() + offset, size, std::byte{0});
  }
  void end(const WorkgroupEnds& e) {
    const Group& own = groups_[e.env.slot];
    check(own.subgroups.empty() && own.at.empty(), "a workgroup ends before what is in it");
    groups_.erase(e.env.slot);
  }
  void split(const StrandSplits& e) {
    LaneMask all;
    for (const Strand& part : e.parts) {
      check(part.lanes.any() && !(part.lanes & all).any(), "parts that overlap");
      all = all | part.lanes;
    }
    check(e.parts.size() > 1, "a split into one");
  }
  // Of the subgroup's lanes those that return are still there.
  void leave(const LanesReturn& e) {
    const Program& p = *e.batch.env->program;
    for (U lane = 0; lane < e.batch.width; ++lane) {
      if (!e.lanes.test(lane)) continue;
      LaneMask one;
      one.set(lane);
      LaneMask& own = of(e.batch).subgroups[p.subgroupOf({e.batch.index, lane})];
      check(own.test(lane), "a lane that returns twice");
      own = without(own, one);
    }
  }
  std::byte* at(const AccessEvent& e, U resource, U lane, std::uint64_t offset) {
    switch (e.place) {
      case Place::kPush:
        return nullptr;
      case Place::kWorkgroup:
        return &of(e.batch).memory.at(offset);
      case Place::kLaneMemory: {
        auto& own = of(e.batch).lanes[{e.batch.index, lane}];
        own.resize(std::size_t{e.batch.env->program->laneWords} * 4);  // starts as zeros
        return &own.at(offset);
      }
      default:
        return &bytes_.at(resource).at(offset);
    }
  }

  bool dispatch_ = false;
  U running_ = 0;
  std::map<U, Group> groups_;  // by slot
};

// Says at every n-th event to stop, and less often after many stops: each takes time that grows with the workgroups.
class Stops {
 public:
  explicit Stops(U every) : every_(every) {}
  Answer next() {
    if (--left_ != 0) return Answer::kGoOn;
    left_ = every_ + ++stops_ / 16;
    return Answer::kStop;
  }

 private:
  const U every_;
  U stops_ = 0, left_ = every_;
};

// Stops at events of any kind.
class Stopper final : public Observer {
 public:
  explicit Stopper(U every) : stops_(every) {}
  U watches() const override { return ~0u; }
  Answer beforeInstruction(const InstructionEvent&) override { return stops_.next(); }
  Answer afterInstruction(const InstructionEvent&) override { return stops_.next(); }
  Answer access(const AccessEvent&) override { return stops_.next(); }
  Answer moment(const Moment&) override { return stops_.next(); }

 private:
  Stops stops_;
};

// Wants what no instruction tells by itself: the quiet handlers run.
class Rare final : public Observer {
 public:
  explicit Rare(U watches) : watches_(watches) {}
  U watches() const override { return watches_; }
  Answer moment(const Moment&) override { return stops_.next(); }

 private:
  const U watches_;
  Stops stops_{3};
};

// What it is told of accesses that may not be left out, one text each, and how many others.
class Listener final : public Observer {
 public:
  explicit Listener(bool needsLoads) : needsLoads_(needsLoads) {}
  U watches() const override { return watch::kAccess | watch::kIndex; }
  bool needsLoads(U) const override { return needsLoads_; }
  Answer access(const AccessEvent& e) override {
    const bool leavable = e.kind == AccessKind::kRead && e.place != Place::kWorkgroup && e.outside.empty();
    if (leavable && !wasOutside_)
      ++loads;
    else
      told.push_back(fmt::format("{} {} {} {}", e.pc, static_cast<int>(e.kind), e.runs.size(), e.outside.size()));
    return Answer::kGoOn;
  }
  Answer moment(const Moment& moment) override {
    wasOutside_ = wasOutside_ || std::holds_alternative<IndexOutside>(moment);
    return Answer::kGoOn;
  }
  std::vector<std::string> told;
  std::size_t loads = 0;

 private:
  const bool needsLoads_;
  bool wasOutside_ = false;
};

class Observed : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    program_ = wholeProgram(GetParam());
    program_.job.limits.maxSteps = std::min<std::uint64_t>(program_.job.limits.maxSteps, 1 << 22);
  }
  ProgramText program_;
};

const char* const kSchedules[] = {"in-order", "reverse", "lanes-seed:7", "interleave:seed:5"};

TEST_P(Observed, AReplicaOfMemoryIsTheMemory) {
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    Model model({.profile = {}, .schedule = *parseSchedule(schedule)});
    Expected<Execution> execution = model.start(program_.job);
    if (!execution) return;  // an error that the program expects
    Replica replica(execution->resources());
    const Status error = execution->run(replica);
    EXPECT_EQ(replica.problem, "");
    EXPECT_EQ(error.has_value(), program_.errorOutcome.has_value());
    const std::vector<Resource>& resources = execution->resources();
    for (std::size_t i = 0; i < resources.size(); ++i) EXPECT_TRUE(resources[i].bytes() == replica.bytes_[i]) << resources[i].name;
  }
}

TEST_P(Observed, ARunForNobodyShowsBarriersAndRefusesToShowInstructions) {
  if (program_.errorOutcome) return;
  Model model;
  for (const U kind : {watch::kBefore, watch::kAfter, watch::kAccess, watch::kLaneMemory, watch::kIndex, watch::kStrand}) {
    Expected<Execution> execution = model.start(program_.job, ir::Flavour::kUnwatched);
    ASSERT_TRUE(execution.ok());
    Rare wants(kind);
    const Status refused = execution->run(wants);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->outcome, Outcome::kBadInput);
  }
  Expected<Execution> whole = model.start(program_.job), unwatched = model.start(program_.job, ir::Flavour::kUnwatched);
  Rare few(watch::kWorkgroup | watch::kBarrier | watch::kPrint | watch::kSubgroup | watch::kDispatch);
  ASSERT_FALSE(whole->run());
  while (!unwatched->finished()) ASSERT_FALSE(unwatched->run(few));
  for (std::size_t i = 0; i < whole->resources().size(); ++i)
    EXPECT_TRUE(whole->resources()[i].bytes() == unwatched->resources()[i].bytes()) << whole->resources()[i].name;
}

TEST_P(Observed, OnlyLoadsInRangeThatNobodyNeedsAreLeftOut) {
  if (program_.errorOutcome) return;
  Model model({.profile = {}, .schedule = {}, .findings = true});
  Expected<Execution> one = model.start(program_.job), other = model.start(program_.job);
  ASSERT_TRUE(one.ok() && other.ok());
  Listener all(true), few(false);
  ASSERT_EQ(one->run(all).has_value(), other->run(few).has_value());
  EXPECT_EQ(few.told, all.told);
  EXPECT_LE(few.loads, all.loads);
  if (GetParam() == "guarded_sides.comp") {
    EXPECT_EQ(few.loads, 0u);
    EXPECT_NE(all.loads, 0u);
  }
  for (std::size_t i = 0; i < one->resources().size(); ++i)
    EXPECT_TRUE(one->resources()[i].bytes() == other->resources()[i].bytes()) << one->resources()[i].name;
}

TEST_P(Observed, ARunThatIsStoppedEverywhereGivesTheSameBytes) {
  if (program_.errorOutcome) return;
  for (const char* schedule : kSchedules) {
    SCOPED_TRACE(schedule);
    Model model({.profile = {}, .schedule = *parseSchedule(schedule)});
    Expected<Execution> whole = model.start(program_.job), parts = model.start(program_.job), rare = model.start(program_.job);
    ASSERT_TRUE(whole.ok() && parts.ok() && rare.ok());
    ASSERT_FALSE(whole->run());
    Stopper stopper(7);
    Rare moments(watch::kWorkgroup | watch::kBarrier | watch::kStrand | watch::kPrint | watch::kSubgroup | watch::kDispatch);
    U runs = 0;
    for (; !parts->finished(); ++runs) ASSERT_FALSE(parts->run(stopper));
    EXPECT_GT(runs, 1u);
    for (runs = 0; !rare->finished(); ++runs) ASSERT_FALSE(rare->run(moments));
    EXPECT_GT(runs, 1u);
    for (Execution* other : {&*parts, &*rare}) {
      for (std::size_t i = 0; i < whole->resources().size(); ++i)
        EXPECT_TRUE(whole->resources()[i].bytes() == other->resources()[i].bytes()) << whole->resources()[i].name;
      EXPECT_EQ(whole->printed().lines.size(), other->printed().lines.size());
    }
  }
}

// A state that is saved and restored into another execution again and again, also in the middle of a turn.
TEST_P(Observed, ASavedRunGoesOnElsewhere) {
  if (program_.errorOutcome) return;
  for (const char* schedule : {"in-order@2", "interleave:seed:5", "lanes-reverse"}) {
    SCOPED_TRACE(schedule);
    Model model({.profile = {}, .schedule = *parseSchedule(schedule)});
    Expected<Execution> whole = model.start(program_.job), parts = model.start(program_.job);
    ASSERT_TRUE(whole.ok() && parts.ok());
    ASSERT_FALSE(whole->run());
    Stopper stopper(211);
    for (U runs = 0; !parts->finished(); ++runs) {
      ASSERT_FALSE(parts->run(stopper));
      if (runs > 40) continue;
      Expected<Execution> other = model.start(program_.job);
      ASSERT_FALSE(other->restore(parts->save()));
      *parts = other->clone();
    }
    for (std::size_t i = 0; i < whole->resources().size(); ++i)
      EXPECT_TRUE(whole->resources()[i].bytes() == parts->resources()[i].bytes()) << whole->resources()[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Observed, testing::ValuesIn(programFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

// The replica itself sees a value that is wrong, and what ends without a begin.
TEST(Replica, SeesWhatIsWrong) {
  std::vector<Resource> resources = {{"b", BufferData{std::vector<std::byte>(8)}, false, true}};
  Program program;
  Environment env;
  env.program = &program;
  Batch batch;
  batch.env = &env;
  batch.width = kGroup;
  batch.live.set(3);
  batch.setMask(batch.live);
  const LaneRun run{3, 1, 0, 4, 0, 4};
  const std::byte zeros[4] = {}, ones[4] = {std::byte{1}};
  const auto told = [&](std::span<const std::byte> before, std::span<const LaneRun> runs) {
    Replica replica(resources);
    replica.access({batch, 0, Place::kBuffer, AccessKind::kWrite, 0, batch.mask, runs, {}, before, std::span(ones).first(before.size())});
    return replica.problem;
  };
  EXPECT_EQ(told(zeros, {&run, 1}), "");
  EXPECT_EQ(told(ones, {&run, 1}), "instruction 0: byte 4 before is 1, not 0");
  EXPECT_EQ(told({}, {}), "instruction 0: a lane that is not told");
  Replica ends(resources);
  ends.moment(SubgroupEnds{batch, 0});
  EXPECT_EQ(ends.problem, "instruction 0: the end of no subgroup");
}

// Several observers are told in their order, and one that wants nothing is not asked again.
TEST(Observers, AreToldWhatTheyWant) {
  class Counter final : public Observer {
   public:
    explicit Counter(U watches) : watches_(watches) {}
    U watches() const override { return watches_; }
    Answer moment(const Moment&) override { return ++moments, Answer::kGoOn; }
    U moments = 0;

   private:
    U watches_;
  };
  Counter all(~0u), none(watch::kNothing), groups(watch::kWorkgroup);
  Observer* const list[] = {&all, &none, &groups};
  Observers observers(list);
  const Program program;
  Environment env;
  env.program = &program;
  observers.moment(WorkgroupBegins{env});
  observers.moment(DispatchBegins{env});
  EXPECT_EQ(all.moments, 2u);
  EXPECT_EQ(none.moments, 0u);
  EXPECT_EQ(groups.moments, 1u);
}

}  // namespace
}  // namespace lanewise::text
