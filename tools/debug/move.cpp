// Commands of `lanewise debug` that move, and what is printed at a stop.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "model/base/text.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"
#include "tools/debug/access_text.h"
#include "tools/debug/advice.h"
#include "tools/debug/named_value.h"
#include "tools/debug/shell.h"
#include "tools/debug/spirv_line.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"
#include "tools/run/finding_names.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {

namespace {

std::string othersText(const debug::Hit& hit) {
  const std::uint32_t count = laneCount(hit.lanes);
  return count > 1 ? fmt::format(" and {} more", count - 1) : "";
}

}  // namespace

std::string DebugShell::Said::whole() const {
  return breakpoint == 0 ? text : fmt::format("breakpoint {}: {}", breakpoint, text);
}

void DebugShell::say(const std::string& text, std::uint32_t breakpoint) {
  said_.insert(said_.begin(), {breakpoint, text});  // before what the kernel printed
  print_(said_.front().whole());
}

void DebugShell::detail(const std::string& text) {
  said_.push_back({0, trimmed(text)});
  print_("  " + text);
}

// Why the run stopped, if it is more than a step.
void DebugShell::header(const debug::Stop& stop) {
  const std::string who = fmt::format("invocation {}", invocationText(s_->focus()));
  switch (stop.why) {
    case debug::Why::kBreakpoint:
      say(who + (stop.hit ? othersText(*stop.hit) : ""), stop.number);
      break;
    case debug::Why::kFinding:
      say("finding " + std::to_string(stop.number + 1) + ": " + (**s_->findings())[stop.number].finding.text());
      break;
    case debug::Why::kOther:
      say(fmt::format("the first access of finding {}: {}", stop.number + 1, who));
      break;
    case debug::Why::kReturns:
      say(who + " ends here");
      break;
    case debug::Why::kWriter:
      say("last written by " + who);
      break;
    case debug::Why::kBlit:
      say("made by a blit, before what comes next here");
      break;
    case debug::Why::kInterrupted:
      say(s_->atEnd() ? "interrupted; the run is over" : "interrupted");
      break;
    case debug::Why::kEnd:
      say("the run is over");
      break;
    case debug::Why::kFault:
      say("the run ends with an error: " + textWithCommands(*stop.error));
      break;
    default:
      break;
  }
  const auto showError = [this](const Status& error) {
    if (error) print_("its condition means nothing here: " + textWithCommands(*error));
  };
  if (stop.why == debug::Why::kBreakpoint) showError(stop.error);
  if (stop.hit) showParts(*stop.hit);
  if (stop.hit && stop.hit->isAccess)
    showAccess(*stop.hit, stop.why == debug::Why::kBreakpoint ? stop.number : 0, stop.why == debug::Why::kOther);
  if (stop.why != debug::Why::kBreakpoint || !stop.hit) return;
  for (const debug::Hit& other : stop.hit->also) {
    const std::string at = invocationText(s_->globalOf(other.group, other.batch, other.lane));
    print_(fmt::format("breakpoint {}: invocation {}{}", other.reason, at, othersText(other)));
    showError(other.error);
    showParts(other);
    if (other.isAccess) showAccess(other, other.reason, false);
  }
}

// What an access makes of what a breakpoint watches (0: of what was asked for), or of any place.
void DebugShell::showAccess(const debug::Hit& hit, std::uint32_t breakpoint, bool isAnywhere) {
  const auto shape = watched_.find(breakpoint);
  const bool isFresh = s_->isFresh(hit);
  const bool isOther = isAnywhere || shape == watched_.end() || (isFresh && hit.place == Place::kWorkgroup);
  const std::optional<std::string> after = isOther ? std::nullopt : accessedText(hit.after, shape->second, *s_);
  if (!after) return detail(accessText(*s_, hit));
  const std::string before = isFresh ? "?" : bytesText(hit.before, shape->second, *s_);
  if (hit.before == hit.after && !(isFresh && hit.writes))
    detail("it is " + before);
  else
    detail(fmt::format("{} becomes {}", before, *after));
}

