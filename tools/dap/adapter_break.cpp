// Requests about places to stop at. An editor names all of a group at once; those that it named before stay as they are, with their hits.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "model/contract/finding_kinds.h"
#include "model/state/workgroup.h"
#include "tools/dap/adapter.h"
#include "tools/debug/advice.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"

namespace lanewise::dap {
namespace {

// "5", "== 5", ">= 5", "> 5", "% 5".
Status readHits(const std::string& given, debug::Breakpoint& b) {
  using Hits = debug::Breakpoint::Hits;
  const std::string text = trimmed(given);
  if (text.empty()) return {};
  const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  const std::string how = trimmed(text.substr(0, digits));
  const auto [end, bad] = std::from_chars(text.data() + digits, text.data() + text.size(), b.n);
  const bool isFrom = how.empty() || how == ">=" || how == ">";
  const bool isNever = isFrom ? how == ">" && b.n == ~std::uint64_t{0} : b.n == 0;
  if (bad != std::errc{} || end != text.data() + text.size() || (!isFrom && how != "==" && how != "%") || isNever)
    return Error{Outcome::kBadInput, fmt::format("'{}' counts no hits", given), "", "5, >= 5, > 5, == 5, or % 5"};
  b.stopping = isFrom ? Hits::kFromNth : how == "%" ? Hits::kEachNth : Hits::kNth;
  if (how == ">") ++b.n;
  return {};
}

Status readCondition(const std::string& text, debug::Breakpoint& b) {
  if (trimmed(text).empty()) return {};
  Expected<debug::Expression> e = debug::parseExpression(text);
  if (!e) return e.error();
  b.condition = std::make_shared<const debug::Expression>(std::move(*e));
  return {};
}

}  // namespace

// "x is {x}": a line for each invocation. What is in braces and means nothing there is told as it is.
std::function<void(const debug::Scope&)> Adapter::logOf(const std::string& text) {
  return [this, text](const debug::Scope& scope) {
    const Program& p = scope.places->program();
    const std::uint32_t local = p.invocationOf({scope.lane.batch->index, scope.lane.lane});
    std::string out = invocationText(globalInvocation(p.localSize, scope.lane.env->group, local)) + ": ";
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = std::min(text.find('{', at), text.size()), close = text.find('}', open);
      out += text.substr(at, open - at);
      if (close == std::string::npos) {
        out += text.substr(open);
        break;
      }
      const std::string inside = text.substr(open + 1, close - open - 1);
      const Expected<debug::Expression> e = debug::parseExpression(inside);
      const Expected<debug::Value> v = e ? debug::evaluate(*e, scope) : Expected<debug::Value>(e.error());
      out += v ? valueText(*v) : "{" + inside + ": " + v.error().what + "}";
      at = close + 1;
    }
    output(out, "stdout");
  };
}

std::int64_t Adapter::idOf(std::uint32_t number) {
  for (auto& [group, all] : breakpoints_)
    for (const Wanted& w : all)
      if (w.number == number) return w.id;
  breakpoints_["the console"].push_back({{}, ++lastId_, number, ""});
  return lastId_;
}

// Breakpoint.
Json Adapter::told(const Wanted& w) {
  const debug::Breakpoint* b = w.number == 0 ? nullptr : session().breakpoint(w.number);
  Json out{{"id", w.id}, {"verified", b != nullptr}};
  if (!b) {
    out["message"] = w.wrong.empty() ? "it is not there any more" : w.wrong;
    return out;
  }
  if (b->what == debug::Breakpoint::What::kMemory) return out;
  const std::optional<std::pair<std::uint32_t, std::uint32_t>> place = session().placeOf(*b);
  if (!place) return out;
  const debug::Places& places = session().placesOf(place->first);
  out["instructionReference"] = addressText(instructions_.addressOf(places.program(), place->second));
  if (!places.hasLine(place->second)) return out;
  const spirv::SourceLine line = places.frames(place->second)[0].line;
  out["line"] = lineFor(line.line);
  if (Json source = sources_.of(places, line); !source.is_null()) out["source"] = std::move(source);
  return out;
}

Adapter::Answer Adapter::replaced(const std::string& group, Arguments a, const char* list,
                                  const std::function<Expected<debug::Breakpoint>(Arguments&)>& make) {
  std::vector<Wanted> old = std::exchange(breakpoints_[group], {});
  std::vector<Wanted> fresh;
  for (Arguments& one : a.list(list)) {
    const auto known = std::ranges::find(old, one.whole(), &Wanted::asked);
    Wanted w = known == old.end() ? Wanted{one.whole(), ++lastId_, 0, ""} : *known;
    if (known != old.end()) old.erase(known);
    if (!session().breakpoint(w.number)) {  // or deleted in the console
      Expected<debug::Breakpoint> b = make(one);
      if (b && one.bad()) b = *one.bad();
      if (b)
        if (Status bad = readCondition(one.textOr("condition"), *b)) b = *bad;
      if (b)
        if (Status bad = readHits(one.textOr("hitCondition"), *b)) b = *bad;
      if (b && one.has("logMessage")) b->log = logOf(one.textOr("logMessage"));
      if (b && one.bad()) b = *one.bad();
      const Expected<std::uint32_t> number = b ? session().add(std::move(*b)) : Expected<std::uint32_t>(b.error());
      w.number = number ? *number : 0;
      w.wrong = number ? "" : textWithCommands(number.error());
    }
    fresh.push_back(std::move(w));
  }
  for (const Wanted& w : old) session().remove(w.number);
  Json out = Json::array();
  for (const Wanted& w : fresh) out.push_back(told(w));
  breakpoints_[group] = std::move(fresh);
  return Json{{"breakpoints", std::move(out)}};
}

