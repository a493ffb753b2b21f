#include "tools/debug/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/debug/arithmetic.h"
#include "tools/debug/advice.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"

namespace lanewise {

// What its argument is completed with.
enum class Completes : std::uint8_t { kVariables, kPlaces, kResources, kInfos, kCommands };

// One command: its name, its short form, its arguments, and what it does.
struct DebugCommand {
  using S = DebugShell;
  using Rest = const std::string&;

  const char* name;
  const char* shorter;  // empty: none
  const char* takes;
  const char* does;
  bool repeats;  // by an empty line
  Status (*run)(S&, Rest);
  Completes completes = Completes::kVariables;

  // In the order in which `help` lists them. A row without a function is a heading.
  static const DebugCommand kAll[];
  static const DebugCommand* find(const std::string& word);
};

const DebugCommand DebugCommand::kAll[] = {
      {"Moving. Each has its reverse: `reverse-step`, or `rs`.", "", "", "", false, nullptr},
      {"step", "s", "[N]", "to the next line of this invocation, into functions", true,
       [](S& s, Rest r) { return s.step(r, debug::Unit::kLineIn, true); }},
      {"next", "n", "[N]", "to the next line, over functions", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kLineOver, true); }},
      {"finish", "f", "", "out of this function", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kOut, true); }},
      {"stepi", "si", "[N]", "one instruction of SPIR-V", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kInstruction, true); }},
      {"nexti", "ni", "[N]", "one instruction, over functions", true,
       [](S& s, Rest r) { return s.step(r, debug::Unit::kInstructionOver, true); }},
      {"continue", "c", "[N]", "to the next breakpoint of any invocation", true, [](S& s, Rest r) { return s.go(r, true); }},
      {"barrier", "", "", "to the next barrier of this invocation", true, [](S& s, Rest) { return s.barrier(true); }},
      {"store", "", "RESOURCE", "to the next store to a resource, by anyone", true, [](S& s, Rest r) { return s.store(r, true); },
       Completes::kResources},
      {"until", "u", "PLACE", "to a place, for this invocation", true, [](S& s, Rest r) { return s.until(r, true); }, Completes::kPlaces},
      {"reverse-step", "rs", "[N]", "", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kLineIn, false); }},
      {"reverse-next", "rn", "[N]", "", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kLineOver, false); }},
      {"reverse-finish", "rf", "", "", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kOut, false); }},
      {"reverse-stepi", "rsi", "[N]", "", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kInstruction, false); }},
      {"reverse-nexti", "rni", "[N]", "", true, [](S& s, Rest r) { return s.step(r, debug::Unit::kInstructionOver, false); }},
      {"reverse-continue", "rc", "[N]", "", true, [](S& s, Rest r) { return s.go(r, false); }},
      {"reverse-barrier", "rbarrier", "", "", true, [](S& s, Rest) { return s.barrier(false); }},
      {"reverse-until", "ru", "PLACE", "", true, [](S& s, Rest r) { return s.until(r, false); }, Completes::kPlaces},
      {"reverse-store", "rstore", "RESOURCE", "", true, [](S& s, Rest r) { return s.store(r, false); }, Completes::kResources},
      {"why", "w", "EXPR", "to who wrote a variable or a texel last", true, [](S& s, Rest r) { return s.why(r); }},
      {"writer", "", "RESOURCE PLACE", "the same for a texel X,Y[,Z] [level L], or a byte", true, [](S& s, Rest r) { return s.writer(r); },
       Completes::kResources},
      {"global", "g", "X,Y,Z [DISPATCH]", "to where an invocation begins", false, [](S& s, Rest r) { return s.global(r); }},
      {"workgroup", "", "X,Y,Z [DISPATCH]", "to where a workgroup begins", false, [](S& s, Rest r) { return s.workgroup(r); }},
      {"subgroup", "", "N", "to where a subgroup of this workgroup begins", false, [](S& s, Rest r) { return s.subgroup(r); }},
      {"focus", "", "X,Y,Z", "look at another invocation, here and now", false, [](S& s, Rest r) { return s.focus(r); }},
      {"start", "", "", "to the start of the run", false, [](S& s, Rest) { return s.moved(s.s_->toBegin()); }},
      {"end", "", "", "to the end of the run", false, [](S& s, Rest) { return s.moved(s.s_->toEnd()); }},
      {"time", "", "[D.W.S]", "tells this moment; goes to one", false, [](S& s, Rest r) { return s.time(r); }},
      {"finding", "", "[WHICH] [other]",
       "to finding N, or FILE:LINE [KIND [X,Y,Z [...]]];\n                             `other`: to the first access of a "
       "race",
       false, [](S& s, Rest r) { return s.finding(r); }},

      {"Stopping. PLACE is LINE, FILE:LINE, a function, OpStore, %17, or word 120.", "", "", "", false, nullptr},
      {"break", "b", "[PLACE] [if COND]", "stops there", false, [](S& s, Rest r) { return s.addBreak(r, false); }, Completes::kPlaces},
      {"tbreak", "", "[PLACE] [if COND]", "stops there once", false, [](S& s, Rest r) { return s.addBreak(r, true); }, Completes::kPlaces},
      {"watch", "", "EXPR [== VALUE]", "stops before a store that changes it", false,
       [](S& s, Rest r) { return s.addWatch(r, false, true, true); }},
      {"wwatch", "", "EXPR", "stops before any store to it", false, [](S& s, Rest r) { return s.addWatch(r, false, true, false); }},
      {"rwatch", "", "EXPR", "stops before a read of it", false, [](S& s, Rest r) { return s.addWatch(r, true, false, false); }},
      {"awatch", "", "EXPR", "stops before any access to it", false, [](S& s, Rest r) { return s.addWatch(r, true, true, false); }},
      {"catch", "", "EVENT [if COND]",
       "findings, no findings, races, one kind; nan,\n                             nan stores, divergence, print [how it begins]", false,
       [](S& s, Rest r) { return s.catchEvent(r); }},
      {"condition", "", "N [COND]", "another condition of a breakpoint, or none", false, [](S& s, Rest r) { return s.condition(r); }},
      {"commands", "", "N [COMMAND; ...]", "executed where a breakpoint stops; none: no more", false,
       [](S& s, Rest r) { return s.setCommands(r); }},
      {"ignore", "", "N HITS", "its next hits do not stop", false, [](S& s, Rest r) { return s.ignore(r); }},
      {"disable", "", "N", "it does not stop until `enable N`", false, [](S& s, Rest r) { return s.enable(r, false); }},
      {"enable", "", "N", "a disabled breakpoint", false, [](S& s, Rest r) { return s.enable(r, true); }},
      {"delete", "d", "[N]", "a breakpoint, or all of them", false, [](S& s, Rest r) { return s.remove(r); }},

      {"Looking.", "", "", "", false, nullptr},
      {"print", "p", "[/x] EXPR",
       "a variable, or what is computed of them; bits as\n                             /x hexadecimal, /d signed, /u unsigned, /f "
       "float,\n                             /n four bytes from 0 to 1",
       false, [](S& s, Rest r) { return s.print(r); }},
      {"lanes", "all", "[/s][/x] EXPR", "its value in every invocation of the workgroup;\n                             /s: of the subgroup",
       false, [](S& s, Rest r) { return s.lanes(r); }},
      {"memory", "", "[EXPR]", "workgroup memory, with who wrote each word last", false, [](S& s, Rest r) { return s.memory(r); }},
      {"history", "", "EXPR", "all stores to it in the run; RESOURCE PLACE too", false, [](S& s, Rest r) { return s.history(r); }},
      {"show", "", "RESOURCE [PLACE]", "texels or values of a resource as numbers", false, [](S& s, Rest r) { return s.show(r); }},
      {"save", "", "RESOURCE FILE", "as it is now: .png .exr .tif, or the bytes", false, [](S& s, Rest r) { return s.save(r); }},
      {"against", "", "ANSWER",
       "to the first store that makes the outputs differ:\n                             golden; a device; or to where another run parts:\n"
       "                             profile NAME, schedule TOKEN, subgroup-size N",
       false, [](S& s, Rest r) { return s.against(r); }},
      {"other", "", "COMMAND", "in the other run of `against`", false, [](S& s, Rest r) { return s.other(r); }},
      {"reload", "", "", "compiles again; the same line and breakpoints", false, [](S& s, Rest) { return s.reload(); }},
      {"set", "", "EXPR = VALUE", "what would happen: another run from here on", false, [](S& s, Rest r) { return s.set(r); }},
      {"unset", "", "", "back to the real run, where it was changed first", false, [](S& s, Rest) { return s.unset(); }},
      {"display", "", "EXPR", "shows it at every stop", false, [](S& s, Rest r) { return s.display(r); }},
      {"undisplay", "", "[N]", "no more", false, [](S& s, Rest r) { return s.undisplay(r); }},
      {"list", "l", "[LINE | FROM,TO]", "the source", true, [](S& s, Rest r) { return s.list(r); }},
      {"spirv", "", "[LINE]", "the source line with its SPIR-V", false, [](S& s, Rest r) { return s.listSpirv(r); }},
      {"backtrace", "bt", "", "the functions that this one was called from", false, [](S& s, Rest) { return s.infoFrames(); }},
      {"up", "", "[N]", "look at the caller's variables", false, [](S& s, Rest r) { return s.frame(r, 1); }},
      {"down", "", "[N]", "and back", false, [](S& s, Rest r) { return s.frame(r, -1); }},
      {"frame", "", "[N]", "the N-th function of the backtrace", false, [](S& s, Rest r) { return s.frame(r, 0); }},
      {"info", "i", "WHAT",
       "locals, globals, lanes, workgroups, job, frames,\n                             functions, files, findings, breakpoints, prints",
       false, [](S& s, Rest r) { return s.info(r); }, Completes::kInfos},
      {"help", "h", "[COMMAND]", "tells the commands", false, [](S& s, Rest r) { return s.help(r); }, Completes::kCommands},
      {"quit", "q", "", "ends", false,
       [](S& s, Rest) {
         s.over_ = true;
         return Status{};
       }},
};

