#include "model/debug/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/debug/advice.h"
#include "model/debug/job_values.h"
#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

Error noPlace(std::string what, std::string hint) {
  return {Outcome::kBadInput, std::move(what), "", std::move(hint)};
}

}  // namespace

Expected<std::unique_ptr<Session>> Session::open(const Job& job, RunStarter starter, Keeping keeping, bool hurries) {
  Expected<Timeline> line = Timeline::open(std::move(starter), keeping, hurries ? &job : nullptr);
  if (!line) return line.error();
  auto session = std::unique_ptr<Session>(new Session(job, std::move(*line)));
  if (const Expected<Stop> begun = session->toBegin(); !begun) return begun.error();
  return session;
}

const Places& Session::placesOf(const Program& program) {
  std::unique_ptr<Places>& p = places_[&program];
  if (!p) p = std::make_unique<Places>(program);
  return *p;
}

std::uint32_t Session::dispatch() const {
  return line_.time().dispatch;
}

std::optional<Who> Session::whoOf(Extent3 global, std::optional<std::uint32_t> dispatch) {
  const std::uint32_t d = dispatch.value_or(this->dispatch());
  if (d >= job_.dispatches.size()) return {};
  const Program& p = line_.execution().programOf(d);
  const auto [group, index] = placeOfInvocation(p.localSize, global);
  const Extent3 groups = job_.dispatches[d].groups;
  if (group.x >= groups.x || group.y >= groups.y || group.z >= groups.z) return {};
  const Program::LanePlace place = p.placeOf(index);
  return Who{d, group, place.batch, place.lane};
}

Extent3 Session::globalOf(Extent3 group, std::uint32_t batch, std::uint32_t lane) {
  const Program& p = program();
  return globalInvocation(p.localSize, group, p.invocationOf({batch, lane}));
}

std::vector<Extent3> Session::invocations() {
  const Program& p = program();
  std::vector<Extent3> out;
  const Extent3 group = placeOfInvocation(p.localSize, focus_).group;
  for (std::uint32_t i = 0; i < p.invocations; ++i) out.push_back(globalInvocation(p.localSize, group, i));
  return out;
}

Standing Session::standing(Extent3 global) {
  using As = Standing::State;
  Standing out;
  const std::optional<Who> who = whoOf(global);
  const std::span<const WorkgroupState> all = residents();
  const auto w = std::ranges::find_if(all, [&](const WorkgroupState& r) { return who && r.running && r.id == who->group; });
  if (w == all.end()) return out;
  out.slot = static_cast<std::uint32_t>(w - all.begin());
  out.batch = who->batch;
  out.lane = who->lane;
  const Batch& b = w->batches[who->batch];
  const bool isTurn = line_.execution().turn() == Turn{out.slot, out.batch};
  const auto is = [&](As state, std::uint32_t pc) {
    out.state = state;
    out.pc = pc;
    return out;
  };
  if (b.status == Batch::Status::kDone || !b.live.test(who->lane)) return is(As::kReturned, 0);
  if (b.status == Batch::Status::kAtBarrier) return is(As::kAtBarrier, b.pc - 1);
  const bool runs = b.mask.test(who->lane) && (b.lone.empty() || b.lane == who->lane || (b.lane == kNoLane && isTurn));
  if (runs && (b.lone.empty() || b.lane == who->lane || b.lone[who->lane].pc == b.pc))
    return is(b.status == Batch::Status::kFaulted ? As::kFaulted : isTurn ? As::kNext : As::kReady, b.pc);
  if (!b.lone.empty()) {
    const LoneLane& own = b.lone[who->lane];
    if (own.status == LoneLane::Status::kAbsent) return is(As::kReturned, 0);
    return is(own.status == LoneLane::Status::kWaiting ? As::kDiverged : As::kReady, own.pc);
  }
  for (const Strand& s : b.waiting)
    if (s.lanes.test(who->lane)) return is(As::kDiverged, s.pc);
  return is(As::kReturned, 0);
}

Expected<Scope> Session::scope(Extent3 global, std::size_t frame) {
  const Standing at = standing(global);
  if (!at.hasPlace())
    return Error{Outcome::kUnsupported,
                 fmt::format("invocation {},{},{} {}", global.x, global.y, global.z,
                             at.state == Standing::State::kReturned ? "has returned" : "has not begun, or is over"),
                 "", "go back, or to another invocation"};
  const auto [env, isNew] = environments_.try_emplace(at.slot);
  if (isNew) env->second = line_.execution().environmentOf(at.slot);
  const LaneState lane{&env->second, &residents()[at.slot].batches[at.batch], at.lane, written()};
  return Scope{&placesOf(program()), lane, at.pc, frame, &job_, &line_.execution()};
}

