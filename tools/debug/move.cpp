// Commands of `lanewise debug` that move, and what is printed at a stop.
#include <fmt/format.h>

#include <charconv>

#include "tools/debug/shell.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"
#include "tools/run/job_place.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {

namespace {

std::string othersText(const debug::Hit& hit) {
  std::uint32_t count = 0;
  for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) count += hit.lanes.test(lane) ? 1 : 0;
  return count > 1 ? fmt::format(" and {} more", count - 1) : "";
}

}  // namespace

// Why the run stopped, if it is more than a step.
void DebugShell::header(const debug::Stop& stop) {
  const std::string who = fmt::format("invocation {}", invocationText(s_.focus()));
  switch (stop.why) {
    case debug::Why::kBreakpoint:
      print_(fmt::format("breakpoint {}: {}{}", stop.number, who, stop.hit ? othersText(*stop.hit) : ""));
      break;
    case debug::Why::kFinding:
      print_("finding " + std::to_string(stop.number + 1) + ": " + (**s_.findings())[stop.number].finding.text());
      break;
    case debug::Why::kReturns:
      print_(who + " ends here");
      break;
    case debug::Why::kWriter:
      print_("last written by " + who);
      break;
    case debug::Why::kBlit:
      print_("made by a blit, before what comes next here");
      break;
    case debug::Why::kInterrupted:
      print_("interrupted");
      break;
    case debug::Why::kEnd:
      print_("the run is over");
      break;
    case debug::Why::kFault:
      print_("the run ends with an error: " + stop.error->text());
      break;
    default:
      break;
  }
  if (stop.why == debug::Why::kBreakpoint && stop.error) print_("its condition means nothing here: " + stop.error->text());
  if (!stop.hit || !stop.hit->isAccess) return;
  const auto shape = watched_.find(stop.why == debug::Why::kBreakpoint ? stop.number : 0);
  const debug::Value none, &like = shape == watched_.end() ? none : shape->second;
  if (stop.hit->before == stop.hit->after)
    print_("  it is " + bytesText(stop.hit->before, like, s_.job()));
  else
    print_(fmt::format("  {} becomes {}", bytesText(stop.hit->before, like, s_.job()), bytesText(stop.hit->after, like, s_.job())));
}

// The place and its source line. The function and the invocation are printed if they differ from those of the last stop.
void DebugShell::showLine() {
  const debug::Standing at = s_.standing();
  if (!at.hasPlace()) {
    if (!s_.atEnd()) print_(fmt::format("invocation {} {}", invocationText(s_.focus()), standingText(s_, at)));
    shownPlace_.clear();
    return;
  }
  const debug::Places& places = s_.places();
  const std::uint32_t pc = places.lined(at.pc);
  std::string place = placeText(places, pc);
  const std::string function = place.substr(std::min(place.find(" in "), place.size()));
  const std::string shown = fmt::format("{} {} {}", function, places.depth(pc), invocationText(s_.focus()));
  const std::string source = places.hasLine(pc) ? sourceText(places, places.frames(pc)[0].line, true) : "";
  if (shown != shownPlace_ || source.empty())
    print_(fmt::format("{}, invocation {}{}", place, invocationText(s_.focus()),
                       s_.job().dispatches.size() > 1 ? fmt::format(" of dispatch {}", s_.dispatch()) : ""));
  if (!source.empty()) print_(source);
  shownPlace_ = shown;
  listed_ = 0;
}

void DebugShell::showStop() {
  frame_ = 0;
  header(s_.stop());
  showLine();
  showDisplays();
}

Status DebugShell::moved(const Expected<debug::Stop>& stop) {
  if (!stop) return stop.error();
  if (stop->why == debug::Why::kNothing) {
    print_(s_.atEnd() ? "the run is over: only backwards from here" : "there is nothing more in this direction");
    return {};
  }
  showStop();
  return {};
}

Status DebugShell::step(const std::string& rest, debug::Unit unit, bool forward) {
  const Expected<std::uint64_t> count = countOf(rest, 1);
  if (!count) return count.error();
  Expected<debug::Stop> stop = s_.stop();
  for (std::uint64_t i = 0; i < *count; ++i) {
    stop = s_.step(unit, forward);
    if (!stop || stop->why != debug::Why::kStep) break;
  }
  if (stop && stop->why == debug::Why::kStep && (unit == debug::Unit::kInstruction || unit == debug::Unit::kInstructionOver))
    print_("  " + s_.places().program().moduleOpOf(s_.standing().pc));
  return moved(stop);
}

Status DebugShell::go(const std::string& rest, bool forward) {
  const Expected<std::uint64_t> count = countOf(rest, 1);
  if (!count) return count.error();
  Expected<debug::Stop> stop = s_.go(forward);
  for (std::uint64_t i = 1; i < *count && stop && (stop->why == debug::Why::kBreakpoint || stop->why == debug::Why::kFinding); ++i)
    stop = s_.go(forward);
  return moved(stop);
}

Status DebugShell::barrier(bool forward) {
  return moved(s_.toBarrier(forward));
}

Expected<std::uint32_t> DebugShell::resourceOf(const std::string& name) const {
  std::string names;
  for (std::uint32_t i = 0; i < s_.job().resources.size(); ++i) {
    if (s_.job().resources[i].name == name) return i;
    names += (names.empty() ? "" : ", ") + s_.job().resources[i].name;
  }
  return Error{Outcome::kBadInput, name.empty() ? "no resource is named" : fmt::format("there is no resource '{}'", name), "",
               "one of " + names};
}