Adapter::Answer Adapter::setBreakpoints(Arguments a) {
  Arguments source = a.inner("source");
  const std::string name = source.textOr("path", source.textOr("name")) + "#" + std::to_string(source.numberOr("sourceReference", 0));
  a.check(source);
  a.list("breakpoints");
  if (a.bad()) return *a.bad();
  const Expected<std::string> file = sources_.find(source);
  asked_[name] = {"setBreakpoints", a.whole()};
  return replaced(name, a, "breakpoints", [&](Arguments& one) -> Expected<debug::Breakpoint> {
    if (!file) return file.error();
    debug::Breakpoint b;
    b.name = *file;
    b.line = static_cast<std::uint32_t>(one.number("line") + (startsAt1_ ? 0 : 1));
    return b;
  });
}

// Functions; and operations and ids, as the shell's `break` takes them.
Adapter::Answer Adapter::setFunctionBreakpoints(Arguments a) {
  a.list("breakpoints");
  if (a.bad()) return *a.bad();
  asked_["functions"] = {"setFunctionBreakpoints", a.whole()};
  return replaced("functions", a, "breakpoints", [&](Arguments& one) -> Expected<debug::Breakpoint> {
    const std::string name = one.text("name");
    if (name.empty()) return Error{Outcome::kBadInput, "a function breakpoint without a name", "", "a function, an operation or an id"};
    return breakpointAt(name, session());
  });
}

Adapter::Answer Adapter::setInstructionBreakpoints(Arguments a) {
  a.list("breakpoints");
  if (a.bad()) return *a.bad();
  asked_["instructions"] = {"setInstructionBreakpoints", a.whole()};
  return replaced("instructions", a, "breakpoints", [&](Arguments& one) -> Expected<debug::Breakpoint> {
    const Expected<std::uint64_t> base = parseAddress(one.text("instructionReference"));
    if (!base) return base.error();
    Expected<debug::InstructionName> at = instructions_.nameAt(*base + static_cast<std::uint64_t>(one.numberOr("offset", 0, -0x7fffffff)));
    if (!at) return at.error();
    debug::Breakpoint b;
    b.what = debug::Breakpoint::What::kInstruction;
    b.name = fmt::format("{}, word {}", at->text, at->number);
    b.instruction = std::move(*at);
    return b;
  });
}

Adapter::Answer Adapter::dataBreakpointInfo(Arguments a) {
  std::string name = a.text("name");
  Frame of{session().focus(), 0};
  if (a.has("variablesReference") && a.number("variablesReference") != 0) {
    const auto member = variables_->named(a.number("variablesReference"), name);
    if (!member) return Error{Outcome::kBadInput, "there is no such list of variables: the run went on", "", ""};
    std::tie(name, of) = *member;
  } else if (a.has("frameId")) {
    const Expected<Frame> frame = frameOf(a);
    if (!frame) return frame.error();
    of = *frame;
  }
  if (a.bad()) return *a.bad();
  Expected<debug::Value> v = valueOf(name, of);
  const std::string problem = !v                                               ? textWithCommands(v.error())
                              : !v->region || v->region->place == Place::kPush ? "this is in no memory that changes"
                                                                               : "";
  if (!problem.empty()) return Json{{"dataId", nullptr}, {"description", problem}};
  debug::Region& r = *v->region;
  const bool isShared = r.place == Place::kBuffer || r.place == Place::kImage;
  if (isShared) r.name = session().job().resources[r.resource].name;
  const std::string whose = isShared                       ? ""
                            : r.place == Place::kWorkgroup ? " of this workgroup"
                                                           : fmt::format(" of invocation {}", invocationText(of.at));
  const std::string id = fmt::format("{}{}, dispatch {}", name,
                                     r.place == Place::kLaneMemory ? whose
                                     : isShared                    ? ""
                                                                   : " of workgroup " + invocationText(r.who.group),
                                     session().dispatch());
  v->variable.reset();  // of now
  data_.insert_or_assign(id, std::move(*v));
  return Json{{"dataId", id}, {"description", name + whose}, {"accessTypes", {"read", "write", "readWrite"}}, {"canPersist", false}};
}