// Of a divergence: how many invocations go where.
void DebugShell::showParts(const debug::Hit& hit) {
  for (const Strand& part : hit.parts) {
    const std::uint32_t count = laneCount(part.lanes);
    detail(fmt::format("{} go{} to {}", count, count == 1 ? "es" : "", placeText(s_->places(), part.pc)));
  }
}

// The lines that the kernel has printed since the last stop, when the run went on.
void DebugShell::showPrinted() {
  constexpr std::size_t kMost = 20;
  const std::vector<Printed>& all = s_->printed().lines;
  const std::size_t first = std::min(shownPrints_, all.size()), count = all.size() - first;
  for (std::size_t i = first; i < first + std::min(count, kMost); ++i) detail(printedLine(all[i]));
  if (count > kMost) detail(fmt::format("and {} more lines: `info prints`", count - kMost));
  shownPrints_ = all.size();
}

// The place and its source line. The function and the invocation are printed if they differ from those of the last stop.
void DebugShell::showLine() {
  const debug::Standing at = s_->standing();
  if (!at.hasPlace()) {
    if (!s_->atEnd()) print_(fmt::format("invocation {} {}", invocationText(s_->focus()), standingText(*s_, at)));
    shownPlace_.clear();
    return;
  }
  const debug::Places& places = s_->places();
  const std::uint32_t pc = places.lined(at.pc);
  const std::string shown = fmt::format("{} {} {}", functionText(places, pc), places.depth(pc), invocationText(s_->focus()));
  const std::string source = places.hasLine(pc) ? sourceText(places, places.frames(pc)[0].line, true) : spirvLine(places, at.pc);
  if (shown != shownPlace_ || source.empty())
    print_(fmt::format("{}, invocation {}{}", placeText(places, pc), invocationText(s_->focus()),
                       s_->job().dispatches.size() > 1 ? fmt::format(" of dispatch {}", s_->dispatch()) : ""));
  if (!source.empty()) print_(source);
  shownPlace_ = shown;
  listed_ = 0;
}

void DebugShell::showStop() {
  frame_ = 0;
  said_.clear();
  showPrinted();
  header(s_->stop());
  showLine();
  showDisplays();
  waiting_.clear();
  const auto addCommands = [this](std::uint32_t breakpoint) {
    if (const auto own = commands_.find(breakpoint); own != commands_.end())
      waiting_.insert(waiting_.end(), own->second.begin(), own->second.end());
  };
  if (s_->stop().why != debug::Why::kBreakpoint) return;
  addCommands(s_->stop().number);
  if (s_->stop().hit)
    for (const debug::Hit& other : s_->stop().hit->also) addCommands(other.reason);
}

Status DebugShell::moved(const Expected<debug::Stop>& stop) {
  if (!stop) return stop.error();
  if (stop->why == debug::Why::kNothing) {
    print_(s_->atEnd() ? "the run is over: only backwards from here" : "there is nothing more in this direction");
    return {};
  }
  showStop();
  return {};
}

Status DebugShell::step(const std::string& rest, debug::Unit unit, bool forward) {
  const Expected<std::uint64_t> count = countOf(rest, 1);
  if (!count) return count.error();
  Expected<debug::Stop> stop = s_->stop();
  for (std::uint64_t i = 0; i < *count; ++i) {
    stop = s_->step(unit, forward);
    if (!stop || stop->why != debug::Why::kStep) break;
  }
  if (stop && stop->why == debug::Why::kStep && (unit == debug::Unit::kInstruction || unit == debug::Unit::kInstructionOver))
    print_("  " + s_->places().program().moduleOpOf(s_->standing().pc));
  return moved(stop);
}

