// Commands of `lanewise debug` for breakpoints and watchpoints.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "model/contract/finding_kinds.h"
#include "tools/debug/shell.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"

namespace lanewise {

namespace {

// "PLACE if CONDITION".
std::pair<std::string, std::string> splitCondition(const std::string& rest) {
  if (rest.starts_with("if ")) return {"", trimmedText(rest.substr(3))};
  const std::size_t at = rest.find(" if ");
  if (at == std::string::npos) return {rest, ""};
  return {trimmedText(rest.substr(0, at)), trimmedText(rest.substr(at + 4))};
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

Expected<std::shared_ptr<const debug::Expression>> parsed(const std::string& text) {
  if (text.empty()) return std::shared_ptr<const debug::Expression>();
  Expected<debug::Expression> e = debug::parseExpression(text);
  if (!e) return e.error();
  return std::make_shared<const debug::Expression>(std::move(*e));
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
  const bool isInstruction =
      text.starts_with("Op") || text.starts_with('%') || text.starts_with("word ") || text.find(", word ") != std::string::npos;
  b.what = isInstruction ? debug::Breakpoint::What::kInstruction : debug::Breakpoint::What::kFunction;
  b.name = text;
  return b;
}

Status DebugShell::addBreak(const std::string& rest, bool temporary) {
  const auto [place, condition] = splitCondition(rest);
  Expected<debug::Breakpoint> b = breakpointAt(place, s_);
  if (!b) return b.error();
  const auto e = parsed(condition);
  if (!e) return e.error();
  b->condition = *e;
  b->isTemporary = temporary;
  const Expected<std::uint32_t> number = s_.add(std::move(*b));
  if (!number) return number.error();
  print_("breakpoint " + breakpointText(s_.breakpoints().back()));
  return {};
}

// EXPR or EXPR == VALUE, with "if CONDITION" if wanted. Without a value, stops at a write that changes the bytes.
Status DebugShell::addWatch(const std::string& rest, bool reads, bool writes) {
  const auto [what, condition] = splitCondition(rest);
  Expected<debug::Expression> e = debug::parseExpression(what);
  if (!e) return e.error();
  std::optional<debug::Expression> becomes;
  if (e->kind == debug::Expression::Kind::kBinary && e->text == "==") {
    becomes = std::move(e->parts[1]);
    debug::Expression place = std::move(e->parts[0]);
    *e = std::move(place);
  }
  const Expected<debug::Value> v = value(*e, s_.focus());
  if (!v) return v.error();
  if (!v->region || v->region->place == Place::kPush)
    return Error{Outcome::kBadInput, "this is in no memory that changes", "watch", "name a variable, a part of one, or a texel"};
  debug::Breakpoint b;
  b.what = debug::Breakpoint::What::kMemory;
  b.name = becomes ? trimmedText(what.substr(0, what.find("=="))) : what;
  b.region = v->region;
  if (v->region->place == Place::kBuffer || v->region->place == Place::kImage)
    b.region->name = s_.job().resources[v->region->resource].name;
  b.onRead = reads;
  b.onWrite = writes;
  b.onChange = writes && !reads && !becomes;
  if (becomes) {
    const Expected<debug::Value> to = value(*becomes, s_.focus());
    if (!to) return to.error();
    Expected<std::vector<std::byte>> bytes = bytesOf(*to, *v);
    if (!bytes) return bytes.error();
    b.becomes = std::move(*bytes);
  }
  const auto only = parsed(condition);
  if (!only) return only.error();
  b.condition = *only;
  const Expected<std::uint32_t> number = s_.add(std::move(b));
  if (!number) return number.error();
  watched_[*number] = *v;
  print_("breakpoint " + breakpointText(s_.breakpoints().back()) + (becomes ? " of" + what.substr(what.find("==") + 2) : ""));
  return {};
}

// A number; empty for all of them.
Status DebugShell::remove(const std::string& rest) {
  const Expected<std::uint64_t> number = countOf(rest, 0);
  if (!number) return number.error();
  if (!rest.empty() && !s_.remove(static_cast<std::uint32_t>(*number))) return noSuch("delete", *number);
  if (rest.empty())
    while (!s_.breakpoints().empty()) s_.remove(s_.breakpoints().back().number);
  return {};
}

Status DebugShell::enable(const std::string& rest, bool enabled) {
  const Expected<std::uint64_t> number = countOf(rest, 0);
  if (!number) return number.error();
  debug::Breakpoint* b = s_.breakpoint(static_cast<std::uint32_t>(*number));
  if (!b) return noSuch(enabled ? "enable" : "disable", *number);
  b->isEnabled = enabled;
  return {};
}

Status DebugShell::ignore(const std::string& rest) {
  const auto [which, count] = firstWord(rest);
  const Expected<std::uint64_t> number = countOf(which, 0), hits = countOf(count, 0);
  if (!number) return number.error();
  if (!hits) return hits.error();
  debug::Breakpoint* b = s_.breakpoint(static_cast<std::uint32_t>(*number));
  if (!b) return noSuch("ignore", *number);
  b->ignored = *hits;
  print_("breakpoint " + breakpointText(*b));
  return {};
}

Status DebugShell::condition(const std::string& rest) {
  const auto [which, text] = firstWord(rest);
  const Expected<std::uint64_t> number = countOf(which, 0);
  if (!number) return number.error();
  debug::Breakpoint* b = s_.breakpoint(static_cast<std::uint32_t>(*number));
  if (!b) return noSuch("condition", *number);
  const auto e = parsed(text);
  if (!e) return e.error();
  b->condition = *e;
  print_("breakpoint " + breakpointText(*b));
  return {};
}

// Of all kinds, of one more, or of none.
Status DebugShell::catchFindings(const std::string& rest) {
  if (rest == "no findings") {
    s_.stopsAtFindings.clear();
    return {};
  }
  std::set<FindingKind> kinds;
  for (const FindingKind kind : kFindingKinds)
    if (rest == "findings" || rest == findingName(kind)) kinds.insert(kind);
  if (kinds.empty())
    return Error{Outcome::kBadInput, fmt::format("'{}' cannot be caught", rest), "catch",
                 "`catch findings`, `catch no findings`, or one kind as `info findings` names it"};
  const auto all = s_.findings();
  if (!all) return all.error();
  s_.stopsAtFindings.merge(kinds);
  const auto count = std::ranges::count_if(**all, [&](const auto& f) { return s_.stopsAtFindings.contains(f.finding.kind); });
  print_(fmt::format("the run has {} finding{}", count, count == 1 ? "" : "s"));
  return {};
}

}  // namespace lanewise