Expected<Value> Session::evaluate(const Expression& e, Extent3 of, std::size_t frame) {
  const Expected<Scope> there = scope(of, frame);
  if (there) return debug::evaluate(e, *there);
  nowhere_ = line_.execution().environmentOf(~0u);
  return debug::evaluate(e, Scope{&places(), {&nowhere_, nullptr, 0, written()}, 0, 0, &job_, &line_.execution(), there.error()});
}

std::optional<std::vector<std::byte>> Session::bytesOf(const Region& r) {
  std::vector<std::byte> bytes = line_.execution().bytesOf(r.resource, r.begin, r.end);
  const WrittenBytes* known = isPoison(bytes) ? written() : nullptr;
  return known && !known->isWritten(r.place, r.resource, {}, r.begin, r.end) ? std::nullopt : std::optional(std::move(bytes));
}

// The session has moved: chooses the invocation that is shown, and drops what was valid only before.
Stop Session::settle(Stop stop) {
  forget();
  if (stop.why == Why::kNothing) return stop;
  const bool others = stop.why == Why::kBreakpoint || stop.why == Why::kWriter || stop.why == Why::kArrived ||
                      stop.why == Why::kInterrupted || stop.why == Why::kOther;
  const std::optional<Turn>& turn = line_.execution().turn();
  const std::optional<Wait>& wait = line_.execution().wait();
  const std::optional<Turn> guilty = wait ? std::optional(wait->turn) : turn;
  if (stop.why == Why::kFault && guilty) {  // who waits, or faulted
    const WorkgroupState& w = residents()[guilty->slot];
    const std::optional<Who> who = whoOf(focus_);
    const bool isOne = who && who->group == w.id && who->batch == guilty->batch;
    const LaneMask& lanes = wait ? wait->lanes : w.batches[guilty->batch].mask;
    focus_ = globalOf(w.id, guilty->batch, laneOf(lanes, isOne ? std::optional(who->lane) : std::nullopt));
  }
  if (stop.hit && stop.hit->pc != kBlitted && others) focus_ = globalOf(stop.hit->group, stop.hit->batch, stop.hit->lane);
  if (stop.why == Why::kBreakpoint)
    std::erase_if(breakpoints_, [&](const Breakpoint& b) {
      const bool isOne = b.number == stop.number || (stop.hit && std::ranges::count(stop.hit->also, b.number, &Hit::reason) != 0);
      return isOne && b.isTemporary;
    });
  stop_ = stop;
  return stop;
}

Time Session::beginOf(const Who& who) {
  const Extent3 groups = job_.dispatches[who.dispatch].groups;
  const std::uint64_t linear = linearOf(who.group, groups);
  const std::uint64_t count = workgroupsIn(groups);
  const Schedule& schedule = line_.execution().schedule();
  for (std::uint64_t i = 0; i < count; ++i)
    if (schedule.at(i, count) == linear) return {who.dispatch, i + 1, 0};
  return {who.dispatch, 1, 0};
}

// Finds the next hit of `own`, of a breakpoint or of a finding.
Expected<Stop> Session::find(Seeker* own, bool forward, bool focusOnly, Time lowest, const std::function<Stop(const Hit&)>& stopOf,
                             bool here) {
  const std::optional<Who> focus = whoOf(focus_);
  passed_.clear();
  StopSeeker stops(stoppers(forward, focusOnly), focus, forward && !here ? std::optional(time()) : std::nullopt);
  std::vector<Seeker*> list{&stops};
  if (own) list.push_back(own);
  AnySeeker any(std::move(list));
  const bool accessHere = !(stop_.hit && stop_.hit->isAccess && stop_.hit->time == time());
  stop_.error.reset();
  const auto finding = nextFinding(forward);
  if (!stopsAtFindings.empty() && !findings_) return settle(arrived(Why::kInterrupted));  // the search for them was
  const Time limit = finding ? finding->second : forward ? Time{~0u, 0, 0} : lowest;
  // Where one workgroup runs at a time, the invocation's own is over when the next one is opened.
  const bool isAlone = focusOnly && focus && line_.execution().schedule().resident == 1;
  const Time begin = isAlone && !forward ? beginOf(*focus) : Time{};
  const Time highest = isAlone && !forward ? Time{begin.dispatch, begin.opened + 1, 0} : Time{~0u, 0, 0};
  Expected<std::optional<Hit>> hit =
      forward ? line_.forward(any, {accessHere, here}, limit) : line_.backward(any, std::max(limit, lowest), highest);
  if (!hit) return hit.error();
  const Status bad = stop_.error;  // of a condition
  if (line_.interrupted()) return settle(arrived(Why::kInterrupted));
  if (!*hit) {
    if (finding && (forward ? !atEnd() : finding->second >= lowest)) return toFinding(finding->first);
    if (forward) return settle(ended());
    return settle({Why::kNothing, 0, {}, {}});
  }
  if ((**hit).reason < AnySeeker::kReasons) {
    (**hit).also = othersAt(**hit, forward, focusOnly);
    return settle({Why::kBreakpoint, (**hit).reason, **hit, bad});
  }
  (**hit).reason -= AnySeeker::kReasons;
  return settle(stopOf(**hit));
}

