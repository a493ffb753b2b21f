// What a session finds out by running a part of the run again, without moving.
#include "model/debug/session.h"
#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

// The last step of a stretch.
class StepCounter final : public Seeker {
 public:
  std::optional<Hit> before(const InstructionEvent&) override {
    steps = now.step + 1;
    return {};
  }
  std::uint64_t steps = 0;
};

// The last store to each byte of a workgroup's memory.
class StoreSeeker final : public Seeker {
 public:
  StoreSeeker(const Who& who, std::size_t bytes) : all(bytes), who_(who) {}
  std::uint32_t watches() const override { return watch::kAccess; }
  std::optional<Hit> access(const AccessEvent& event) override {
    const Environment& env = *event.batch.env;
    if (event.place != Place::kWorkgroup || !writes(event.kind) || env.dispatch != who_.dispatch || env.group != who_.group) return {};
    const Program& p = *env.program;
    forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
      const LastStore store{now, globalInvocation(p.localSize, env.group, p.invocationOf({event.batch.index, lane})), event.pc};
      for (std::uint64_t i = offset; i < std::min<std::uint64_t>(offset + run.size, all.size()); ++i) all[i] = store;
    });
    return {};
  }
  std::vector<LastStore> all;

 private:
  Who who_;
};

Error stopped() {
  return {Outcome::kInterrupted, "stopped", "", ""};
}

}  // namespace

Expected<std::uint64_t> Session::stepsOf(std::uint32_t dispatch, std::uint64_t opened) {
  StepCounter counter;
  const Status bad = line_.survey(counter, {dispatch, opened, 0}, {dispatch, opened + 1, 0});
  environments_.clear();
  if (bad) return *bad;
  if (line_.interrupted()) return stopped();
  return counter.steps;
}

Expected<std::vector<LastStore>> Session::workgroupStores() {
  const Standing at = standing();
  const std::optional<Who> who = whoOf(focus_);
  if (at.state == Standing::State::kNotOpen || !who)
    return Error{Outcome::kUnsupported, "the workgroup is not open now", "", "go to an invocation of it"};
  StoreSeeker stores(*who, residents()[at.slot].memory.size() * sizeof(residents()[at.slot].memory[0]));
  const Status bad = line_.survey(stores, beginOf(*who), time());
  environments_.clear();
  if (bad) return *bad;
  if (line_.interrupted()) return stopped();
  return std::move(stores.all);
}

}  // namespace lanewise::debug