// By its name, its short form, or the beginning of one name only.
const DebugCommand* DebugCommand::find(const std::string& word) {
  const DebugCommand* found = nullptr;
  for (const DebugCommand& c : kAll) {
    if (!c.run) continue;
    if (c.name == word || c.shorter == word) return &c;
    if (!std::string_view(c.name).starts_with(word)) continue;
    if (found) return nullptr;
    found = &c;
  }
  return found;
}

DebugShell::~DebugShell() = default;

// What stands at a breakpoint where it stops is executed too. A stop there has commands of its own, or none.
bool DebugShell::execute(const std::string& given) {
  waiting_.clear();
  bool fine = executeOne(given);
  while (!waiting_.empty() && !over_) {
    const std::string next = std::move(waiting_.front());
    waiting_.pop_front();
    const std::string repeated = std::exchange(last_, "");
    fine = executeOne(next) && fine;
    last_ = repeated;
  }
  return fine;
}

namespace {

// "print/x 5" -> "print", "/x 5": a name ends at the first character that is not a letter. "o.data[3]" has none.
std::pair<std::string, std::string> commandWord(const std::string& line) {
  const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
  if (end == std::string::npos) return {line, ""};
  const bool isExpression = line[end] == '.' || line[end] == '[' || line[end] == '_';
  return {isExpression ? "" : line.substr(0, end), trimmed(line.substr(end))};
}

}  // namespace