Status DebugShell::go(const std::string& rest, bool forward) {
  const Expected<std::uint64_t> count = countOf(rest, 1);
  if (!count) return count.error();
  Expected<debug::Stop> stop = s_->go(forward);
  for (std::uint64_t i = 1; i < *count && stop && (stop->why == debug::Why::kBreakpoint || stop->why == debug::Why::kFinding); ++i)
    stop = s_->go(forward);
  return moved(stop);
}

Status DebugShell::barrier(bool forward) {
  return moved(s_->toBarrier(forward));
}

Status DebugShell::store(const std::string& rest, bool forward) {
  const Expected<std::uint32_t> resource = resourceOf(*s_, rest);
  if (!resource) return resource.error();
  watched_.erase(0);
  return moved(s_->toStore(*resource, forward));
}

// "blurred 12,7", "mips 0,0 level 2", "sums 16".
Status DebugShell::writer(const std::string& rest) {
  const auto [name, place] = firstWord(rest);
  const Expected<debug::Value> word = valueIn(*s_, name, place);
  if (!word) return word.error();
  watched_[0] = *word;
  const Expected<debug::Stop> stop = s_->toWriter(*word->region);
  if (stop && stop->why == debug::Why::kNothing) {
    print_(fmt::format("nobody has written {} {} before", name, place));
    return {};
  }
  return moved(stop);
}

// Goes to a place, for this invocation only.
Status DebugShell::until(const std::string& rest, bool forward) {
  const Expected<debug::Breakpoint> place = breakpointAt(rest, *s_);
  if (!place) return place.error();
  return moved(s_->until(*place, forward));
}

// X,Y,Z, or X,Y,Z and a dispatch.
Status DebugShell::global(const std::string& rest) {
  const auto [where, dispatch] = firstWord(rest);
  const Expected<Extent3> at = parseInvocation("global", where);
  if (!at) return at.error();
  const Expected<std::uint64_t> which = countOf(dispatch, s_->dispatch());
  if (!which) return which.error();
  return moved(s_->toInvocation(*at, static_cast<std::uint32_t>(*which)));
}

// To its first invocation: X,Y,Z, or X,Y,Z and a dispatch.
Status DebugShell::workgroup(const std::string& rest) {
  const auto [where, dispatch] = firstWord(rest);
  const Expected<Extent3> group = parseInvocation("workgroup", where);
  if (!group) return Error{Outcome::kBadInput, fmt::format("not a workgroup: '{}'", where), "workgroup", "X,Y,Z as in gl_WorkGroupID"};
  const Expected<std::uint64_t> which = countOf(dispatch, s_->dispatch());
  if (!which) return which.error();
  const std::vector<Dispatch>& all = s_->job().dispatches;
  const Extent3 groups = *which < all.size() ? all[*which].groups : Extent3{0, 0, 0};
  if (group->x >= groups.x || group->y >= groups.y || group->z >= groups.z)
    return Error{Outcome::kBadInput, fmt::format("dispatch {} has no workgroup {}", *which, invocationText(*group)), "",
                 "`info job` says how many there are"};
  const auto d = static_cast<std::uint32_t>(*which);
  return moved(s_->toInvocation(globalInvocation(s_->placesOf(d).program().localSize, *group, 0), d));
}

// To the first invocation of a subgroup, by its number in the workgroup that is looked at.
Status DebugShell::subgroup(const std::string& rest) {
  const Expected<std::uint64_t> wanted = countOf(rest, 0);
  if (!wanted) return wanted.error();
  const Program& p = s_->program();
  const std::vector<Extent3> all = s_->invocations();
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (p.subgroupOf(p.placeOf(i)) == *wanted) return moved(s_->toInvocation(all[i]));
  return Error{Outcome::kBadInput, fmt::format("the workgroup has no subgroup {}", *wanted), "subgroup", "`info workgroups` lists them"};
}

Status DebugShell::focus(const std::string& rest) {
  const Expected<Extent3> at = parseInvocation("focus", rest);
  if (!at) return at.error();
  if (Status bad = s_->look(*at)) {
    bad->hint = "`global X,Y,Z` goes to where it begins";
    return bad;
  }
  frame_ = 0;
  print_(fmt::format("invocation {} {}", invocationText(*at), standingText(*s_, s_->standing())));
  showLine();
  showDisplays();
  return {};
}

