#include "tools/cli/debug.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "model/base/file.h"
#include "model/base/visible.h"
#include "tools/cli/debug_terminal.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/sides.h"
#include "tools/cli/subject_options.h"
#include "tools/dap/server.h"
#include "tools/debug/shell.h"
#include "tools/web/serve.h"

namespace lanewise {
namespace {

// Commands that nobody typed are printed too, so that the output reads as a session. What is printed so far is there while a command runs.
bool executeShown(DebugShell& shell, const std::string& line) {
  fmt::print("{}{}\n", kDebugPrompt, line);
  std::fflush(stdout);
  return shell.execute(line);
}

bool executeAll(DebugShell& shell, std::istream& in) {
  bool fine = true;
  for (std::string line; !shell.isOver() && std::getline(in, line);) fine = executeShown(shell, line) && fine;
  return fine;
}

// Those of the options, then those of the scripts.
Expected<std::vector<std::string>> firstCommands(const DebugOptions& o) {
  std::vector<std::string> all = o.commands;
  for (const std::string& file : o.scripts) {
    const Expected<std::string> text = readWholeFile(file);
    if (!text) return text.error();
    std::istringstream in(*text);
    for (std::string line; std::getline(in, line);) all.push_back(line);
  }
  return all;
}

// On the device of this name alone, unless it cannot run the subject.
Expected<RunResult> runOnDevice(const std::string& name, const Job& job, const Subject& subject) {
  SideOptions options;
  options.devices = name;
  Expected<OpenSides> sides = openSides(options);
  if (!sides) return sides.error();
  if (sides->devices.empty())
    return Error{Outcome::kDeviceTrouble, fmt::format("there is no device '{}'", name), "", "`lanewise devices` lists them"};
  Device& device = *sides->devices.front();
  if (const std::string why = subject.cannotRunOn(device.profile()); !why.empty()) return Error{Outcome::kUnsupported, why, name, ""};
  return device.run(job);
}

void addSession(CLI::App& command, DebugOptions& o) {
  addSubject(command, o.session.subject);
  addWay(command, o.session.profile, o.session.schedule);
  addEach(command, "-e,--command", o.commands, "A command to begin with; may be repeated");
  addEach(command, "-x,--script", o.scripts, "A file of commands to begin with, one a line; may be repeated");
  command.add_option("--snapshots", o.session.snapshots, "Memory for copies of the run, with which it goes back: 64M, 1G")
      ->capture_default_str();
}

// What a launch request asks for, read as a command line is; without words what this command line says.
Expected<dap::Launched> launched(const DebugOptions& own, const std::vector<std::string>& words, const std::string& folder) {
  std::error_code bad;
  if (!folder.empty()) std::filesystem::current_path(folder, bad);
  if (bad) return Error{Outcome::kIoError, bad.message(), folder, ""};
  DebugOptions o = own;
  if (!words.empty()) {
    o = {};
    CLI::App app;
    addSession(app, o);
    std::vector<std::string> line(words.rbegin(), words.rend());  // CLI11 takes them so
    try {
      app.parse(line);
    } catch (const CLI::ParseError& error) {
      return Error{Outcome::kBadInput, error.what(), "", "program and args are as `lanewise debug` takes them, but for --web and --port"};
    }
  }
  Expected<std::vector<std::string>> commands = firstCommands(o);
  if (!commands) return commands.error();
  Expected<std::unique_ptr<OpenedSession>> opened = openForDebugging(o.session);
  if (!opened) return opened.error();
  (**opened).runOn = runOnDevice;
  return dap::Launched{std::move(*opened), std::move(*commands)};
}

// Serves the session to a browser.
Expected<Outcome> runPage(const DebugOptions& o) {
  ::signal(SIGPIPE, SIG_IGN);  // a browser that goes away
  Expected<dap::Launched> launch = launched(o, {}, "");
  if (!launch) return launch.error();
  const std::atomic<bool>& isInterrupted = catchInterrupt();
  const auto listening = [](const std::string& address) {
    fmt::print("open {}\nin a browser of this host; Ctrl-C ends the session\n", address);
    std::fflush(stdout);
  };
  const std::uint16_t port = o.port < 0 ? 0 : static_cast<std::uint16_t>(o.port);
  if (Status bad = web::serve(port, std::move(launch->opened), launch->commands, listening, [&] { return isInterrupted.load(); }))
    return *bad;
  return Outcome::kOk;
}

}  // namespace

void addDebug(CLI::App& app, DebugOptions& o) {
  addSession(app, o);
  app.add_flag("--web", o.web, "Show the session to a browser of this host, at an address that is printed");
  app.add_option("--port", o.port, "With --web: the port of this host; any that is free, if this is not given")
      ->check(CLI::Range(0, 65535));
}

void addDap(CLI::App& app, DebugOptions& o) {
  addSession(app, o);
  app.add_option("--port", o.port, "By TCP at this port of this host, and not by the standard input; 0: any that is free")
      ->check(CLI::Range(0, 65535));
}

Expected<Outcome> runDap(const DebugOptions& o) {
  ::signal(SIGPIPE, SIG_IGN);  // an editor that goes away
  const auto opener = [&o](const std::vector<std::string>& words, const std::string& folder) { return launched(o, words, folder); };
  if (o.port < 0) {
    dap::serve(STDIN_FILENO, STDOUT_FILENO, opener, [] { return false; });
    return Outcome::kOk;
  }
  // Sessions side by side are in one folder.
  const auto openerHere = [&o](const std::vector<std::string>& words, const std::string& folder) -> Expected<dap::Launched> {
    std::error_code wrong;
    if (!folder.empty() && !std::filesystem::equivalent(folder, ".", wrong))
      return Error{Outcome::kBadInput, "by TCP the folder is where lanewise was started", "cwd", "start it there, or leave cwd out"};
    return launched(o, words, "");
  };
  const std::atomic<bool>& isInterrupted = catchInterrupt();
  const auto listening = [](std::uint16_t port) {
    fmt::print("listening on 127.0.0.1:{}\n", port);
    std::fflush(stdout);
  };
  if (Status bad = dap::serveTcp(static_cast<std::uint16_t>(o.port), openerHere, listening, [&] { return isInterrupted.load(); }))
    return *bad;
  return Outcome::kOk;
}

Expected<Outcome> runDebug(const DebugOptions& o) {
  if (o.port >= 0 && !o.web)
    return Error{Outcome::kBadInput, "nothing listens there", "--port", "it goes with --web, or with `lanewise dap`"};
  if (o.web) return runPage(o);
  Expected<dap::Launched> launch = launched(o, {}, "");
  if (!launch) return launch.error();
  std::unique_ptr<OpenedSession>& opened = launch->opened;
  DebugShell shell(*opened->session, [](const std::string& line) { fmt::print("{}\n", visible(line)); });
  shell.setFace({opened.get(), [&](std::unique_ptr<OpenedSession> fresh) { opened = std::move(fresh); }});
  shell.showStop();
  bool fine = true;
  for (const std::string& command : launch->commands)
    if (!shell.isOver()) fine = executeShown(shell, command) && fine;
  if (shell.isOver() || ::isatty(STDIN_FILENO) == 0)
    fine = executeAll(shell, std::cin) && fine;
  else
    runTerminal(shell);
  return fine ? Outcome::kOk : Outcome::kBadInput;
}

}  // namespace lanewise
