// Commands of `lanewise debug` that print something.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "model/state/workgroup.h"
#include "tools/debug/in_scope.h"
#include "tools/debug/named_value.h"
#include "tools/debug/shell.h"
#include "tools/debug/spirv_line.h"
#include "tools/debug/spirv_text.h"
#include "tools/debug/text.h"
#include "tools/debug/variable_text.h"
#include "tools/debug/words.h"

namespace lanewise {

namespace {

constexpr std::size_t kColumns = 80;

// How many fit beside the coordinates, as a power of two.
std::uint32_t perLine(std::uint32_t most, std::size_t columns) {
  const auto fit = static_cast<std::uint32_t>(std::max<std::size_t>(1, (kColumns - 14) / columns));
  return most <= fit ? most : std::bit_floor(fit);
}

std::vector<std::string> names(const debug::Places& places, bool files) {
  std::set<std::string> out;
  for (std::uint32_t pc = 0; pc < places.program().info.size(); ++pc) {
    if (places.frames(pc).empty() || (files && !places.hasLine(pc))) continue;
    const SourceFrame& f = places.frames(pc)[0];
    std::string name = files ? places.program().module.string(f.line.file) : functionName(places, f);
    if (!name.empty()) out.insert(std::move(name));
  }
  return {out.begin(), out.end()};
}

}  // namespace

Expected<debug::Value> DebugShell::value(const std::string& text) {
  return valueOf(*s_, text, s_->focus(), frame_);
}

namespace {

// "/x sum" -> x, "sum". Without a format: none. Bad input: there is no such letter.
Expected<std::pair<std::string, std::string>> splitFormat(const std::string& rest, std::string_view letters) {
  std::string found, text = rest;
  while (text.starts_with('/')) {
    const auto [word, more] = firstWord(text);
    const bool isKnown = word.size() == 2 && letters.find(word[1]) != std::string_view::npos;
    if (!isKnown)
      return Error{Outcome::kBadInput, fmt::format("there is no format '{}'", word), "", fmt::format("a letter of {} behind /", letters)};
    found += word[1];
    text = more;
  }
  return std::pair(found, text);
}

}  // namespace

// "print EXPR", "print/x EXPR".
Status DebugShell::print(const std::string& rest) {
  const auto how = splitFormat(rest, kBitFormats);
  if (!how) return how.error();
  const Expected<debug::Value> v = value(how->second);
  if (!v) return v.error();
  if (how->first.empty() || how->first == "x") {
    print_(valueText(how->second, *v, !how->first.empty()));
    return {};
  }
  if (!v->tuple) return Error{Outcome::kBadInput, "this is neither a number nor a vector", "print", "name a part of it"};
  print_(fmt::format("{} = {}", how->second, bitsText(*v->tuple, how->first[0])));
  return {};
}

Status DebugShell::display(const std::string& rest) {
  const Expected<debug::Value> v = value(rest);
  if (resourceAndPlace(rest)) {
    if (!v) return v.error();
  } else if (const Expected<debug::Expression> e = debug::parseExpression(rest); !e) {
    return e.error();
  }
  displays_.emplace_back(++lastDisplay_, rest);
  if (v)
    showDisplays();
  else
    print_(fmt::format("  {}: not here: {}", lastDisplay_, v.error().what));
  return {};
}

Status DebugShell::undisplay(const std::string& rest) {
  const Expected<std::uint64_t> number = countOf(rest, 0);
  if (!number) return number.error();
  if (std::erase_if(displays_, [&](const auto& d) { return rest.empty() || d.first == *number; }) == 0 && !rest.empty())
    return Error{Outcome::kBadInput, fmt::format("there is no display {}", *number), "undisplay", ""};
  return {};
}

// Expressions that cannot be evaluated here are left out.
void DebugShell::showDisplays() {
  for (const auto& [number, shown] : displays_)
    if (const Expected<debug::Value> v = value(shown); v.ok()) detail(fmt::format("{}: {}", number, valueText(shown, *v)));
}

// The invocations of the subgroup of one, in the order of their lanes.
std::vector<Extent3> DebugShell::subgroupOf(Extent3 who) {
  const Program& p = s_->program();
  const std::vector<Extent3> all = s_->invocations();
  const auto subgroup = [&](std::size_t i) { return p.subgroupOf(p.placeOf(static_cast<std::uint32_t>(i))); };
  const auto own = static_cast<std::size_t>(std::ranges::find(all, who) - all.begin());
  std::vector<Extent3> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (subgroup(i) == subgroup(own)) out.push_back(all[i]);
  return out;
}

// One value per lane of the workgroup, in its shape: rows of x, cut at the terminal's width.
Status DebugShell::lanes(const std::string& rest) {
  const auto how = splitFormat(rest, std::string(kBitFormats) + "s");
  if (!how) return how.error();
  const Expected<debug::Expression> e = debug::parseExpression(how->second);
  if (!e) return e.error();
  const Expected<debug::Value> own = s_->evaluate(*e, s_->focus(), frame_);
  if (!own) return own.error();
  if (!own->tuple) return Error{Outcome::kBadInput, "this is neither a number nor a vector", "lanes", "name a part of it"};
  const bool isOfSubgroup = how->first.find('s') != std::string::npos;
  std::string format = how->first;
  std::erase(format, 's');
  const std::vector<Extent3> all = isOfSubgroup ? subgroupOf(s_->focus()) : s_->invocations();
  std::vector<std::string> texts;
  std::size_t widest = 1;
  for (const Extent3& at : all) {
    const Expected<debug::Value> v = s_->evaluate(*e, at, frameOf(at));
    texts.push_back(!v || !v->tuple  ? "-"
                    : format.empty() ? tupleText(*v->tuple)
                    : format == "x"  ? valueText(*v, true)
                                     : bitsText(*v->tuple, format[0]));
    widest = std::max(widest, texts.back().size());
  }
  const std::uint32_t x = isOfSubgroup ? s_->program().subgroupSize : s_->program().localSize[0];
  const std::size_t step = perLine(x, widest + 1);
  for (std::size_t row = 0; row < texts.size(); row += x)
    for (std::size_t i = row; i < std::min(row + x, texts.size()); i += step) {
      std::string line = fmt::format("{:>12}:", invocationText(all[i]));
      for (std::size_t k = i; k < std::min({i + step, row + x, texts.size()}); ++k) line += fmt::format(" {:>{}}", texts[k], widest);
      print_(line);
    }
  return {};
}

// The line, and below it the instructions of the module that belong to it; without lines those around the current one.
Status DebugShell::listSpirv(const std::string& rest) {
  constexpr std::size_t kAround = 8;
  const debug::Standing at = s_->standing();
  if (!at.hasPlace()) return s_->scope(s_->focus()).error();
  const debug::Places& places = s_->places();
  const Program& p = places.program();
  const std::vector<spirv::Instruction>& all = p.module.instructions;
  const std::size_t now = p.origins[p.info[at.pc].origin].instruction;
  const std::map<std::uint32_t, std::string> texts = spirvTexts(p.module);
  const auto tell = [&](std::size_t i) { print_(spirvLine(texts, all[i], i == now)); };
  const Expected<std::uint64_t> asked = countOf(rest, 0);
  if (!asked) return asked.error();
  const std::uint32_t pc = places.lined(at.pc);
  if (!places.hasLine(pc)) {
    for (std::size_t i = now - std::min(now, kAround); i < std::min(all.size(), now + kAround); ++i) tell(i);
    return {};
  }
  spirv::SourceLine line = places.frames(pc)[0].line;
  if (*asked != 0) line.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(*asked, 0xffffffff));
  print_(sourceText(places, line, *asked == 0));
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].source.file == line.file && all[i].source.line == line.line && all[i].op != spv::Op::OpLine) {
      tell(i);
      any = true;
    }
  if (!any) print_("no instruction belongs to this line");
  return {};
}