bool DebugShell::isCommand(const std::string& given) {
  const std::string line = trimmed(given), word = commandWord(line).first;
  return line.empty() || line.starts_with('#') || (!word.empty() && DebugCommand::find(word) != nullptr);
}

bool DebugShell::executeOne(const std::string& given) {
  std::string line = trimmed(given);
  if (line.starts_with('#')) return true;
  if (line.empty()) line = last_;
  if (line.empty()) return true;
  const auto [word, rest] = commandWord(line);
  const DebugCommand* command = word.empty() ? nullptr : DebugCommand::find(word);
  last_ = command && command->repeats ? line : "";
  const Status bad = command ? command->run(*this, rest)
                             : Error{Outcome::kBadInput, fmt::format("there is no command '{}'", firstWord(line).first), "",
                                     "`help` tells them; `print EXPR` prints a value"};
  if (bad) print_("error: " + textWithCommands(*bad));
  return !bad;
}

std::span<const DebugShell::Info> DebugShell::infos() {
  static constexpr Info kInfos[] = {
      {"locals", &DebugShell::infoLocals},     {"globals", &DebugShell::infoGlobals},   {"lanes", &DebugShell::infoLanes},
      {"workgroups", &DebugShell::infoGroups}, {"job", &DebugShell::infoJob},           {"functions", &DebugShell::infoFunctions},
      {"files", &DebugShell::infoFiles},       {"findings", &DebugShell::infoFindings}, {"breakpoints", &DebugShell::infoBreakpoints},
      {"frames", &DebugShell::infoFrames},     {"prints", &DebugShell::infoPrints}};
  return kInfos;
}

