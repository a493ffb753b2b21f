// Requests that show something, and the debug console.
#include <fmt/format.h>

#include <algorithm>

#include "tools/dap/adapter.h"
#include "tools/dap/memory.h"
#include "tools/debug/named_value.h"
#include "tools/debug/text.h"

namespace lanewise::dap {
namespace {

// How many UTF-16 code units a byte of UTF-8 adds: the first one of a character adds them all.
std::int64_t unitsOf(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0xf0 ? 2 : byte >= 0xc0 || byte < 0x80 ? 1 : 0;
}

std::int64_t unitsOf(const std::string& text) {
  std::int64_t units = 0;
  for (const char c : text) units += unitsOf(c);
  return units;
}

// The beginning of a text, by UTF-16 code units.
std::string firstUnits(const std::string& text, std::int64_t units) {
  std::size_t end = 0;
  while (end < text.size() && (units -= unitsOf(text[end])) >= 0) ++end;
  return text.substr(0, end);
}

}  // namespace

std::int64_t Adapter::threadOf(Extent3 at) {
  auto found = std::ranges::find(threads_, at);
  if (found == threads_.end()) found = threads_.insert(threads_.end(), at);
  return found - threads_.begin() + 1;
}

Expected<Extent3> Adapter::invocationOf(Arguments& a) {
  const std::int64_t id = a.number("threadId");
  if (a.bad()) return *a.bad();
  if (id < 1 || static_cast<std::size_t>(id) > threads_.size())
    return Error{Outcome::kBadInput, fmt::format("there is no thread {}", id), "", ""};
  return threads_[static_cast<std::size_t>(id) - 1];
}

Expected<Frame> Adapter::frameOf(Arguments& a) {
  const std::int64_t id = a.number("frameId");
  if (a.bad()) return *a.bad();
  if (id < 1 || static_cast<std::size_t>(id) > frames_.size())
    return Error{Outcome::kBadInput, fmt::format("there is no frame {}: the run went on", id), "", ""};
  return frames_[static_cast<std::size_t>(id) - 1];
}

Expected<Frame> Adapter::frameOrFocus(Arguments& a) {
  if (a.has("frameId")) return frameOf(a);
  if (a.bad()) return *a.bad();
  return Frame{session().focus(), 0};
}

// Those of the workgroup, in the order of their index; of a large one the part with the one that is looked at.
Adapter::Answer Adapter::threads(Arguments) {
  const bool isOpen = session().standing().state != debug::Standing::State::kNotOpen;
  const std::vector<Extent3> all = isOpen ? session().invocations() : std::vector{session().focus()};
  const auto focus = static_cast<std::size_t>(std::ranges::find(all, session().focus()) - all.begin());
  const std::size_t first = focus / kMostThreads * kMostThreads;
  Json out = Json::array();
  for (std::size_t i = first; i < std::min(first + kMostThreads, all.size()); ++i)
    out.push_back({{"id", threadOf(all[i])},
                   {"name", fmt::format("{} {}", invocationText(all[i]), standingText(session(), session().standing(all[i])))}});
  return Json{{"threads", std::move(out)}};
}

Adapter::Answer Adapter::stackTrace(Arguments a) {
  const Expected<Extent3> at = invocationOf(a);
  const auto first = static_cast<std::size_t>(a.numberOr("startFrame", 0)), levels = static_cast<std::size_t>(a.numberOr("levels", 0));
  if (!at) return at.error();
  if (a.bad()) return *a.bad();
  const debug::Standing standing = session().standing(*at);
  if (!standing.hasPlace()) {
    Json label{{"id", 0}, {"name", standingText(session(), standing)}, {"line", 0}, {"column", 0}, {"presentationHint", "label"}};
    return Json{{"stackFrames", {std::move(label)}}, {"totalFrames", 1}};
  }
  const debug::Places& places = session().places();
  const std::vector<SourceFrame>& all = places.frames(places.lined(standing.pc));
  Json out = Json::array();
  for (std::size_t i = first; i < (levels == 0 ? all.size() : std::min(all.size(), first + levels)); ++i) {
    frames_.push_back({*at, i});
    Json frame{{"id", frames_.size()}, {"name", functionName(places, all[i])}, {"line", 0}, {"column", 0}};
    if (Json source = sources_.of(places, all[i].line); all[i].line.line != 0 && !source.is_null())
      frame.update(
          {{"source", std::move(source)}, {"line", lineFor(all[i].line.line)}, {"column", lineFor(std::max(1u, all[i].line.column))}});
    if (i == 0) frame["instructionPointerReference"] = addressText(instructions_.addressOf(places.program(), standing.pc));
    out.push_back(std::move(frame));
  }
  return Json{{"stackFrames", std::move(out)}, {"totalFrames", all.size()}};
}

Adapter::Answer Adapter::scopes(Arguments a) {
  const Expected<Frame> of = frameOf(a);
  if (!of) return of.error();
  Expected<std::vector<Json>> all = variables_->scopes(*of);
  if (!all) return all.error();
  return Json{{"scopes", std::move(*all)}};
}

Adapter::Answer Adapter::variables(Arguments a) {
  return variables_->list(a);
}

Expected<debug::Value> Adapter::valueOf(const std::string& expression, Frame of) {
  return lanewise::valueOf(session(), expression, of.at, of.frame);
}

// In the console what means something here is an expression, and all else that names a command is that.
Adapter::Answer Adapter::evaluate(Arguments a) {
  const std::string text = a.text("expression"), context = a.textOr("context");
  const bool hex = a.inner("format").flagOr("hex", false);
  const Expected<Frame> of = frameOrFocus(a);
  if (!of) return of.error();
  const Expected<debug::Value> v = valueOf(text, *of);
  if (v) return variables_->told("result", text, *v, *of, hex);
  return context == "repl" && DebugShell::isCommand(text) ? command(text) : Answer(v.error());
}

// A command may move the session, look at another invocation, or change breakpoints: the editor is told.
Adapter::Answer Adapter::command(const std::string& line) {
  const debug::Time time = session().time();
  const Extent3 focus = session().focus();
  const bool atEnd = session().atEnd(), wasChanged = session().isChanged();
  const std::vector<debug::Breakpoint> before = session().breakpoints();
  printed_.clear();
  moving_ = line;
  begun_ = std::chrono::steady_clock::now();
  ++progress_;
  const bool isFine = shell_->execute(line);
  moving_.clear();
  if (std::exchange(isTold_, false)) event("progressEnd", {{"progressId", std::to_string(progress_)}});
  const std::string answer = std::exchange(printed_, "");
  later_ = [this, time, focus, atEnd, wasChanged, before] {
    tellBreakpoints(before);
    if (shell_->isOver()) return event("terminated");
    const bool isElsewhere = session().time() != time || session().atEnd() != atEnd || session().focus() != focus;
    if (isElsewhere || session().isChanged() != wasChanged) return stopped(session().stop());
    if (session().isChanged() && takesInvalidated_) event("invalidated", {{"areas", {"variables"}}});  // it may have been `set`
  };
  if (!isFine) {
    later_();
    later_ = {};
    return Error{Outcome::kBadInput, answer, "", ""};
  }
  return Json{{"result", answer}, {"variablesReference", 0}};
}

Adapter::Answer Adapter::completions(Arguments a) {
  const std::string text = a.text("text");
  const std::int64_t column = a.number("column") - (startsAt1_ ? 1 : 0);
  if (a.bad()) return *a.bad();
  const std::string line = firstUnits(text, column);
  std::vector<std::string> all = shell_->completions(line);
  if (line.find(' ') == std::string::npos) {  // an expression stands here without a command too
    const std::vector<std::string> values = shell_->completions("print " + line);
    all.insert(all.end(), values.begin(), values.end());
  }
  const std::size_t word = DebugShell::wordAtEnd(line);
  const std::int64_t start = unitsOf(line.substr(0, word)) + (startsAt1_ ? 1 : 0), length = unitsOf(line.substr(word));
  Json out = Json::array();
  for (const std::string& one : all) out.push_back({{"label", one}, {"start", start}, {"length", length}});
  return Json{{"targets", std::move(out)}};
}

Adapter::Answer Adapter::source(Arguments a) {
  Expected<std::string> text = sources_.text(a);
  if (!text) return text.error();
  return Json{{"content", std::move(*text)}};
}

Adapter::Answer Adapter::loadedSources(Arguments) {
  return Json{{"sources", sources_.all()}};
}

Adapter::Answer Adapter::disassemble(Arguments a) {
  const std::string reference = a.text("memoryReference");
  const std::int64_t offset = a.numberOr("offset", 0, -0x7fffffff), first = a.numberOr("instructionOffset", 0, -0x7fffffff);
  const std::int64_t count = a.number("instructionCount", 0, 100'000);
  if (a.bad()) return *a.bad();
  const Expected<std::uint64_t> address = parseAddress(reference);
  if (!address) return address.error();
  return Json{{"instructions", instructions_.list(*address + static_cast<std::uint64_t>(offset), first, count, sources_)}};
}

Adapter::Answer Adapter::readMemory(Arguments a) {
  return dap::readMemory(session(), a);
}

Adapter::Answer Adapter::writeMemory(Arguments a) {
  Expected<Json> written = dap::writeMemory(session(), a);
  if (written) tellChange();
  return written;
}

// What is shown may be different now; and this is another run.
void Adapter::tellChange() {
  later_ = [this] {
    if (takesInvalidated_) event("invalidated", {{"areas", {"variables"}}});
  };
}

Adapter::Answer Adapter::set(const std::string& target, const std::string& value, Frame of, const char* field, bool hex) {
  const Expected<debug::Expression> to = debug::parseExpression(target), from = debug::parseExpression(value);
  if (!to) return to.error();
  if (!from) return from.error();
  const Expected<debug::Value> now = session().set(*to, *from, of.at, of.frame);
  if (!now) return now.error();
  tellChange();
  return variables_->told(field, target, *now, of, hex);
}

Adapter::Answer Adapter::setVariable(Arguments a) {
  const std::int64_t list = a.number("variablesReference");
  const std::string name = a.text("name"), value = a.text("value");
  const bool hex = a.inner("format").flagOr("hex", false);
  if (a.bad()) return *a.bad();
  const auto member = variables_->named(list, name);
  if (!member) return Error{Outcome::kBadInput, "there is no such list of variables: the run went on", "", ""};
  return set(member->first, value, member->second, "value", hex);
}

Adapter::Answer Adapter::setExpression(Arguments a) {
  const std::string target = a.text("expression"), value = a.text("value");
  const bool hex = a.inner("format").flagOr("hex", false);
  const Expected<Frame> of = frameOrFocus(a);
  return of ? set(target, value, *of, "value", hex) : Answer(of.error());
}

}  // namespace lanewise::dap
