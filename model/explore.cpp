#include "model/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "model/check/race_text.h"
#include "model/explore_look.h"
#include "model/explore_orders.h"
#include "model/ir/operation_info.h"
#include "model/state/observer.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

bool isSame(const Error& a, const Error& b) {
  return std::tie(a.outcome, a.what, a.where, a.hint) == std::tie(b.outcome, b.what, b.where, b.hint);
}

// What a turn touches, and the barrier that it opens.
class TurnObserver final : public Observer {
 public:
  explicit TurnObserver(std::uint64_t resources) : resources_(resources) {}
  std::uint32_t watches() const override { return watch::kAccess | watch::kBarrier; }
  Answer access(const AccessEvent& event) override {
    if (event.place == Place::kPush || event.place == Place::kLaneMemory) return Answer::kGoOn;
    const Program& program = *event.batch.env->program;
    TurnUse use;
    use.writes = writes(event.kind);
    if (event.kind == AccessKind::kAtomic && !program.isResultUsed(event.pc)) use.sum = ir::sumOf(program.codeOf(event.pc));
    forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
      if (isAtomic(event.kind)) noteAtomic(event.batch, lane);
      use.memory = event.place == Place::kWorkgroup ? resources_ + event.batch.env->place : run.resource;
      use.begin = offset;
      use.end = offset + run.size;
      if (run.size != 0) uses.push_back(use);
    });
    return Answer::kGoOn;
  }
  Answer moment(const Moment& moment) override {
    if (const auto* open = std::get_if<BarrierReleased>(&moment); open && open->scope != spv::Scope::Subgroup)
      released = open->batch.env->place;
    return Answer::kGoOn;
  }

  std::vector<TurnUse> uses;
  std::optional<std::uint64_t> released;
  bool lanesShare = false;  // two lanes of one subgroup have used atomics

 private:
  void noteAtomic(const Batch& b, std::uint32_t lane) {
    const std::array subgroup{std::uint64_t{b.env->dispatch}, b.env->place, std::uint64_t{b.env->program->subgroupOf({b.index, lane})}};
    const std::uint32_t invocation = b.env->program->invocationOf({b.index, lane});
    lanesShare = lanesShare || atomicsOf_.try_emplace(subgroup, invocation).first->second != invocation;
  }

  std::map<std::array<std::uint64_t, 3>, std::uint32_t> atomicsOf_;  // by dispatch, workgroup and subgroup: the invocation
  std::uint64_t resources_;
};

bool readsClock(const Program& program) {
  return std::ranges::any_of(program.info, [](const InstrInfo& i) { return i.op == ir::kReadClock; });
}

bool sameBytes(const std::vector<Resource>& a, const std::vector<Resource>& b) {
  return std::ranges::equal(a, b, [](const Resource& x, const Resource& y) { return std::ranges::equal(x.bytes(), y.bytes()); });
}

// Without what the schedule does anyway.
std::vector<Schedule::Turns> recorded(std::vector<Orders::Turn> turns) {
  while (!turns.empty() && turns.back().isFirst) turns.pop_back();
  std::vector<Schedule::Turns> out;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (out.empty() || out.back().subgroup != turns[i].subgroup) out.push_back({turns[i].subgroup, 0});
    out.back().end = i + 1;
  }
  return out;
}

class Explorer {
 public:
  // `follows`: undefined values, in each order. Without it the exploration ends where there is one.
  Explorer(const Job& job, const ModelOptions& options, const ExploreLimits& limits, bool follows)
      : job_(job), options_(options), limits_(limits), follows_(follows) {}

  Expected<Explored> take() {
    if (Status error = exploreAll()) return *error;
    return std::move(out_);
  }
  bool needsTracker() const { return needsTracker_; }

 private:
  Status exploreAll() {
    ModelOptions options = options_;
    options.schedule = {.order = Schedule::Order::kTurns, .resident = 0};
    options.findings = true;  // of the programs
    Model model(options);
    Expected<Execution> start = model.start(job_);
    if (!start) return start.error();
    subject_ = start->subject();
    for (std::uint32_t d = 0; d < job_.dispatches.size(); ++d) programs_.push_back(&start->programOf(d));
    for (std::size_t d = 1; d < job_.dispatches.size(); ++d)
      if (!job_.dispatches[d].barrierBefore) out_.open = "there is no barrier between two dispatches";
    std::vector<State> states;
    SeenBefore nothing{FindingsObserver(job_), {}};
    if (follows_) nothing.undefined.emplace(job_);
    states.push_back({std::move(*start), {}, {}, std::move(nothing)});
    while (states[0].run.progress().dispatch < job_.dispatches.size() && out_.open.empty()) {
      std::vector<State> after;
      for (State& s : states)
        if (out_.open.empty()) explore(s, after);
      if (after.empty()) return {};
      states = std::move(after);
    }
    for (State& s : states) {
      if (!out_.open.empty()) break;
      if (Status error = s.run.run()) return *error;
      keep({{}, s.run.takeOutputs(), scheduleOf(s.turns)});
    }
    return {};
  }