Adapter::Answer Adapter::setDataBreakpoints(Arguments a) {
  a.list("breakpoints");
  if (a.bad()) return *a.bad();
  Answer answer = replaced("data", a, "breakpoints", [&](Arguments& one) -> Expected<debug::Breakpoint> {
    const std::string id = one.text("dataId"), access = one.textOr("accessType", "write");
    const auto found = data_.find(id);
    if (found == data_.end()) return Error{Outcome::kBadInput, fmt::format("there is no data '{}'", id), "", "ask for it first"};
    debug::Breakpoint b;
    b.what = debug::Breakpoint::What::kMemory;
    b.name = id;
    b.region = found->second.region;
    b.onRead = access != "write";
    b.onWrite = access != "read";
    b.onChange = access == "write";
    return b;
  });
  for (const Wanted& w : breakpoints_["data"])
    if (w.number != 0) shell_->showAs(w.number, data_.at(w.asked["dataId"]));
  return answer;
}

std::span<const Adapter::EventFilter> Adapter::eventFilters() {
  static constexpr EventFilter kAll[] = {
      {"NaN computed", debug::Event::kNan, "an expression on the kernel's variables"},
      {"NaN stored", debug::Event::kNanStore, "an expression on the kernel's variables"},
      {"divergence", debug::Event::kDivergence, "an expression on the kernel's variables"},
      {"DebugPrintf", debug::Event::kPrint, "how the text begins"},
  };
  return kAll;
}

// Breakpoint.
Json Adapter::filter(const std::string& name, const std::string& condition, std::set<FindingKind>& kinds,
                     std::vector<std::uint32_t>& events) {
  const auto refused = [](const std::string& why) { return Json{{"verified", false}, {"message", why}}; };
  const auto kind = std::ranges::find_if(kFindingKinds, [&](FindingKind k) { return findingName(k) == name; });
  if (kind != std::end(kFindingKinds)) {
    if (!condition.empty()) return refused("a finding takes no condition");
    kinds.insert(*kind);
    return Json{{"verified", true}};
  }
  const auto row = std::ranges::find_if(eventFilters(), [&](const EventFilter& f) { return f.name == name; });
  if (row == eventFilters().end()) return refused(fmt::format("there is no filter '{}'", name));
  debug::Breakpoint b;
  b.what = debug::Breakpoint::What::kEvent;
  b.event = row->event;
  if (b.event == debug::Event::kPrint) b.name = condition;
  if (Status bad = b.event == debug::Event::kPrint ? Status{} : readCondition(condition, b)) return refused(bad->text());
  const Expected<std::uint32_t> number = session().add(std::move(b));
  if (!number) return refused(textWithCommands(number.error()));
  events.push_back(*number);
  return Json{{"verified", true}};
}

Adapter::Answer Adapter::setExceptionBreakpoints(Arguments a) {
  std::set<FindingKind> kinds;
  std::vector<std::uint32_t> events;
  Json out = Json::array();
  for (const std::string& name : a.texts("filters")) out.push_back(filter(name, "", kinds, events));
  for (Arguments& one : a.list("filterOptions")) {
    const std::string name = one.text("filterId"), condition = one.textOr("condition");
    a.check(one);
    if (!one.bad()) out.push_back(filter(name, condition, kinds, events));
  }
  for (const std::uint32_t number : a.bad() ? events : events_) session().remove(number);
  if (a.bad()) return *a.bad();
  asked_["findings"] = {"setExceptionBreakpoints", a.whole()};
  session().stopsAtFindings = std::move(kinds);
  events_ = std::move(events);
  return Json{{"breakpoints", std::move(out)}};
}

// Lines at which instructions stand.
Adapter::Answer Adapter::breakpointLocations(Arguments a) {
  const std::int64_t from = a.number("line"), to = a.numberOr("endLine", from, from);
  Arguments source = a.inner("source");
  if (a.bad()) return *a.bad();
  const Expected<std::string> file = sources_.find(source);
  if (!file) return file.error();
  Json out = Json::array();
  for (const std::uint32_t line : linesWithCode(session(), *file))
    if (lineFor(line) >= from && lineFor(line) <= to) out.push_back({{"line", lineFor(line)}});
  return Json{{"breakpoints", std::move(out)}};
}

// What a command of the console did to them.
void Adapter::tellBreakpoints(const std::vector<debug::Breakpoint>& before) {
  for (const debug::Breakpoint& b : session().breakpoints())
    if (std::ranges::find(before, b.number, &debug::Breakpoint::number) == before.end()) {
      const std::int64_t id = idOf(b.number);
      event("breakpoint", {{"reason", "new"}, {"breakpoint", told({{}, id, b.number, ""})}});
    }
  for (const debug::Breakpoint& b : before)
    if (!session().breakpoint(b.number))
      event("breakpoint", {{"reason", "removed"}, {"breakpoint", {{"id", idOf(b.number)}, {"verified", false}}}});
}

}  // namespace lanewise::dap
