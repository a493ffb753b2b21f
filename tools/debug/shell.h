// The commands of `lanewise debug`: takes a line of text, prints lines of text. It does not depend on a terminal.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/debug/session.h"

namespace lanewise {

// A place to stop at: 31, blur.comp:31, OpImageWrite, %17, word 120, or a function's name; empty: the current line.
Expected<debug::Breakpoint> breakpointAt(const std::string& text, debug::Session& session);

class DebugShell {
 public:
  using Print = std::function<void(const std::string& line)>;
  // The session must outlive it.
  DebugShell(debug::Session& session, Print print) : s_(session), print_(std::move(print)) {}

  // Prints where the session is, as at every stop.
  void showStop();
  // Shows what an access at a breakpoint finds with this value's type. For breakpoints that no command has set.
  void showAs(std::uint32_t breakpoint, debug::Value shape) { watched_.insert_or_assign(breakpoint, std::move(shape)); }
  // Returns false if the command was wrong; its error is printed.
  bool execute(const std::string& line);
  bool isOver() const { return over_; }
  // The completions of a word: commands, arguments of `info` and `help`, functions and variables.
  std::vector<std::string> completions(const std::string& line);

 private:
  friend struct DebugCommand;
  // debug_move.cpp
  Status step(const std::string& rest, debug::Unit unit, bool forward);
  Status go(const std::string& rest, bool forward);
  Status barrier(bool forward);
  Status store(const std::string& rest, bool forward);
  Status global(const std::string& rest);
  Status focus(const std::string& rest);
  Status time(const std::string& rest);
  Status why(const std::string& rest);
  Status finding(const std::string& rest);
  Status writer(const std::string& rest);
  Status until(const std::string& rest, bool forward);
  Expected<std::uint32_t> resourceOf(const std::string& name) const;
  Status moved(const Expected<debug::Stop>& stop);
  void header(const debug::Stop& stop);

  // debug_break.cpp
  Status addBreak(const std::string& rest, bool temporary);
  Status addWatch(const std::string& rest, bool reads, bool writes);
  Status remove(const std::string& rest);
  Status enable(const std::string& rest, bool enabled);
  Status ignore(const std::string& rest);
  Status condition(const std::string& rest);
  Status catchFindings(const std::string& rest);

  // debug_look.cpp
  Status print(const std::string& rest);
  Status display(const std::string& rest);
  Status undisplay(const std::string& rest);
  Status lanes(const std::string& rest);
  Status list(const std::string& rest);
  Status frame(const std::string& rest, int by);
  Status info(const std::string& rest);
  Status help(const std::string& rest);
  Status infoLocals();
  Status infoGlobals();
  Status infoFrames();
  Status infoLanes();
  Status infoGroups();
  Status infoJob();
  Status infoFunctions();
  Status infoFiles();
  Status infoFindings();
  Status infoBreakpoints();
  void showLine();
  void showDisplays();

  Expected<debug::Value> value(const debug::Expression& e, Extent3 of);

  debug::Session& s_;
  Print print_;
  bool over_ = false;
  std::size_t frame_ = 0;
  std::string last_;        // what an empty line repeats
  std::string shownPlace_;  // function and invocation of the last stop: printed again when they change
  std::uint32_t listed_ = 0;
  std::vector<std::pair<std::uint32_t, std::pair<std::string, debug::Expression>>> displays_;
  std::uint32_t lastDisplay_ = 0;
  std::map<std::uint32_t, debug::Value> watched_;  // by breakpoint: the type of what it watches
};

}  // namespace lanewise