namespace {

constexpr std::uint32_t kListed = 10;  // lines

std::optional<std::uint32_t> firstLined(const debug::Places& places) {
  for (std::uint32_t pc = 0; pc < places.program().info.size(); ++pc)
    if (places.hasLine(pc)) return pc;
  return {};
}

struct Lines {
  std::uint32_t first = 1, behind = 1;
};

// "31": the lines around it; "20,40"; of a source with so many lines. Bad input: anything else.
Expected<Lines> linesOf(const std::string& text, std::uint32_t count) {
  const std::size_t comma = text.find(',');
  const Expected<std::uint64_t> from = countOf(trimmed(text.substr(0, comma)), 0);
  const Expected<std::uint64_t> to = comma == std::string::npos ? from : countOf(trimmed(text.substr(comma + 1)), 0);
  if (!from || !to || *from == 0 || *to < *from)
    return Error{Outcome::kBadInput, fmt::format("'{}' is neither a line nor two", text), "list", "as in `list 31` or `list 20,40`"};
  if (*from > count) return Error{Outcome::kBadInput, fmt::format("the source has {} lines", count), "list", ""};
  const auto line = static_cast<std::uint32_t>(*from);
  if (comma != std::string::npos) return Lines{line, static_cast<std::uint32_t>(std::min<std::uint64_t>(*to, count)) + 1};
  const std::uint32_t first = line > kListed / 2 ? line - kListed / 2 : 1;
  return Lines{first, first + kListed};
}

}  // namespace