Expected<Stop> Session::step(Unit unit, bool forward) {
  if (forward && atEnd()) return settle({Why::kNothing, 0, {}, {}});
  const std::optional<Who> who = whoOf(focus_);
  const Standing at = standing();
  if (!who || (forward && at.state == Standing::State::kNotOpen))
    return noPlace(fmt::format("invocation {},{},{} is not there now", focus_.x, focus_.y, focus_.z), textOf(Advice::kAnInvocation));
  if (forward && at.state == Standing::State::kReturned) return settle({Why::kNothing, 0, {}, {}});
  const std::optional<std::uint32_t> from = at.hasPlace() ? std::optional(at.pc) : std::nullopt;
  StepSeeker steps(placesOf(line_.execution().programOf(who->dispatch)), *who, unit, from, forward);
  return find(&steps, forward, true, forward ? Time{} : beginOf(*who), [](const Hit& hit) {
    return Stop{hit.reason == StepSeeker::kReturns ? Why::kReturns : Why::kStep, 0, hit, {}};
  });
}

// Goes to the first line of the first invocation that runs.
Expected<Stop> Session::toBegin() {
  if (Status bad = line_.goTo({})) return *bad;
  forget();
  const std::optional<Turn> turn = line_.execution().turn();
  if (!turn) return settle(ended());
  const WorkgroupState& w = residents()[turn->slot];
  const Expected<Stop> stop = toInvocation(globalOf(w.id, turn->batch, laneOf(w.batches[turn->batch].mask, {})));
  if (!stop || stop->why != Why::kArrived) return stop;
  return settle({Why::kBegin, 0, {}, {}});
}

Stop Session::ended() const {
  return {line_.fault() ? Why::kFault : Why::kEnd, 0, {}, line_.fault()};
}

Expected<Stop> Session::go(bool forward, bool here) {
  if (forward && atEnd()) return settle({Why::kNothing, 0, {}, {}});
  Expected<Stop> stop = find(nullptr, forward, false, {}, {}, here);
  if (!stop || forward || stop->why != Why::kNothing) return stop;
  return toBegin();
}

Expected<Stop> Session::seek(Stopper stopper, bool forward, Why why, bool focusOnly) {
  if (forward && atEnd()) return settle({Why::kNothing, 0, {}, {}});
  const std::optional<Who> focus = whoOf(focus_);
  std::vector<Stopper> one;
  one.push_back(std::move(stopper));
  StopSeeker own(std::move(one), focus);
  const Time lowest = focusOnly && !forward && focus ? beginOf(*focus) : Time{};  // where the invocation begins
  return find(&own, forward, focusOnly, lowest, [&](const Hit& hit) { return Stop{hit.pc == kBlitted ? Why::kBlit : why, 0, hit, {}}; });
}

Expected<Stop> Session::toBarrier(bool forward) {
  Stopper s;
  s.only = whoOf(focus_);
  const Program& p = program();
  for (std::uint32_t pc = 0; pc < p.info.size(); ++pc)
    if (p.info[pc].op == ir::kControlBarrier) s.at[&p].insert(pc);
  return seek(std::move(s), forward, Why::kArrived, true);
}

Expected<Stop> Session::until(const Breakpoint& place, bool forward) {
  Stopper s = stopperOf(place);
  if (s.at.empty()) return noPlace("there is no such place", textOf(Advice::kPlaces));
  s.only = whoOf(focus_);
  return seek(std::move(s), forward, Why::kArrived, true);
}

Expected<Region> Session::regionOf(std::uint32_t resource, std::span<const std::uint64_t> at, std::uint32_t level) const {
  return regionIn(job_.resources[resource], resource, at, level);
}

Expected<Stop> Session::toStore(std::uint32_t resource, bool forward) {
  const Resource& r = job_.resources[resource];
  Stopper s;
  s.onWrite = true;
  s.region = Region{std::holds_alternative<ImageData>(r.data) ? Place::kImage : Place::kBuffer, resource, {}, 0, r.bytes().size(), r.name};
  return seek(std::move(s), forward, Why::kArrived, false);
}

