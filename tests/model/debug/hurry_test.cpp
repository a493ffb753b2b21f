// Stretches that nobody looks at run unwatched, on all cores and in pieces: what is seen behind them is what the watched run shows.
#include <thread>

#include "tests/model/debug/opened.h"
#include "tools/subject/subject.h"

namespace lanewise::debug {
namespace {

// Two dispatches of 91 workgroups over three images.
Job blurs(const std::string& size = "200x100") {
  const Expected<Case> named = caseNamed("box-blur/double/naive @ " + size + " radius=2 edge=clamp format=rgba8ui input=noise:1");
  EXPECT_TRUE(named.ok()) << named.error().text();
  const Expected<Subject> subject = subjectOf(*named);
  EXPECT_TRUE(subject.ok()) << subject.error().text();
  return subject->job;
}

// Side by side as soon as there are two workgroups.
ModelOptions sideBySide(const char* schedule) {
  ModelOptions o = Opened::options(schedule);
  o.parallel.inOrder = o.parallel.least = std::chrono::microseconds(0);
  o.parallel.parts = 3;
  return o;
}

std::vector<std::vector<std::byte>> bytesOf(const std::vector<Resource>& resources) {
  std::vector<std::vector<std::byte>> out;
  for (const Resource& r : resources) out.push_back(r.bytes());
  return out;
}

TEST(Hurry, ImagesAreWhatTheWatchedRunHas) {
  const Job job = blurs();
  ASSERT_EQ(job.dispatches.size(), 2u);
  const auto last = static_cast<std::uint32_t>(job.resources.size() - 1);
  for (const char* schedule : {"in-order", "reverse"}) {
    const auto visit = [&](bool hurries) {
      Model model(sideBySide(schedule));
      const auto opened = Session::open(
          job, [&](ir::Flavour f, Execution* from) { return model.start(job, f, from); }, {}, hurries);
      EXPECT_TRUE(opened.ok());
      Session& s = **opened;
      std::vector<std::pair<Time, std::vector<std::vector<std::byte>>>> out;
      const auto note = [&](const Expected<Stop>& stop) {
        EXPECT_TRUE(stop.ok());
        out.emplace_back(s.time(), bytesOf(s.resources()));
      };
      note(s.toInvocation({0, 0, 0}, 1));
      note(s.toInvocation({100, 50, 0}, 1));
      note(s.step(Unit::kLineIn, false));
      note(s.toInvocation({100, 50, 0}, 0));
      note(s.toEnd());
      const std::array<std::uint64_t, 2> texel{199, 99};
      note(s.toWriter(*s.regionOf(last, texel)));
      EXPECT_EQ(s.stop().why, Why::kWriter);
      EXPECT_EQ(s.focus(), (Extent3{199, 99, 0}));
      note(s.step(Unit::kInstruction, false));
      return out;
    };
    EXPECT_EQ(visit(true), visit(false)) << schedule;
  }
}

// A piece grows while they are quick, and a dispatch ends it.
TEST(Hurry, ManyShortDispatchesEnd) {
  Job job = blurs();
  const std::vector<Dispatch> two = job.dispatches;
  while (job.dispatches.size() < 60) job.dispatches.insert(job.dispatches.end(), two.begin(), two.end());
  for (Dispatch& d : job.dispatches) d.groups = {1, 1, 1};
  Opened s(job);
  EXPECT_EQ(s->toEnd()->why, Why::kEnd);
}

TEST(Hurry, MayBeStoppedAndGoesOn) {
  Opened s(blurs());
  std::vector<Time> asked;
  s->setPulse([&](const Time& at) {
    asked.push_back(at);
    return asked.size() >= 3;
  });
  const Expected<Stop> stop = s->toEnd();
  ASSERT_TRUE(stop.ok());
  EXPECT_EQ(stop->why, Why::kInterrupted);
  EXPECT_FALSE(s->atEnd());
  ASSERT_GE(asked.size(), 3u);
  EXPECT_GE(s->time(), asked[2]);
  s->setPulse({});
  EXPECT_EQ(s->step(Unit::kLineIn)->why, Why::kStep);
  ASSERT_EQ(s->toEnd()->why, Why::kEnd);
  Opened straight(s.job, "in-order", {}, false);
  ASSERT_TRUE(straight->toEnd().ok());
  EXPECT_EQ(bytesOf(s->resources()), bytesOf(straight->resources()));
}

// Backwards a stop leaves the run where it was, and says that it was stopped; a move that comes to the end does not.
TEST(Hurry, AStopBackwardsFromTheEndIsTold) {
  Opened s(blurs());
  ASSERT_EQ(s->toEnd()->why, Why::kEnd);
  Breakpoint never;
  never.what = Breakpoint::What::kLine;
  never.line = 13;
  never.condition = std::make_shared<const Expression>(*parseExpression("at.x == 5000"));
  ASSERT_TRUE(s->add(never).ok());
  s->setPulse([](const Time&) { return true; });
  const Expected<Stop> stop = s->go(false);
  ASSERT_TRUE(stop.ok());
  EXPECT_EQ(stop->why, Why::kInterrupted);
  EXPECT_TRUE(s->atEnd());
  s->setPulse({});
  EXPECT_EQ(s->go(false)->why, Why::kBegin);
  EXPECT_EQ(s->toEnd()->why, Why::kEnd);
}

// Where the invocation's workgroup is long over, a step back looks for it in that workgroup alone.
TEST(Hurry, AStepBackFromTheEndLooksAtItsWorkgroupAlone) {
  for (const Extent3 who : {Extent3{0, 0, 0}, Extent3{9, 3, 0}}) {
    Opened s(blurs());
    ASSERT_TRUE(s->toInvocation(who, 1).ok());
    const Time begin = s->time();
    ASSERT_EQ(s->toEnd()->why, Why::kEnd);
    std::vector<Time> asked;
    s->setPulse([&](const Time& now) {
      asked.push_back(now);
      return false;
    });
    ASSERT_EQ(s->step(Unit::kInstruction, false)->why, Why::kStep);
    EXPECT_EQ(s->time().opened, begin.opened);
    EXPECT_EQ(s->time().dispatch, 1u);
    EXPECT_TRUE(std::ranges::none_of(asked, [&](const Time& t) { return t > Time{1, begin.opened + 1, 0} && t.step == 0; }));
    Opened straight(s.job, "in-order", {}, false);
    ASSERT_TRUE(straight->toInvocation(who, 1).ok());
    ASSERT_EQ(straight->toEnd()->why, Why::kEnd);
    ASSERT_EQ(straight->step(Unit::kInstruction, false)->why, Why::kStep);
    EXPECT_EQ(straight->time(), s->time());
  }
}

TEST(Hurry, ARunStopsBetweenWorkgroupsAndGoesOnInAnotherFlavour) {
  Job job = blurs();
  for (Resource& r : job.resources) r.output = true;
  Model model(sideBySide("in-order"));
  Expected<Execution> run = model.start(job, ir::Flavour::kUnwatched);
  ASSERT_TRUE(run.ok());
  for (const Execution::Until until : {Execution::Until{0, 1}, Execution::Until{0, 40}, Execution::Until{1, 0}, Execution::Until{1, 90}}) {
    ASSERT_FALSE(run->runUntil(until));
    EXPECT_EQ(run->progress(), until);
    Expected<Execution> other = model.start(job, ir::Flavour::kFaithful, &*run);
    ASSERT_TRUE(other.ok()) << other.error().text();
    EXPECT_EQ(other->progress(), until);
    run = std::move(other);
  }
  ASSERT_FALSE(run->run());
  const RunResult plain = Model().run(job);
  ASSERT_FALSE(plain.error);
  EXPECT_EQ(bytesOf(run->takeOutputs()), bytesOf(plain.outputs));
}

class StopsAtTheFirst final : public Observer {
 public:
  std::uint32_t watches() const override { return watch::kBefore; }
  Answer beforeInstruction(const InstructionEvent&) override { return Answer::kStop; }
};

// A step back from a place that took long to come to does not run the whole way again; from one that took no time it does.
TEST(Hurry, APlaceThatTookLongIsKept) {
  const Job job = blurs();
  for (const bool isLong : {true, false}) {
    Model model(Opened::options("in-order"));
    int runs = 0;
    const auto opened = Session::open(job, [&](ir::Flavour f, Execution* from) {
      runs += from == nullptr ? 1 : 0;
      return model.start(job, f, from);
    });
    ASSERT_TRUE(opened.ok());
    Session& s = **opened;
    bool waited = !isLong;
    s.setPulse([&](const Time&) {
      if (!std::exchange(waited, true)) std::this_thread::sleep_for(std::chrono::milliseconds(800));
      return false;
    });
    ASSERT_TRUE(s.toInvocation({100, 50, 0}, 1).ok());
    EXPECT_TRUE(waited);
    EXPECT_EQ(s.snapshots(), isLong ? 1u : 0u);
    const int before = runs;
    ASSERT_TRUE(s.step(Unit::kInstruction).ok());
    ASSERT_TRUE(s.step(Unit::kInstruction, false).ok());
    EXPECT_EQ(runs - before, isLong ? 0 : 1);
  }
}

// What no dispatch from there on stores to is not copied. Who changes it there, or goes back, changes nobody else's.
TEST(Hurry, CopiesOfARunAreIndependent) {
  Job job = blurs();
  for (Resource& r : job.resources) r.output = true;
  Model model(Opened::options("in-order"));
  Expected<Execution> run = model.start(job, ir::Flavour::kFaithful);
  ASSERT_TRUE(run.ok());
  const std::vector<std::byte> start = run->save();
  ASSERT_FALSE(run->runUntil({1, 40}));
  const auto here = bytesOf(run->resources());
  const RunResult plain = Model().run(job);
  Execution changed = run->clone(), back = run->clone();
  const std::uint64_t row95 = std::uint64_t{95} * 200 * 4;  // a later workgroup reads it
  for (const std::uint32_t resource : {0u, 1u})
    ASSERT_TRUE(changed.change({.place = Place::kImage, .resource = resource, .offset = row95, .bytes = {std::byte{1}}}));
  EXPECT_EQ(bytesOf(run->resources()), here);
  EXPECT_NE(bytesOf(changed.resources())[0], here[0]);
  ASSERT_FALSE(back.restore(start));
  ASSERT_FALSE(back.run());
  EXPECT_EQ(bytesOf(run->resources()), here);
  ASSERT_FALSE(changed.run());
  ASSERT_FALSE(run->run());
  EXPECT_EQ(bytesOf(run->takeOutputs()), bytesOf(plain.outputs));
  EXPECT_EQ(bytesOf(back.takeOutputs()), bytesOf(plain.outputs));
  EXPECT_NE(bytesOf(changed.takeOutputs())[2], bytesOf(plain.outputs)[2]);
}

// With weak memory also of images that only a dispatch before stores to: without a barrier its stores still wait.
TEST(Hurry, CopiesOfAWeakRunAreIndependent) {
  Job job = blurs("20x10");
  for (Resource& r : job.resources) r.output = true;
  job.dispatches[1].barrierBefore = false;
  Model model(Opened::options("in-order+weak:1"));
  Expected<Execution> run = model.start(job, ir::Flavour::kFaithful);
  ASSERT_TRUE(run.ok());
  ASSERT_FALSE(run->runUntil({1, 0}));
  const auto here = bytesOf(run->resources());
  Execution copy = run->clone();
  ASSERT_FALSE(copy.run());
  EXPECT_EQ(bytesOf(run->resources()), here);
  ASSERT_FALSE(run->run());
  const auto there = bytesOf(run->takeOutputs());
  EXPECT_EQ(there, bytesOf(copy.takeOutputs()));
  EXPECT_NE(there[1], here[1]);
}

// A workgroup that is open belongs to its flavour, and workgroups that are resident together to their turns.
TEST(Hurry, NothingGoesOnFromTheMiddleOfAWorkgroup) {
  const Job job = blurs();
  Model model(Opened::options("in-order")), many(Opened::options("interleave:seed:1@4"));
  Expected<Execution> run = model.start(job, ir::Flavour::kFaithful), together = many.start(job);
  ASSERT_TRUE(run.ok() && together.ok());
  EXPECT_TRUE(together->runUntil({0, 5}));
  StopsAtTheFirst stops;
  ASSERT_FALSE(run->run(stops));
  EXPECT_TRUE(run->runUntil({0, 5}));
  const Expected<Execution> other = model.start(job, ir::Flavour::kUnwatched, &*run);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().outcome, Outcome::kBadInput);
  EXPECT_FALSE(run->run());  // it still has its resources
  EXPECT_TRUE(run->finished());
  const Job copy = job;  // NOLINT(performance-unnecessary-copy-initialization): a copy is meant
  EXPECT_FALSE(model.start(copy, ir::Flavour::kUnwatched, &*run).ok());
}

}  // namespace
}  // namespace lanewise::debug