// The source around the current line or a given one, or from one line to another; when repeated, the lines that follow. Where the
// invocation is at no line, that of the program's first.
Status DebugShell::list(const std::string& rest) {
  const debug::Standing at = s_->standing();
  const debug::Places& places = s_->places();
  const std::optional<std::uint32_t> pc = at.hasPlace() ? std::optional(places.lined(at.pc)) : firstLined(places);
  if (!pc || !places.hasLine(*pc))
    return Error{Outcome::kBadInput, "the module says nothing of lines", "list", "compile it with debug information: -gVS"};
  spirv::SourceLine line = places.frames(*pc)[std::min(frame_, places.frames(*pc).size() - 1)].line;
  const std::uint32_t current = at.hasPlace() ? line.line : 0;
  const std::uint32_t count = sourceLines(places, line);
  if (count == 0)
    return Error{Outcome::kBadInput, "the source is neither in the module nor at its path", places.program().module.string(line.file), ""};
  if (rest.empty() && listed_ > count) {
    print_("the source ends here");
    return {};
  }
  const Expected<Lines> lines =
      rest.empty() && listed_ != 0 ? Lines{listed_, listed_ + kListed} : linesOf(rest.empty() ? std::to_string(line.line) : rest, count);
  if (!lines) return lines.error();
  for (line.line = lines->first; line.line < lines->behind && line.line <= count; ++line.line) {
    const std::string text = sourceText(places, line, line.line == current);
    print_(text.empty() ? fmt::format(" {:>5}", line.line) : text);
  }
  listed_ = line.line;
  return {};
}

namespace {

// "main at blur.comp:31"; without lines where it executes next, or nothing of a caller.
std::string frameText(const debug::Places& places, std::uint32_t pc, std::size_t frame) {
  const SourceFrame& f = places.frames(places.lined(pc))[frame];  // as many as at `pc`
  const std::string place = f.line.line != 0 ? fmt::format("{}:{}", places.fileOf(f.line), f.line.line)
                            : frame == 0     ? instructionText(places, pc)
                                             : "no line";
  return fmt::format("#{} {} at {}", frame, functionName(places, f), place);
}

}  // namespace