// Prints the current moment, or goes to the moment D.W.S.
Status DebugShell::time(const std::string& rest) {
  if (rest.empty()) {
    print_(timeText(s_->time()));
    return {};
  }
  debug::Time t;
  const char *at = rest.data(), *end = at + rest.size();
  const auto number = [&](auto& into) {
    const auto [next, bad] = std::from_chars(at, end, into);
    at = next;
    return bad == std::errc{};
  };
  const auto dot = [&] { return at != end && *at++ == '.'; };
  if (!number(t.dispatch) || !dot() || !number(t.opened) || !dot() || !number(t.step) || at != end)
    return Error{Outcome::kBadInput, fmt::format("'{}' is no moment", rest), "time", "as `time` tells it: 0.3.17"};
  const std::vector<Dispatch>& all = s_->job().dispatches;
  if (t.dispatch >= all.size())
    return Error{Outcome::kBadInput, fmt::format("there is no dispatch {}: the run has {}", t.dispatch, all.size()), "time", ""};
  const Extent3 groups = all[t.dispatch].groups;
  if (const std::uint64_t count = workgroupsIn(groups); t.opened > count)
    return Error{Outcome::kBadInput, fmt::format("dispatch {} opens {} workgroup{}", t.dispatch, count, count == 1 ? "" : "s"), "time", ""};
  const Expected<debug::Stop> stop = s_->toTime(t);
  if (stop && stop->why == debug::Why::kArrived && s_->time() != t)
    print_(fmt::format("{} has no such step; the next moment is {}", rest, timeText(s_->time())));
  return moved(stop);
}

Status DebugShell::why(const std::string& rest) {
  const Expected<debug::Value> v = value(rest);
  if (!v) return v.error();
  if (!v->region)
    return Error{Outcome::kBadInput, "this is in no memory that anybody writes", "why", "name a variable, a part of one, or a texel"};
  const auto nobody = [&]() -> Status {
    print_(fmt::format("nobody has written {} before", rest));
    return {};
  };
  if (debug::isUnwritten(*v)) return nobody();
  watched_[0] = *v;
  const Expected<debug::Stop> stop = s_->toWriter(*v->region);
  return stop && stop->why == debug::Why::kNothing ? nobody() : moved(stop);
}

// By number, or the first one of a name. Behind it `other`, for a race's first access.
Status DebugShell::finding(const std::string& rest) {
  constexpr std::string_view kOther = "other";
  const bool isOther = rest == kOther || rest.ends_with(" " + std::string(kOther));
  const std::string asked = isOther ? trimmed(rest.substr(0, rest.size() - kOther.size())) : rest, which(withoutDot(asked));
  const auto go = [&](std::uint32_t index) { return moved(isOther ? s_->toOther(index) : s_->toFinding(index)); };
  if (const Expected<std::uint64_t> number = countOf(which, 1); number.ok())
    return go(static_cast<std::uint32_t>(std::min<std::uint64_t>(*number, 1u << 31)) - 1);
  const auto all = s_->findings();
  if (!all) return all.error();
  // "blur.comp:31", as `info findings` prints it, and what may stand behind it; or, if that names none, without its folders.
  for (const bool isWhole : {true, false})
    for (std::uint32_t i = 0; i < (*all)->size(); ++i) {
      const auto isIt = [&](const std::string& name) { return isWhole ? name == which : name.ends_with("/" + which); };
      if (std::ranges::any_of(findingNames((**all)[i].finding), isIt)) return go(i);
    }
  return Error{
      Outcome::kBadInput, fmt::format("nothing was found at '{}'", which), "finding",
      "a number, or FILE:LINE [KIND [X,Y,Z [dispatch N word N]]], and then `other` or nothing; `info findings` lists what was found"};
}

}  // namespace lanewise