  // Between two dispatches.
  struct State {
    Execution run;
    std::vector<std::vector<Schedule::Turns>> turns;  // that led there
    std::vector<Resource> resources;
    SeenBefore seen;
  };

  Schedule scheduleOf(std::vector<std::vector<Schedule::Turns>> turns) const {
    while (!turns.empty() && turns.back().empty()) turns.pop_back();
    Schedule s{.order = Schedule::Order::kTurns, .resident = 0};
    s.turns = std::move(turns);
    s.subject = subject_;
    return s;
  }

  void keep(Explored::Ending ending) {
    const bool known = std::ranges::any_of(out_.endings, [&](const Explored::Ending& e) {
      return e.error && ending.error ? isSame(*e.error, *ending.error) : !e.error && !ending.error && sameBytes(e.outputs, ending.outputs);
    });
    if (known) return;
    if (out_.endings.size() == limits_.endings)
      out_.open = fmt::format("there are more than {} results", limits_.endings);
    else
      out_.endings.push_back(std::move(ending));
  }

  // Why a dispatch is not explored; empty: it is.
  std::string tooMuch(const Execution& run, std::uint64_t subgroups) const {
    std::uint64_t bytes = 0;
    for (const Resource& r : job_.resources) bytes += r.bytes().size();
    if (bytes > limits_.bytes) return fmt::format("its resources have {} bytes, more than {}", bytes, limits_.bytes);
    if (subgroups > limits_.subgroups) return fmt::format("a dispatch has {} subgroups, more than {}", subgroups, limits_.subgroups);
    return readsClock(run.programOf(run.progress().dispatch)) ? "it reads a clock" : "";
  }

  // Every order of a dispatch, from one state before it.
  void explore(State& from, std::vector<State>& after) {
    const std::uint32_t dispatch = from.run.progress().dispatch;
    const Program& program = from.run.programOf(dispatch);
    const Extent3 groups = job_.dispatches[dispatch].groups;
    const std::uint64_t workgroups = workgroupsIn(groups), subgroups = workgroups * program.batches;
    out_.subgroups = std::max(out_.subgroups, subgroups);
    out_.open = tooMuch(from.run, subgroups);
    if (!out_.open.empty()) return;
    from.turns.resize(dispatch);
    Orders orders(static_cast<std::uint32_t>(subgroups), program.batches);
    std::uint64_t most = limits_.executions;
    do {
      Execution run = from.run.clone();
      OrderLook look(job_, programs_, from.seen);
      const Run how = runOne(run, orders, workgroups, look);
      if (!out_.open.empty()) return;
      if (how.end == End::kRepeats) {
        ++out_.repeated;
        continue;
      }
      if (out_.executions == most) {
        out_.open = fmt::format("there are more than {} orders", limits_.executions);
        return;
      }
      if (++out_.executions <= limits_.sample && orders.atLeast(limits_.executions + 1) > limits_.executions) most = limits_.sample;
      std::vector<std::vector<Schedule::Turns>> turns = from.turns;
      turns.push_back(recorded(orders.turns()));
      const Schedule schedule = scheduleOf(turns);
      lookAgain(look, schedule, how.end == End::kDone && run.progress().dispatch == job_.dispatches.size());
      if (how.end == End::kError) {
        keep({how.error, {}, schedule});
      } else if (how.end == End::kStuck) {
        if (Status error = stuck(schedule))
          keep({*error, {}, schedule});
        else
          out_.open = "invocations wait for others";
      } else {
        arrive(std::move(run), std::move(turns), look, after);
      }
    } while (out_.open.empty() && orders.next());
  }

  // Tells what an order shows, if it shows something that no order before it has.
  void lookAgain(OrderLook& look, const Schedule& schedule, bool complete) {
    needsTracker_ = look.needsTracker();
    if (needsTracker_) {
      out_.open = "undefined values are not followed";
      return;
    }
    out_.forgottenUses += look.races().forgotten();
    add(out_.refereed, look.races().refereed());
    bool isNew = false;
    for (const std::string& name : look.shows(complete)) isNew = shown_.insert(name).second || isNew;
    if (!isNew) return;
    if (looks_++ == limits_.looks) {
      out_.open = fmt::format("more than {} orders have something new to show", limits_.looks);
      return;
    }
    ModelOptions options = options_;
    options.schedule = schedule;
    options.findings = true;
    std::vector<RunFinding> findings = Model(options).run(job_).findings;
    // A race of an invocation with itself, through two variables, is told as these.
    const auto isToldOf = [](const RunFinding& f) { return isRace(f.kind) || f.kind == FindingKind::kAliased; };
    if (look.hasRaces() && std::ranges::none_of(findings, isToldOf)) out_.open = "the race of an order did not come again";
    if (!findings.empty()) out_.found.push_back({schedule, std::move(findings)});
  }

