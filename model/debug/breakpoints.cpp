// The breakpoints of a session: where each one stops, and which hits count.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/debug/advice.h"
#include "model/debug/session.h"

namespace lanewise::debug {
// What other breakpoints have at the instruction of a hit: where it is an access watchpoints, otherwise all but these, which stop there
// next.
std::vector<Hit> Session::othersAt(const Hit& hit, bool forward, bool focusOnly) {
  if (hit.pc == kBlitted) return {};
  std::vector<Stopper> all = stoppers(forward, focusOnly);
  // Those before it in the list were asked already: what they passed then is not counted again.
  const auto hasCounted = [&](const Stopper& s) { return breakpoint(s.number) < breakpoint(hit.reason) && passed_.contains(s.number); };
  const auto isElsewhere = [&](const Stopper& s) {
    const auto at = s.at.find(&program());
    return s.event == Event::kNone && (at == s.at.end() || !at->second.contains(hit.pc));
  };
  std::erase_if(all, [&](const Stopper& s) {
    return s.log || s.number == hit.reason || s.region.has_value() != hit.isAccess || (!hit.isAccess && isElsewhere(s)) || hasCounted(s);
  });
  if (all.empty()) return {};
  std::map<std::uint32_t, Status> errors;
  for (Stopper& s : all)
    if (s.condition)
      s.condition = [this, asked = std::move(s.condition), &error = errors[s.number]](const LaneState& lane, std::uint32_t pc) {
        stop_.error.reset();
        const bool met = asked(lane, pc);
        if (stop_.error) error = stop_.error;
        return met;
      };
  std::vector<StopSeeker> own;
  for (Stopper& s : all) own.emplace_back(std::vector{std::move(s)}, whoOf(focus_));
  std::vector<Seeker*> list;
  for (StopSeeker& s : own) list.push_back(&s);
  AnySeeker each(std::move(list), true);
  line_.peek(each);
  std::vector<Hit> out;
  for (std::optional<Hit>& other : each.hits) {
    if (!other) continue;
    other->time = hit.time;
    other->error = errors[other->reason];
    out.push_back(std::move(*other));
  }
  return out;
}

Stopper Session::stopperOf(const Breakpoint& b) {
  Stopper s;
  s.number = b.number;
  s.region = b.region;
  s.onRead = b.onRead;
  s.onWrite = b.onWrite;
  s.onChange = b.onChange;
  s.becomes = b.becomes;
  s.event = b.event;
  s.begins = b.name;
  for (std::uint32_t d = 0; d < job_.dispatches.size() && b.isPlace(); ++d) {
    const Program& p = line_.execution().programOf(d);
    if (s.at.contains(&p)) continue;
    const Places& places = placesOf(p);
    std::uint32_t line = b.line;
    const std::vector<std::uint32_t> at = b.what == Breakpoint::What::kLine       ? places.ofLine(b.name, line)
                                          : b.what == Breakpoint::What::kFunction ? places.ofFunction(b.name)
                                                                                  : places.ofInstruction(b.instruction);
    if (!at.empty()) s.at[&p] = {at.begin(), at.end()};
  }
  if (b.condition)
    s.condition = [this, condition = b.condition](const LaneState& lane, std::uint32_t pc) {
      const Expected<bool> met = isTrue(*condition, {&placesOf(*lane.env->program), lane, pc, 0, &job_});
      if (!met) stop_.error = met.error();
      return !met || *met;
    };
  if (b.log)
    s.log = [this, log = b.log](const LaneState& lane, std::uint32_t pc) { log({&placesOf(*lane.env->program), lane, pc, 0, &job_}); };
  return s;
}

std::vector<Stopper> Session::stoppers(bool forward, bool focusOnly) {
  std::vector<Stopper> out;
  for (const Breakpoint& b : breakpoints_) {
    if (!b.isEnabled || (b.log && !forward)) continue;
    out.push_back(stopperOf(b));
    if (focusOnly && !b.log) out.back().only = whoOf(focus_);
    if (forward) out.back().counts = [this, number = b.number] { return counts(number); };
  }
  return out;
}

Expected<std::uint64_t> Session::visits(const Breakpoint& place) {
  const std::optional<Who> who = whoOf(focus_);
  const Standing at = standing();
  std::uint64_t count = 0;
  if (!who || !at.hasPlace()) return count;
  std::vector<Stopper> one;
  one.push_back(stopperOf(place));
  const auto own = one[0].at.find(&program());
  const bool isHere = own != one[0].at.end() && own->second.contains(at.pc);
  one[0].only = who;
  one[0].counts = [&count] {
    ++count;
    return false;
  };
  StopSeeker seeker(std::move(one), {});
  if (Status bad = line_.upToNow(seeker, beginOf(*who))) return *bad;
  return count + (isHere ? 1 : 0);
}

// One more hit: does it stop?
bool Session::counts(std::uint32_t number) {
  using Hits = Breakpoint::Hits;
  Breakpoint* b = breakpoint(number);
  if (!b) return true;
  ++b->hits;
  const bool stops = b->ignored == 0 && (b->stopping == Hits::kAll || (b->stopping == Hits::kNth && b->hits == b->n) ||
                                         (b->stopping == Hits::kFromNth && b->hits >= b->n) ||
                                         (b->stopping == Hits::kEachNth && b->n != 0 && b->hits % b->n == 0));
  if (b->ignored != 0) --b->ignored;
  if (!stops) passed_.insert(number);
  return stops;
}

Breakpoint* Session::breakpoint(std::uint32_t number) {
  const auto found = std::ranges::find(breakpoints_, number, &Breakpoint::number);
  return found == breakpoints_.end() ? nullptr : &*found;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> Session::placeOf(const Breakpoint& b) {
  const Stopper s = stopperOf(b);
  for (std::uint32_t d = 0; d < job_.dispatches.size(); ++d)
    if (const auto at = s.at.find(&line_.execution().programOf(d)); at != s.at.end()) return std::pair(d, *at->second.begin());
  return {};
}

bool Session::remove(std::uint32_t number) {
  return std::erase_if(breakpoints_, [number](const Breakpoint& b) { return b.number == number; }) != 0;
}

// Whether a name of its condition is known at none of its places; of memory and of events in no dispatch.
Status Session::unknownIn(const Breakpoint& b, const Stopper& s) {
  Status bad;
  if (!b.condition) return bad;
  const auto isKnown = [&](const Places& places, std::optional<std::uint32_t> pc) {
    bad = unknownName(*b.condition, places, pc, job_);
    return !bad;
  };
  for (const auto& [program, at] : s.at)
    for (const std::uint32_t pc : at)
      if (isKnown(placesOf(*program), pc)) return bad;
  for (std::uint32_t d = 0; d < job_.dispatches.size() && !b.isPlace(); ++d)
    if (isKnown(placesOf(d), {})) return bad;
  return bad;
}

Status Session::setCondition(std::uint32_t number, std::shared_ptr<const Expression> condition) {
  Breakpoint* b = breakpoint(number);
  if (!b) return Error{Outcome::kBadInput, fmt::format("there is no breakpoint {}", number), "", ""};
  Breakpoint changed = *b;
  changed.condition = std::move(condition);
  if (Status bad = unknownIn(changed, stopperOf(changed))) return bad;
  b->condition = std::move(changed.condition);
  return {};
}

Expected<std::uint32_t> Session::add(Breakpoint b) {
  using What = Breakpoint::What;
  if (b.number == 0) b.number = lastNumber_ + 1;
  const Stopper s = stopperOf(b);
  for (const auto& [program, at] : s.at) {
    b.places += at.size();
    if (b.what == What::kLine) b.line = placesOf(*program).frames(*at.begin())[0].line.line;
  }
  if (b.isPlace() && b.places == 0) {
    const std::string which = b.what == What::kLine       ? fmt::format("no instruction stands at line {}{} or behind it", b.line,
                                                                  b.name.empty() ? "" : " of a file '" + b.name + "'")
                              : b.what == What::kFunction ? fmt::format("there is no function '{}'", b.name)
                                                          : fmt::format("no instruction is {}", b.name);
    return Error{Outcome::kBadInput, which, "", textOf(Advice::kPlaces)};
  }
  if (Status bad = unknownIn(b, s)) return *bad;
  lastNumber_ = std::max(lastNumber_, b.number);
  breakpoints_.push_back(std::move(b));
  return breakpoints_.back().number;
}

}  // namespace lanewise::debug