Status DebugShell::info(const std::string& rest) {
  std::string names;
  for (const auto& [name, show] : infos()) {
    if (!rest.empty() && name.starts_with(rest)) return (this->*show)();
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Error{Outcome::kBadInput, fmt::format("there is no information about '{}'", rest), "info", "one of " + names};
}

Status DebugShell::help(const std::string& rest) {
  const DebugCommand* one = rest.empty() ? nullptr : DebugCommand::find(rest);
  if (!rest.empty() && !one) return Error{Outcome::kBadInput, fmt::format("there is no command '{}'", rest), "help", "`help` tells them"};
  for (const DebugCommand& c : DebugCommand::kAll) {
    if (one && &c != one) continue;
    const std::string name = fmt::format("{}{}{} {}", c.name, *c.shorter ? ", " : "", c.shorter, c.takes);
    if (!c.run)
      print_(fmt::format("{}{}", &c == &DebugCommand::kAll[0] ? "" : "\n", c.name));
    else if (one || *c.does)
      print_(fmt::format("  {:<26} {}", trimmed(name), c.does));
  }
  if (one && one->name == std::string_view("print")) {
    print_("  EXPR: arithmetic, comparisons, [index], .member, .xyz, image[x, y], casts as");
    print_("  float(x) or uvec2(x, y), gl_GlobalInvocationID and its like, and functions:");
    constexpr std::size_t kWidth = 76;
    std::string line;
    for (const std::string_view name : debug::functionNames()) {
      if (line.size() + name.size() > kWidth) print_(std::exchange(line, ""));
      line += (line.empty() ? "  " : " ") + std::string(name);
    }
    print_(line);
  }
  return {};
}

std::size_t DebugShell::wordAtEnd(const std::string& line) {
  const std::size_t before = line.find_last_of(" .[(,+-*/%");
  return before == std::string::npos ? 0 : before + 1;
}

std::vector<std::string> DebugShell::completions(const std::string& line) {
  std::vector<std::string> all;
  const std::size_t space = line.find(' ');
  const DebugCommand* command = space == std::string::npos ? nullptr : DebugCommand::find(line.substr(0, space));
  const Completes with = space == std::string::npos ? Completes::kCommands : command ? command->completes : Completes::kVariables;
  if (with == Completes::kCommands) {
    for (const DebugCommand& c : DebugCommand::kAll)
      if (c.run) all.emplace_back(c.name);
  } else if (with == Completes::kInfos) {
    for (const Info& i : infos()) all.emplace_back(i.name);
  } else if (with == Completes::kResources) {
    for (const Resource& r : s_->job().resources) all.push_back(r.name);
  } else if (with == Completes::kPlaces) {
    for (std::uint32_t pc = 0; pc < s_->program().info.size(); ++pc)
      if (!s_->places().frames(pc).empty()) all.push_back(functionName(s_->places(), s_->places().frames(pc)[0]));
  } else {
    for (const Resource& r : s_->job().resources) all.push_back(r.name);
  }
  if (const Expected<debug::Scope> scope = s_->scope(s_->focus()); with == Completes::kVariables && scope.ok()) {
    const SourceVariables& source = scope->places->source();
    for (const SourceFrame& f : scope->places->frames(scope->pc)) {
      for (const SourceVariable& v : f.variables) all.push_back(source.of(v).name);
      all.push_back(functionName(*scope->places, f));
    }
    for (const SourceVariable& v : source.globals()) all.push_back(source.of(v).name);
  }
  std::erase_if(all, [&](const std::string& c) { return c.empty() || !c.starts_with(line.substr(wordAtEnd(line))); });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace lanewise