Status DebugShell::store(const std::string& rest, bool forward) {
  const Expected<std::uint32_t> resource = resourceOf(rest);
  if (!resource) return resource.error();
  watched_.erase(0);
  return moved(s_.toStore(*resource, forward));
}

// "blurred 12,7", "mips 0,0 level 2", "sums 16".
Status DebugShell::writer(const std::string& rest) {
  const auto [name, place] = firstWord(rest);
  const Expected<std::uint32_t> resource = resourceOf(name);
  if (!resource) return resource.error();
  const std::size_t at = place.find("level");
  const Expected<std::uint64_t> level = countOf(at == std::string::npos ? "" : trimmedText(place.substr(at + 5)), 0);
  if (!level) return level.error();
  std::vector<std::uint64_t> coordinates;
  std::string left = trimmedText(place.substr(0, at));
  for (std::size_t comma = 0; comma != std::string::npos; left = comma == std::string::npos ? "" : left.substr(comma + 1)) {
    comma = left.find(',');
    const Expected<std::uint64_t> n = countOf(trimmedText(left.substr(0, comma)), ~std::uint64_t{0});
    if (!n) return n.error();
    coordinates.push_back(*n);
  }
  const Expected<debug::Region> region = s_.regionOf(*resource, coordinates, static_cast<std::uint32_t>(*level));
  if (!region) return region.error();
  debug::Value shape;
  shape.region = *region;
  // A word, by its type where a module says that; for an image bytesText takes the format.
  const ValueType type = coordinates.empty() ? ValueType{} : placeOf(s_.job(), s_.job().resources[*resource], coordinates[0]).type;
  const bool isFloat = type.bytes == 4 && type.kind == ValueType::Kind::kFloat;
  shape.tuple = debug::Tuple{isFloat ? Scalar::kF32 : Scalar::kI32, type.bytes == 4 && type.kind == ValueType::Kind::kSigned, {{}}};
  watched_[0] = shape;
  const Expected<debug::Stop> stop = s_.toWriter(*region);
  if (stop && stop->why == debug::Why::kNothing) {
    print_(fmt::format("nobody has written {} {} before", name, place));
    return {};
  }
  return moved(stop);
}

// Goes to a place, for this invocation only.
Status DebugShell::until(const std::string& rest, bool forward) {
  const Expected<debug::Breakpoint> place = breakpointAt(rest, s_);
  if (!place) return place.error();
  return moved(s_.until(*place, forward));
}

// X,Y,Z, or X,Y,Z and a dispatch.
Status DebugShell::global(const std::string& rest) {
  const auto [where, dispatch] = firstWord(rest);
  const Expected<Extent3> at = parseInvocation("global", where);
  if (!at) return at.error();
  const Expected<std::uint64_t> which = countOf(dispatch, s_.dispatch());
  if (!which) return which.error();
  return moved(s_.toInvocation(*at, static_cast<std::uint32_t>(*which)));
}

Status DebugShell::focus(const std::string& rest) {
  const Expected<Extent3> at = parseInvocation("focus", rest);
  if (!at) return at.error();
  if (Status bad = s_.look(*at)) {
    bad->hint = "`global X,Y,Z` goes to where it begins";
    return bad;
  }
  frame_ = 0;
  print_(fmt::format("invocation {} {}", invocationText(*at), standingText(s_, s_.standing())));
  showLine();
  showDisplays();
  return {};
}

// Prints the current moment, or goes to the moment D.W.S.
Status DebugShell::time(const std::string& rest) {
  if (rest.empty()) {
    print_(timeText(s_.time()));
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
  return moved(s_.toTime(t));
}

Status DebugShell::why(const std::string& rest) {
  const Expected<debug::Expression> e = debug::parseExpression(rest);
  if (!e) return e.error();
  const Expected<debug::Value> v = value(*e, s_.focus());
  if (!v) return v.error();
  if (!v->region)
    return Error{Outcome::kBadInput, "this is in no memory that anybody writes", "why", "name a variable, a part of one, or a texel"};
  const auto nobody = [&]() -> Status {
    print_(fmt::format("nobody has written {} before", rest));
    return {};
  };
  if (debug::isUnwritten(*v)) return nobody();
  watched_[0] = *v;
  const Expected<debug::Stop> stop = s_.toWriter(*v->region);
  return stop && stop->why == debug::Why::kNothing ? nobody() : moved(stop);
}

// By number, or the first one at a line: "blur.comp:31", as `info findings` prints it.
Status DebugShell::finding(const std::string& rest) {
  if (const Expected<std::uint64_t> number = countOf(rest, 1); number.ok())
    return moved(s_.toFinding(static_cast<std::uint32_t>(*number) - 1));
  const auto all = s_.findings();
  if (!all) return all.error();
  for (std::uint32_t i = 0; i < (*all)->size(); ++i)
    if ((**all)[i].finding.line == rest || (**all)[i].finding.line.ends_with("/" + rest)) return moved(s_.toFinding(i));
  return Error{Outcome::kBadInput, fmt::format("nothing was found at {}", rest), "finding", "`info findings` lists what was"};
}

}  // namespace lanewise