Status DebugShell::frame(const std::string& rest, int by) {
  const debug::Standing at = s_->standing();
  const std::size_t count = at.hasPlace() ? s_->places().frames(at.pc).size() : 0;
  const Expected<std::uint64_t> number = countOf(rest, by == 0 ? frame_ : 1);
  if (!number) return number.error();
  const auto wanted = static_cast<std::int64_t>(by == 0 ? *number : frame_ + static_cast<std::uint64_t>(by) * *number);
  if (wanted < 0) return Error{Outcome::kBadInput, "this is the innermost function", "frame", "`backtrace` tells them"};
  if (wanted >= static_cast<std::int64_t>(count))
    return Error{Outcome::kBadInput, fmt::format("there is no frame {}", wanted), "frame", "`backtrace` tells them"};
  frame_ = static_cast<std::size_t>(wanted);
  const SourceFrame& f = s_->places().frames(at.pc)[frame_];
  print_(frameText(s_->places(), at.pc, frame_));
  if (const std::string text = sourceText(s_->places(), f.line, true); !text.empty()) print_(text);
  listed_ = 0;
  return {};
}

Status DebugShell::infoFrames() {
  const debug::Standing at = s_->standing();
  if (!at.hasPlace()) return s_->scope(s_->focus()).error();
  const std::size_t count = s_->places().frames(s_->places().lined(at.pc)).size();
  for (std::size_t i = 0; i < count; ++i) print_(fmt::format("{}{}", i == frame_ ? ">" : " ", frameText(s_->places(), at.pc, i)));
  return {};
}

Status DebugShell::infoLocals() {
  const Expected<debug::Scope> scope = s_->scope(s_->focus(), frame_);
  if (!scope) return scope.error();
  const std::vector<NamedValue> all = localsOf(*scope);
  for (const NamedValue& v : all) print_(variableText(v.name, v.value));
  const std::vector<NamedValue> made = madeOf(*scope);
  if (!made.empty()) print_("made by the compiler:");
  for (const NamedValue& v : made) print_("  " + variableText(v.name, v.value));
  if (!all.empty() || !made.empty()) return {};
  constexpr const char* kNone = "no variable is in scope here but the global ones: `info globals`";
  constexpr const char* kOfHlsl = "the module describes no local variable: HLSL that is optimised, or has to be legalised, keeps none";
  constexpr const char* kOthers = "the module describes no local variable: they are optimised away, or it was built without -gVS";
  const bool isHlsl = std::ranges::any_of(s_->program().module.instructions, [](const spirv::Instruction& i) {
    return i.op == spv::Op::OpSource && i.operand(0) == static_cast<std::uint32_t>(spv::SourceLanguage::HLSL);
  });
  print_(describesLocals(*scope->places) ? kNone : isHlsl ? kOfHlsl : kOthers);
  return {};
}

Status DebugShell::infoGlobals() {
  const Expected<debug::Scope> scope = s_->scope(s_->focus());
  if (!scope) return scope.error();
  for (const NamedValue& v : globalsOf(*scope)) print_(variableText(v.name, v.value));
  return {};
}

// A letter per invocation, in the workgroup's shape. Then a line for each state and place, with the invocations there.
Status DebugShell::infoLanes() {
  const std::vector<Extent3> all = s_->invocations();
  const std::uint32_t x = s_->program().localSize[0];
  const std::uint32_t step = perLine(x, 2);
  std::vector<std::pair<std::string, std::vector<Extent3>>> groups;
  std::string line;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const debug::Standing at = s_->standing(all[i]);
    if (line.empty()) line = fmt::format("{:>12}:", invocationText(all[i]));
    line += all[i] == s_->focus() ? '>' : ' ';
    line += standingLetter(at.state);
    if ((i + 1) % x == 0 || (i % x + 1) % step == 0) print_(std::exchange(line, ""));
    const std::string text = standingText(*s_, at);
    const auto known = std::ranges::find(groups, text, &std::pair<std::string, std::vector<Extent3>>::first);
    if (known == groups.end())
      groups.emplace_back(text, std::vector{all[i]});
    else
      known->second.push_back(all[i]);
  }
  for (const auto& [text, who] : groups) {
    const debug::Standing at = s_->standing(who[0]);
    const std::string others = who.size() > 1 ? fmt::format(" and {} more", who.size() - 1) : "";
    print_(fmt::format("{}  {}{}: {}", standingLetter(at.state), invocationText(who[0]), others, text));
  }
  return {};
}

