// Commands of `lanewise debug` for breakpoints and watchpoints.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "model/contract/finding_kinds.h"
#include "tools/debug/named_value.h"
#include "tools/debug/shell.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"

namespace lanewise {

namespace {

struct Conditioned {
  std::string what;
  std::shared_ptr<const debug::Expression> condition;  // nullptr: always
};

// "PLACE if CONDITION". Bad input: an `if` with nothing behind it, or with what is no expression.
Expected<Conditioned> splitCondition(const std::string& command, const std::string& rest) {
  const std::string all = " " + rest + " ";
  const std::size_t at = all.find(" if ");
  if (at == std::string::npos) return Conditioned{rest, nullptr};
  const std::string condition = trimmed(all.substr(at + 4));
  if (condition.empty()) return Error{Outcome::kBadInput, "there is no condition behind 'if'", command, "as in `break 31 if i == 5`"};
  Expected<debug::Expression> e = debug::parseExpression(condition);
  if (!e) return e.error();
  return Conditioned{trimmed(all.substr(0, at)), std::make_shared<const debug::Expression>(std::move(*e))};
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

Error noSuch(const std::string& command, std::uint64_t number) {
  return {Outcome::kBadInput, fmt::format("there is no breakpoint {}", number), command, "`info breakpoints` lists them"};
}

// The value as the bytes that a region of its type would have.
Expected<std::vector<std::byte>> bytesOf(const debug::Value& value, const debug::Value& like) {
  if (!value.tuple || !like.tuple || !like.region || value.tuple->isVector() || like.tuple->isVector())
    return Error{Outcome::kBadInput, "only one number can be waited for", "watch", "name a component"};
  const ScalarValue& v = value.tuple->parts[0];
  if (v.state != ScalarValue::State::kKnown) return Error{Outcome::kBadInput, "the value is not known", "watch", ""};
  const std::uint64_t size = like.region->end - like.region->begin;
  if (v.type == Scalar::kBool) return Error{Outcome::kBadInput, "a boolean cannot be waited for", "watch", "say `if` and a condition"};
  if (v.type != like.tuple->type || size > 8 || (isFloat(v.type) && size != scalarBytes(v.type)))
    return Error{Outcome::kBadInput, fmt::format("{} is no {}", debug::typeName(*value.tuple), debug::typeName(*like.tuple)), "watch",
                 fmt::format("write {}(...)", debug::typeName(*like.tuple))};
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &v.bits, size);
  return bytes;
}

}  // namespace

// 31, blur.comp:31, OpImageWrite, %17, word 120, or a function's name; empty: this line.
Expected<debug::Breakpoint> breakpointAt(const std::string& text, debug::Session& s) {
  debug::Breakpoint b;
  const std::size_t colon = text.rfind(':');
  const std::string line = colon == std::string::npos ? text : text.substr(colon + 1);
  if (isNumber(line)) {
    const Expected<std::uint64_t> number = countOf(line, 0);
    if (!number || *number == 0 || *number > 0xffffffff)
      return Error{Outcome::kBadInput, fmt::format("'{}' is no line", line), "break", ""};
    b.line = static_cast<std::uint32_t>(*number);
    b.name = colon == std::string::npos ? "" : text.substr(0, colon);
    return b;
  }
  if (text.empty()) {
    const debug::Standing at = s.standing();
    const std::uint32_t pc = at.hasPlace() ? s.places().lined(at.pc) : 0;
    if (!at.hasPlace() || !s.places().hasLine(pc)) return Error{Outcome::kBadInput, "there is no line here", "break", "name a place"};
    b.line = s.places().frames(pc)[0].line.line;
    b.name = s.places().fileOf(s.places().frames(pc)[0].line);
    return b;
  }
  const std::optional<debug::InstructionName> instruction = debug::parseInstructionName(text);
  b.what = instruction ? debug::Breakpoint::What::kInstruction : debug::Breakpoint::What::kFunction;
  b.instruction = instruction.value_or(debug::InstructionName{});
  b.name = text;
  return b;
}

Status DebugShell::addBreak(const std::string& rest, bool temporary) {
  const Expected<Conditioned> split = splitCondition(temporary ? "tbreak" : "break", rest);
  if (!split) return split.error();
  Expected<debug::Breakpoint> b = breakpointAt(split->what, *s_);
  if (!b) return b.error();
  b->condition = split->condition;
  b->isTemporary = temporary;
  return add(std::move(*b));
}

Status DebugShell::add(debug::Breakpoint b) {
  const Expected<std::uint32_t> number = s_->add(std::move(b));
  if (!number) return number.error();
  print_("breakpoint " + breakpointText(s_->breakpoints().back()));
  return {};
}

namespace {

// Where a '..' stands between two places: "data[3]..data[7]", "16..31".
std::optional<std::pair<std::string, std::string>> rangeOf(const std::string& text) {
  const std::size_t at = text.find("..");
  if (at == std::string::npos) return {};
  return std::pair(trimmed(text.substr(0, at)), trimmed(text.substr(at + 2)));
}

Error notOne(const std::string& what) {
  return {Outcome::kBadInput, what, "watch", "name two places of one variable or resource: data[3]..data[7]"};
}

}  // namespace

// What a watchpoint is on: a variable, a part of one, or a texel; two of them, for all between; or a resource and a place in it.
Expected<debug::Value> DebugShell::watchedPlace(const std::string& text) {
  if (const auto both = resourceAndPlace(text)) return placeIn(both->first, both->second);
  const auto one = [&](const std::string& part) -> Expected<debug::Value> {
    Expected<debug::Value> v = value(part);
    if (!v) return v.error();
    if (!v->region || v->region->place == Place::kPush)
      return Error{Outcome::kBadInput, "this is in no memory that changes", "watch", "name a variable, a part of one, or a texel"};
    const auto isGone = [](const ScalarValue& s) { return s.state == ScalarValue::State::kGone; };
    if (v->tuple && std::ranges::all_of(v->tuple->parts, isGone))
      return Error{Outcome::kBadInput, fmt::format("'{}' is optimised away here", part), "watch", "what it was computed from may be there"};
    if (v->region->place == Place::kBuffer || v->region->place == Place::kImage)
      v->region->name = s_->job().resources[v->region->resource].name;
    return v;
  };
  const auto range = rangeOf(text);
  Expected<debug::Value> begin = one(range ? range->first : text);
  if (!begin || !range) return begin;
  const Expected<debug::Value> end = one(range->second);
  if (!end) return end.error();
  if (end->region->place != begin->region->place || end->region->resource != begin->region->resource ||
      end->region->end <= begin->region->begin)
    return notOne(fmt::format("'{}' does not come behind '{}' in one memory", range->second, range->first));
  begin->region->end = end->region->end;
  return begin;
}

// A texel, a byte, or two of them of a resource; bytes of the memory of the workgroup that is looked at.
Expected<debug::Value> DebugShell::placeIn(const std::string& name, const std::string& text) {
  debug::Value out;
  const auto range = rangeOf(text);
  if (name == "workgroup") {
    const debug::Standing at = s_->standing();
    if (at.state == debug::Standing::State::kNotOpen) return s_->scope(s_->focus()).error();
    const Expected<std::uint64_t> from = countOf(range ? range->first : text, 0), to = countOf(range ? range->second : text, 0);
    if (!from) return from.error();
    if (!to) return to.error();
    const WorkgroupState& w = s_->residents()[at.slot];
    if (*from > *to || *to >= w.memory.size()) return notOne(fmt::format("workgroup memory has {} bytes", w.memory.size()));
    out.region = debug::Region{Place::kWorkgroup, 0, {s_->dispatch(), w.id, 0, 0}, *from, *to + 1, ""};
    return out;
  }
  const Expected<debug::Value> begin = valueIn(*s_, name, range ? range->first : text);
  if (!begin || !range) return begin;
  const Expected<debug::Value> end = valueIn(*s_, name, range->second);
  if (!end) return end.error();
  if (end->region->end <= begin->region->begin) return notOne(fmt::format("'{}' does not come behind '{}'", range->second, range->first));
  out = *begin;
  out.region->end = end->region->end;
  return out;
}

// EXPR or EXPR == VALUE, with "if CONDITION" if wanted. Without a value, stops at a write that changes the bytes.
Status DebugShell::addWatch(const std::string& rest, bool reads, bool writes, bool changes) {
  const Expected<Conditioned> split = splitCondition("watch", rest);
  if (!split) return split.error();
  const std::string& what = split->what;
  const std::size_t equals = what.find("==");
  const std::string place = trimmed(what.substr(0, equals)), given = equals == std::string::npos ? "" : what.substr(equals + 2);
  const Expected<debug::Value> v = watchedPlace(place);
  if (!v) return v.error();
  debug::Breakpoint b;
  b.what = debug::Breakpoint::What::kMemory;
  b.name = place;
  b.region = v->region;
  b.onRead = reads;
  b.onWrite = writes;
  b.onChange = changes && given.empty();
  if (!given.empty()) {
    const Expected<debug::Value> to = value(given);
    if (!to) return to.error();
    Expected<std::vector<std::byte>> bytes = bytesOf(*to, *v);
    if (!bytes) return bytes.error();
    b.becomes = std::move(*bytes);
    b.value = trimmed(given);
  }
  b.condition = split->condition;
  if (Status bad = add(std::move(b))) return bad;
  watched_[s_->breakpoints().back().number] = *v;
  return {};
}

// A number; empty for all of them.
Status DebugShell::remove(const std::string& rest) {
  const Expected<std::uint64_t> number = countOf(rest, 0);
  if (!number) return number.error();
  if (!rest.empty() && !s_->remove(static_cast<std::uint32_t>(*number))) return noSuch("delete", *number);
  if (rest.empty())
    while (!s_->breakpoints().empty()) s_->remove(s_->breakpoints().back().number);
  return {};
}

Status DebugShell::enable(const std::string& rest, bool enabled) {
  const Expected<std::uint64_t> number = countOf(rest, 0);
  if (!number) return number.error();
  debug::Breakpoint* b = s_->breakpoint(static_cast<std::uint32_t>(*number));
  if (!b) return noSuch(enabled ? "enable" : "disable", *number);
  b->isEnabled = enabled;
  return {};
}

Status DebugShell::ignore(const std::string& rest) {
  const auto [which, count] = firstWord(rest);
  const Expected<std::uint64_t> number = countOf(which, 0), hits = countOf(count, 0);
  if (!number) return number.error();
  if (!hits) return hits.error();
  debug::Breakpoint* b = s_->breakpoint(static_cast<std::uint32_t>(*number));
  if (!b) return noSuch("ignore", *number);
  b->ignored = *hits;
  print_("breakpoint " + breakpointText(*b));
  return {};
}

Status DebugShell::condition(const std::string& rest) {
  const auto [which, text] = firstWord(rest);
  const Expected<std::uint64_t> number = countOf(which, 0);
  if (!number) return number.error();
  debug::Breakpoint* b = s_->breakpoint(static_cast<std::uint32_t>(*number));
  if (!b) return noSuch("condition", *number);
  const Expected<Conditioned> split = splitCondition("condition", text.empty() ? "" : "if " + text);
  if (!split) return split.error();
  if (Status bad = s_->setCondition(b->number, split->condition)) return bad;
  print_("breakpoint " + breakpointText(*b));
  return {};
}

// N, and commands with ';' between them; none: no more.
Status DebugShell::setCommands(const std::string& rest) {
  const auto [which, text] = firstWord(rest);
  const Expected<std::uint64_t> number = countOf(which, 0);
  if (!number) return number.error();
  if (!s_->breakpoint(static_cast<std::uint32_t>(*number))) return noSuch("commands", *number);
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (const std::string one = trimmed(text.substr(at, end - at)); !one.empty()) all.push_back(one);
    at = end + 1;
  }
  commands_[static_cast<std::uint32_t>(*number)] = std::move(all);
  return infoBreakpoints();
}