  void arrive(Execution run, std::vector<std::vector<Schedule::Turns>> turns, OrderLook& look, std::vector<State>& after) {
    const std::vector<Resource>& now = run.resources();
    if (std::ranges::any_of(after, [&](const State& s) { return sameBytes(s.resources, now); })) return;
    if (after.size() == limits_.endings) {
      out_.open = fmt::format("a dispatch leaves more than {} different states", limits_.endings);
      return;
    }
    std::vector<Resource> copy = now;
    after.push_back({std::move(run), std::move(turns), std::move(copy), look.takeSeen()});
  }

  enum class End : std::uint8_t { kDone, kRepeats, kError, kStuck };
  struct Run {
    End end = End::kDone;
    std::optional<Error> error;
  };

  Run runOne(Execution& run, Orders& orders, std::uint64_t workgroups, OrderLook& look) {
    TurnObserver observer(job_.resources.size());
    std::vector<Observer*> observers{&observer};
    look.addTo(observers);
    std::uint64_t turns = 0;
    bool repeats = false, running = false;
    const auto endTurn = [&] {
      if (running) orders.ended(std::exchange(observer.uses, {}), std::exchange(observer.released, {}));
      running = false;
    };
    const TurnChooser choose = [&](std::span<const WorkgroupState> residents) -> std::optional<lanewise::Turn> {
      endTurn();
      if (residents.size() < workgroups) out_.open = "memory does not let all workgroups be resident";
      if (isOver(++turns)) return {};
      const std::vector<std::pair<std::uint32_t, lanewise::Turn>> ready = readyOf(residents);
      std::vector<std::uint32_t> numbers;
      for (const auto& [subgroup, turn] : ready) numbers.push_back(subgroup);
      const std::optional<std::uint32_t> chosen = numbers.empty() ? std::nullopt : orders.choose(numbers);
      repeats = !chosen && !numbers.empty();
      if (!chosen) return {};
      const auto it = std::ranges::find(ready, *chosen, &std::pair<std::uint32_t, lanewise::Turn>::first);
      if (it == ready.end()) {
        out_.open = "the beginning of an order did not come again";
        return {};
      }
      running = true;
      return it->second;
    };
    const std::uint32_t before = run.progress().dispatch;
    const Status error = run.runChosen(observers, choose);
    endTurn();
    out_.lanesAlone = out_.lanesAlone && !observer.lanesShare;
    if (error) return {End::kError, *error};
    if (run.progress().dispatch != before) return {};
    return {repeats ? End::kRepeats : End::kStuck, {}};
  }

  // Whether a limit is reached: then `open` says which.
  bool isOver(std::uint64_t turnsOfThis) {
    if (++out_.turns > limits_.turns) out_.open = fmt::format("the orders have more than {} turns", limits_.turns);
    if (turnsOfThis > limits_.turnsEach)
      out_.open = fmt::format("an order has more than {} turns, as where invocations wait for others", limits_.turnsEach);
    if (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) out_.open = "it was interrupted";
    return !out_.open.empty();
  }

  // Ascending.
  static std::vector<std::pair<std::uint32_t, lanewise::Turn>> readyOf(std::span<const WorkgroupState> residents) {
    std::vector<std::pair<std::uint32_t, lanewise::Turn>> all;
    all.reserve(residents.empty() ? 0 : residents.size() * residents[0].batches.size());
    for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
      for (std::uint32_t i = 0; residents[slot].running && i < residents[slot].batches.size(); ++i)
        if (isReady(residents[slot].batches[i]))
          all.emplace_back(static_cast<std::uint32_t>(subgroupOf(residents[slot], i)), lanewise::Turn{slot, i});
    constexpr auto bySubgroup = &std::pair<std::uint32_t, lanewise::Turn>::first;
    if (!std::ranges::is_sorted(all, {}, bySubgroup)) std::ranges::sort(all, {}, bySubgroup);
    return all;
  }

  // What a run in an order says in which nobody can go on. No error: who was seen to wait can go on, because what it waits for has come.
  Status stuck(const Schedule& schedule) const {
    ModelOptions options = options_;
    options.schedule = schedule;
    return Model(options).run(job_).error;
  }

  const Job& job_;
  const ModelOptions& options_;
  const ExploreLimits& limits_;
  bool follows_, needsTracker_ = false;
  std::uint16_t subject_ = 0;
  std::vector<const Program*> programs_;  // by dispatch
  std::set<std::string> shown_;           // OrderLook::shows()
  std::size_t looks_ = 0;
  Explored out_;
};

}  // namespace

Expected<Explored> explore(const Job& job, ModelOptions options, const ExploreLimits& limits) {
  options.findings = false;
  Explorer first(job, options, limits, false);
  Expected<Explored> explored = first.take();
  return first.needsTracker() ? Explorer(job, options, limits, true).take() : std::move(explored);
}

void add(Refereed& to, const Refereed& from) {
  to.races += from.races;
  to.silences += from.silences;
  to.tooLong += from.tooLong;
  to.disagreements.insert(to.disagreements.end(), from.disagreements.begin(), from.disagreements.end());
}

}  // namespace lanewise