// The open workgroups, and where their subgroups are.
Status DebugShell::infoGroups() {
  bool any = false;
  for (const WorkgroupState& w : s_->residents()) {
    if (!w.running) continue;
    any = true;
    print_(fmt::format("workgroup {}, {} in the order", invocationText(w.id), w.place));
    const Program& p = s_->program();
    for (std::uint32_t first = 0; first < p.invocations; first += p.subgroupSize) {
      const Program::LanePlace at = p.placeOf(p.invocationOf(first));
      const Extent3 who = s_->globalOf(w.id, at.batch, at.lane);
      print_(fmt::format("  subgroup {}: its first, {}, {}", p.subgroupOf(at), invocationText(who), standingText(*s_, s_->standing(who))));
    }
  }
  if (!any) print_("no workgroup is open");
  if (s_->atEnd()) return {};
  const Extent3 groups = s_->job().dispatches[s_->dispatch()].groups;
  const std::uint64_t total = workgroupsIn(groups), opened = s_->time().opened;
  const auto open = static_cast<std::uint64_t>(std::ranges::count_if(s_->residents(), &WorkgroupState::running));
  print_(fmt::format("of {} workgroups {} are over, and {} have not begun", total, opened - std::min(opened, open), total - opened));
  return {};
}

Status DebugShell::infoJob() {
  const Job& job = s_->job();
  for (std::size_t i = 0; i < job.dispatches.size(); ++i) {
    const Dispatch& d = job.dispatches[i];
    print_(fmt::format("{} dispatch {}: {} workgroups {} of {}", i == s_->dispatch() ? ">" : " ", i,
                       fmt::format("{}x{}x{}", d.groups.x, d.groups.y, d.groups.z), d.entryPoint, d.module->name));
  }
  const std::uint32_t* local = s_->program().localSize;
  print_(fmt::format("  a workgroup of this one has {}x{}x{} invocations, a subgroup {}", local[0], local[1], local[2],
                     s_->program().subgroupSize));
  for (const Resource& r : job.resources) {
    const auto* image = std::get_if<ImageData>(&r.data);
    const std::string shape = image ? fmt::format("image {} {}x{}x{}, {} level{}", formatInfo(image->format)->name, image->extent.x,
                                                  image->extent.y, image->extent.z, image->levels, image->levels == 1 ? "" : "s")
                                    : fmt::format("buffer of {} bytes", r.bytes().size());
    print_(fmt::format("  resource {}: {}{}", r.name, shape, r.undefined ? ", undefined at first" : ""));
  }
  return {};
}

Status DebugShell::infoFunctions() {
  for (const std::string& name : names(s_->places(), false)) print_(name);
  return {};
}

Status DebugShell::infoFiles() {
  const std::vector<std::string> all = names(s_->places(), true);
  for (const std::string& name : all) print_(name);
  if (all.empty()) print_("the module says nothing of lines");
  return {};
}

Status DebugShell::infoFindings() {
  const auto all = s_->findings();
  if (!all) return all.error();
  for (std::size_t i = 0; i < (*all)->size(); ++i) print_(fmt::format("{}: {}", i + 1, (**all)[i].finding.text()));
  if ((*all)->empty()) print_("nothing was found");
  return {};
}

// Until now, of the whole run.
Status DebugShell::infoPrints() {
  const PrintLog& log = s_->printed();
  for (const Printed& p : log.lines) print_("  " + printedLine(p));
  if (log.dropped != 0) print_(fmt::format("  and {} more lines, which are not kept", log.dropped));
  if (log.lines.empty()) print_("the kernel has printed nothing yet");
  return {};
}

Status DebugShell::infoBreakpoints() {
  for (const debug::Breakpoint& b : s_->breakpoints()) {
    print_(breakpointText(b));
    if (const auto own = commands_.find(b.number); own != commands_.end())
      for (const std::string& c : own->second) print_("  " + c);
  }
  if (s_->breakpoints().empty()) print_("there are no breakpoints");
  return {};
}

}  // namespace lanewise
