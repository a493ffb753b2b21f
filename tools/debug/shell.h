// The commands of `lanewise debug`: takes a line of text, prints lines of text. It does not depend on a terminal.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/debug/opened.h"

namespace lanewise {

// A place to stop at: 31, blur.comp:31, OpImageWrite, %17, word 120, or a function's name; empty: the current line.
Expected<debug::Breakpoint> breakpointAt(const std::string& text, debug::Session& session);

// "sum = 5" -> "sum", "5". Nothing: it has no '='.
std::optional<std::pair<std::string, std::string>> assignmentOf(const std::string& text);

class DebugShell {
 public:
  using Print = std::function<void(const std::string& line)>;
  // The session must outlive it.
  DebugShell(debug::Session& session, Print print) : s_(&session), print_(std::move(print)) {}
  ~DebugShell();

  // What else the face of a session has, for `against`, `reload` and `save`.
  struct Face {
    OpenedSession* opened = nullptr;
    std::function<void(std::unique_ptr<OpenedSession>)> replace;  // puts another one in the place of this one
    bool writesFiles = true;
  };
  void setFace(Face face) { face_ = std::move(face); }

  debug::Session& session() { return *s_; }
  // Prints where the session is, as at every stop.
  void showStop();
  // What that printed but where: why it stopped, what the kernel printed, what an access changes, and the values that are displayed.
  struct Said {
    std::uint32_t breakpoint = 0;  // that stopped the run; 0: it was something else, or is not about that
    std::string text;
    std::string whole() const;  // "breakpoint 2: invocation 0,0,0"
  };
  const std::vector<Said>& said() const { return said_; }
  // Shows what an access at a breakpoint finds with this value's type. For breakpoints that no command has set.
  void showAs(std::uint32_t breakpoint, debug::Value shape) { watched_.insert_or_assign(breakpoint, std::move(shape)); }
  // Whether a line names a command, right or wrong; or does nothing.
  static bool isCommand(const std::string& line);
  // Returns false if the command was wrong; its error is printed.
  bool execute(const std::string& line);
  bool isOver() const { return over_; }
  // Which function of the call stack is looked at: that of `frame`, `up` and `down`.
  std::size_t frame() const { return frame_; }
  // The completions of a word: commands, what `info` shows, resources, functions and variables.
  std::vector<std::string> completions(const std::string& line);
  // Where the word begins that they complete.
  static std::size_t wordAtEnd(const std::string& line);

 private:
  friend struct DebugCommand;
  // What `info` shows.
  struct Info {
    std::string_view name;
    Status (DebugShell::*show)();
  };
  static std::span<const Info> infos();
  // move.cpp
  Status step(const std::string& rest, debug::Unit unit, bool forward);
  Status go(const std::string& rest, bool forward);
  Status barrier(bool forward);
  Status store(const std::string& rest, bool forward);
  Status global(const std::string& rest);
  Status workgroup(const std::string& rest);
  Status subgroup(const std::string& rest);
  Status focus(const std::string& rest);
  Status time(const std::string& rest);
  Status why(const std::string& rest);
  Status finding(const std::string& rest);
  Status writer(const std::string& rest);
  Status until(const std::string& rest, bool forward);
  Status moved(const Expected<debug::Stop>& stop);
  void say(const std::string& text, std::uint32_t breakpoint = 0);
  void detail(const std::string& text);
  void header(const debug::Stop& stop);
  void showParts(const debug::Hit& hit);
  void showAccess(const debug::Hit& hit, std::uint32_t breakpoint, bool isAnywhere);
  void showPrinted();

  // break.cpp
  Status addBreak(const std::string& rest, bool temporary);
  Status add(debug::Breakpoint b);
  Status addWatch(const std::string& rest, bool reads, bool writes, bool changes);
  Expected<debug::Value> watchedPlace(const std::string& text);
  Expected<debug::Value> placeIn(const std::string& name, const std::string& text);
  Status remove(const std::string& rest);
  Status enable(const std::string& rest, bool enabled);
  Status ignore(const std::string& rest);
  Status condition(const std::string& rest);
  Status setCommands(const std::string& rest);
  Status catchEvent(const std::string& rest);
  Status catchFindings(const std::string& rest);

  // against.cpp
  Status against(const std::string& rest);
  Status againstGolden();
  Status againstDevice(const std::string& device);
  Status againstRun(const std::string& rest);
  Status againstOrder();
  void tellParting();
  Status firstWriterOf(const std::vector<debug::ByteRange>& bytes, const std::string& whose);
  Status other(const std::string& rest);
  Status reload();
  Status addAgain(debug::Breakpoint breakpoint);
  Expected<debug::Stop> comeBack(Extent3 who, std::uint32_t dispatch, const debug::Breakpoint& line, std::uint64_t visits);

  // memory.cpp
  Status memory(const std::string& rest);
  Status history(const std::string& rest);
  Status show(const std::string& rest);
  Status showTexels(const std::string& name, const ImageData& image, std::uint64_t first);
  Status save(const std::string& rest);

  // change.cpp
  Status set(const std::string& rest);
  Status unset();

  // look.cpp
  Status print(const std::string& rest);
  Status display(const std::string& rest);
  Status undisplay(const std::string& rest);
  Status lanes(const std::string& rest);
  Status list(const std::string& rest);
  Status listSpirv(const std::string& rest);
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
  Status infoPrints();
  void showLine();
  void showDisplays();

  bool executeOne(const std::string& given);
  std::vector<Extent3> subgroupOf(Extent3 who);
  Expected<debug::Value> value(const std::string& text);
  std::size_t frameOf(Extent3 who) const { return who == s_->focus() ? frame_ : 0; }

  debug::Session* s_;
  Face face_;
  std::unique_ptr<OpenedSession> otherRun_;
  std::unique_ptr<DebugShell> other_;
  Print print_;
  bool over_ = false;
  std::size_t frame_ = 0;
  std::string last_;  // what an empty line repeats
  std::vector<Said> said_;
  std::string shownPlace_;  // function and invocation of the last stop: printed again when they change
  std::uint32_t listed_ = 0;
  std::size_t shownPrints_ = 0;  // of the lines that the kernel has printed
  std::vector<std::pair<std::uint32_t, std::string>> displays_;
  std::uint32_t lastDisplay_ = 0;
  std::map<std::uint32_t, std::vector<std::string>> commands_;  // by breakpoint
  std::deque<std::string> waiting_;                             // of the breakpoint where the run stopped: not executed yet
  std::map<std::uint32_t, debug::Value> watched_;               // by breakpoint: the type of what it watches
};

}  // namespace lanewise