Status Session::look(Extent3 global) {
  if (standing(global).state == Standing::State::kNotOpen)
    return noPlace(fmt::format("the workgroup of invocation {},{},{} is not open now", global.x, global.y, global.z), "");
  focus_ = global;
  return {};
}

Expected<Stop> Session::toInvocation(Extent3 global, std::optional<std::uint32_t> dispatch) {
  const std::optional<Who> who = whoOf(global, dispatch);
  if (!who)
    return noPlace(fmt::format("dispatch {} has no invocation {},{},{}", dispatch.value_or(this->dispatch()), global.x, global.y, global.z),
                   textOf(Advice::kInvocations));
  if (Status bad = line_.goTo(beginOf(*who), true)) return *bad;
  if (line_.interrupted()) return settle(arrived(Why::kInterrupted));
  focus_ = global;
  BeginSeeker begins(placesOf(line_.execution().programOf(who->dispatch)), *who);
  if (const Standing at = standing(); at.state != Standing::State::kNext || !begins.isBegin(at.pc)) {
    if (Expected<std::optional<Hit>> hit = line_.forward(begins, {}); !hit) return hit.error();
  }
  if (atEnd()) return settle(ended());
  return settle({Why::kArrived, 0, {}, {}});
}

// Where the run stands, as a stop there: who is next.
Stop Session::arrived(Why why) {
  if (atEnd()) return why == Why::kInterrupted && line_.interrupted() ? Stop{why, 0, {}, {}} : ended();
  const Turn turn = line_.execution().turn().value_or(Turn{});
  const WorkgroupState& w = residents()[turn.slot];
  Hit hit;
  hit.time = line_.time();
  hit.group = w.id;
  hit.slot = turn.slot;
  hit.batch = turn.batch;
  hit.lanes = w.batches[turn.batch].mask;
  const std::optional<Who> focus = whoOf(focus_);
  const bool stays = focus && focus->group == w.id && focus->batch == turn.batch;
  hit.lane = laneOf(hit.lanes, stays ? std::optional(focus->lane) : std::nullopt);
  hit.pc = w.batches[turn.batch].pc;
  return {why, 0, hit, {}};
}

Expected<Stop> Session::toTime(Time time) {
  if (Status bad = line_.goTo(time, true)) return *bad;
  return settle(arrived(line_.interrupted() ? Why::kInterrupted : Why::kArrived));
}

Expected<Stop> Session::toEnd() {
  if (Status bad = line_.goToEnd()) return *bad;
  return settle(arrived(Why::kInterrupted));
}

Expected<Stop> Session::toWriter(const Region& region) {
  Region place = region;
  const bool isShared = region.place == Place::kBuffer || region.place == Place::kImage;
  if (isShared) place.name = job_.resources[region.resource].name;
  std::vector<std::byte> present;  // with weak memory
  if (isShared && line_.execution().schedule().weak && !isChanged()) {
    const auto all = resources()[region.resource].bytes().begin();
    present.assign(all + static_cast<std::ptrdiff_t>(region.begin), all + static_cast<std::ptrdiff_t>(region.end));
  }
  const auto last = [&](std::vector<std::byte> becomes) {
    Stopper s;
    s.region = place;
    s.onWrite = true;
    s.becomes = std::move(becomes);
    std::vector<Stopper> one;
    one.push_back(std::move(s));
    StopSeeker own(std::move(one), {});
    return line_.backward(own, isShared ? Time{} : beginOf(region.who));
  };
  Expected<std::optional<Hit>> hit = last({});
  if (!hit) return hit.error();
  // Of stores that race the last one need not be the one that remains.
  if (*hit && !present.empty() && (**hit).pc != kBlitted) {
    place.begin = (**hit).byte;
    place.end = place.begin + (**hit).after.size();
    const auto begin = present.begin() + static_cast<std::ptrdiff_t>(place.begin - region.begin);
    const std::vector<std::byte> there(begin, begin + std::ssize((**hit).after));
    Expected<std::optional<Hit>> made = there == (**hit).after ? std::optional<Hit>() : last(there);
    if (!made) return made.error();
    if (*made) hit = std::move(made);
  }
  if (line_.interrupted()) return settle(arrived(Why::kInterrupted));
  if (!*hit) return settle({Why::kNothing, 0, {}, {}});
  return settle({(**hit).pc == kBlitted ? Why::kBlit : Why::kWriter, 0, **hit, {}});
}

}  // namespace lanewise::debug