namespace {

struct Caught {
  std::string_view name;
  debug::Event event;
};
constexpr Caught kCaught[] = {{"nan stores", debug::Event::kNanStore},
                              {"nan", debug::Event::kNan},
                              {"divergence", debug::Event::kDivergence},
                              {"print", debug::Event::kPrint}};

std::string caughtNames() {
  std::string out = "findings, no findings, races";
  for (const Caught& c : kCaught) out += ", " + std::string(c.name);
  return out + ", or a kind as `info findings` names it";
}

}  // namespace

// Events, with "if CONDITION" if wanted; a print's text may follow.
Status DebugShell::catchEvent(const std::string& rest) {
  const Expected<Conditioned> split = splitCondition("catch", rest);
  if (!split) return split.error();
  const std::string& wanted = split->what;
  const auto* const known = std::ranges::find_if(
      kCaught, [&](const Caught& c) { return wanted == c.name || (c.event == debug::Event::kPrint && wanted.starts_with("print ")); });
  if (known == std::end(kCaught)) {
    if (split->condition)
      return Error{Outcome::kBadInput, fmt::format("'{}' takes no condition", wanted), "catch", "nan, divergence and print take one"};
    return catchFindings(wanted);
  }
  debug::Breakpoint b;
  b.what = debug::Breakpoint::What::kEvent;
  b.event = known->event;
  b.condition = split->condition;
  if (b.event == debug::Event::kPrint) b.name = trimmed(wanted.substr(5));
  return add(std::move(b));
}

// Of all kinds, of one more, or of none.
Status DebugShell::catchFindings(const std::string& rest) {
  if (rest == "no findings") {
    s_->stopsAtFindings.clear();
    return {};
  }
  std::set<FindingKind> kinds;
  for (const FindingKind kind : kFindingKinds)
    if (rest == "findings" || rest == findingName(kind)) kinds.insert(kind);
  if (rest == "races") kinds = {FindingKind::kRace, FindingKind::kRaceOfEqualValues};
  if (kinds.empty()) return Error{Outcome::kBadInput, fmt::format("'{}' cannot be caught", rest), "catch", caughtNames()};
  const auto all = s_->findings();
  if (!all) return all.error();
  s_->stopsAtFindings.merge(kinds);
  const auto count = std::ranges::count_if(**all, [&](const auto& f) { return s_->stopsAtFindings.contains(f.finding.kind); });
  print_(fmt::format("the run has {} finding{}", count, count == 1 ? "" : "s"));
  return {};
}

}  // namespace lanewise
