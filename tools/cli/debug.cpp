#include "tools/cli/debug.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <sstream>

#include "model/base/file.h"
#include "model/model.h"
#include "tools/cli/debug_shell.h"
#include "tools/cli/debug_terminal.h"
#include "tools/cli/subject_options.h"
#include "tools/run/typed_values.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {
namespace {

// Commands that nobody typed are printed too, so that the output reads as a session.
bool executeShown(DebugShell& shell, const std::string& line) {
  fmt::print("{}{}\n", kDebugPrompt, line);
  return shell.execute(line);
}

bool executeAll(DebugShell& shell, std::istream& in) {
  bool fine = true;
  for (std::string line; !shell.isOver() && std::getline(in, line);) fine = executeShown(shell, line) && fine;
  return fine;
}

}  // namespace

void addDebug(CLI::App& app, DebugOptions& o) {
  CLI::App* debug = app.add_subcommand("debug", "Step through a kernel by line, forwards and backwards (docs/debug.md)");
  addSubject(*debug, o.subject);
  addWay(*debug, o.profile, o.schedule);
  addEach(*debug, "-e,--command", o.commands, "A command to begin with; may be repeated");
  addEach(*debug, "-x,--script", o.scripts, "A file of commands to begin with, one a line; may be repeated");
  debug->add_option("--snapshots", o.snapshots, "Memory for copies of the run, with which it goes back: 64M, 1G")->capture_default_str();
}

Expected<Outcome> runDebug(const DebugOptions& o) {
  const std::optional<std::uint64_t> bytes = parseByteCount(o.snapshots);
  if (!bytes) return Error{Outcome::kBadInput, fmt::format("'{}' is no number of bytes", o.snapshots), "--snapshots", "64M, 1G"};
  const Expected<Subject> subject = openSubject(o.subject);
  if (!subject) return subject.error();
  const Expected<Way> way = wayOf(*subject, o.profile, o.schedule);
  if (!way) return way.error();
  Model model({.profile = way->profile, .schedule = way->schedule, .findings = true});
  debug::Keeping keeping;
  keeping.bytes = *bytes;
  auto session = debug::Session::open(
      subject->job, [&] { return model.start(subject->job, ir::Flavour::kFaithful); }, keeping);
  if (!session) return session.error();
  DebugShell shell(**session, [](const std::string& line) { fmt::print("{}\n", line); });
  shell.showStop();
  bool fine = true;
  for (const std::string& command : o.commands)
    if (!shell.isOver()) fine = executeShown(shell, command) && fine;
  for (const std::string& file : o.scripts) {
    const Expected<std::string> text = readWholeFile(file);
    if (!text) return text.error();
    std::istringstream in(*text);
    fine = executeAll(shell, in) && fine;
  }
  if (shell.isOver() || ::isatty(STDIN_FILENO) == 0)
    fine = executeAll(shell, std::cin) && fine;
  else
    runTerminal(shell);
  return fine ? Outcome::kOk : Outcome::kBadInput;
}

}  // namespace lanewise
