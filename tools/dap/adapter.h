// A debugging session as an editor drives it: requests of the Debug Adapter Protocol in, responses and events out. Version 1.66 of the
// protocol, https://microsoft.github.io/debug-adapter-protocol/specification.
//
// An invocation is a thread: of the workgroup that is looked at, at most kMostThreads around that invocation; `focus` and `global` in the
// debug console look at others. Findings are exceptions, one filter a kind. The console takes expressions and all commands of
// `lanewise debug`. At the end of the run the session stops once more, so that it can go back; to go on from there ends it.
//
// Promise: whatever a request says, it gets one response; an error in it changes nothing. Gaps: no attach, as there is nothing that runs by
// itself; no goto, as a lane cannot leave its strand; requests wait while the run goes, but pause, cancel and the end.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "tools/dap/instructions.h"
#include "tools/dap/sources.h"
#include "tools/dap/variables.h"
#include "tools/debug/opened.h"
#include "tools/debug/shell.h"

namespace lanewise::dap {

// What a launch opened, and the commands to begin with.
struct Launched {
  std::unique_ptr<OpenedSession> opened;
  std::vector<std::string> commands;
};

class Adapter {
 public:
  static constexpr std::size_t kMostThreads = 128;

  // Opens what the words of a command line say, in a folder that may be empty.
  using Opener = std::function<Expected<Launched>(const std::vector<std::string>& words, const std::string& folder)>;
  using Send = std::function<void(const Json& message)>;
  // `interrupt` is asked now and then while the run goes: true stops it.
  Adapter(Opener opener, Send send, std::function<bool()> interrupt);

  // A message: answered before this returns.
  void handle(const Json& message);
  // What is no message, or one that is not to be carried out any more.
  void refuse(const Json& message, const Error& error);
  bool isOver() const { return isOver_; }

 private:
  using Answer = Expected<Json>;  // the body; null: none
  struct Request {
    const char* name;
    bool needsSession;
    Answer (Adapter::*answer)(Arguments);
  };
  static const std::vector<Request>& requests();

  // adapter.cpp
  Answer initialize(Arguments a);
  Answer launch(Arguments a);
  Answer configurationDone(Arguments a);
  Answer restart(Arguments a);
  Answer terminate(Arguments a);
  Answer disconnect(Arguments a);
  Answer nothing(Arguments) { return Json(); }
  Status open(Arguments a);
  void begin();
  void send(Json message);
  void event(const char* name, Json body = {});
  void output(const std::string& text, const char* category = "console");

  // adapter_move.cpp
  Answer goOn(Arguments a);
  Answer reverseContinue(Arguments a);
  Answer next(Arguments a);
  Answer stepIn(Arguments a);
  Answer stepOut(Arguments a);
  Answer stepBack(Arguments a);
  Answer restartFrame(Arguments a);
  Answer step(Arguments a, debug::Unit line, debug::Unit instruction, bool forward);
  void move(const char* what, std::function<Expected<debug::Stop>()> how);
  void moved(const Expected<debug::Stop>& stop);
  void stopped(const debug::Stop& stop);
  bool pulse(const debug::Time& now);
  std::string saidText(std::uint32_t unknown = 0) const;
  Json exceptionOf(const debug::Stop& stop);
  Answer exceptionInfo(Arguments a);

  // adapter_break.cpp
  struct Wanted {  // as the editor asked for it
    Json asked;
    std::int64_t id = 0;       // the editor's
    std::uint32_t number = 0;  // the session's; 0: it has none
    std::string wrong;         // then
  };
  Answer setBreakpoints(Arguments a);
  Answer setFunctionBreakpoints(Arguments a);
  Answer setInstructionBreakpoints(Arguments a);
  Answer setDataBreakpoints(Arguments a);
  Answer dataBreakpointInfo(Arguments a);
  Answer setExceptionBreakpoints(Arguments a);
  Json filter(const std::string& name, const std::string& condition, std::set<FindingKind>& kinds, std::vector<std::uint32_t>& events);
  struct EventFilter {  // what stops as a finding does, and is none
    const char* name;
    debug::Event event;
    const char* condition;
  };
  static std::span<const EventFilter> eventFilters();
  Answer breakpointLocations(Arguments a);
  Answer replaced(const std::string& group, Arguments a, const char* list,
                  const std::function<Expected<debug::Breakpoint>(Arguments&)>& make);
  Json told(const Wanted& w);
  std::int64_t idOf(std::uint32_t number);
  std::function<void(const debug::Scope&)> logOf(const std::string& text);
  void tellBreakpoints(const std::vector<debug::Breakpoint>& before);

  // adapter_look.cpp
  Answer threads(Arguments a);
  Answer stackTrace(Arguments a);
  Answer scopes(Arguments a);
  Answer variables(Arguments a);
  Answer evaluate(Arguments a);
  Answer completions(Arguments a);
  Answer source(Arguments a);
  Answer loadedSources(Arguments a);
  Answer disassemble(Arguments a);
  Answer readMemory(Arguments a);
  Answer writeMemory(Arguments a);
  Answer setVariable(Arguments a);
  Answer setExpression(Arguments a);
  Answer set(const std::string& target, const std::string& value, Frame of, const char* field, bool hex);
  void tellChange();
  Answer command(const std::string& line);
  Expected<debug::Value> valueOf(const std::string& expression, Frame of);
  Expected<Frame> frameOf(Arguments& a);
  Expected<Frame> frameOrFocus(Arguments& a);  // the request may name none
  std::int64_t threadOf(Extent3 at);
  Expected<Extent3> invocationOf(Arguments& a);
  std::int64_t lineFor(std::int64_t line) const { return line - (startsAt1_ ? 0 : 1); }

  debug::Session& session() { return *opened_->session; }

  Opener opener_;
  Send send_;
  std::function<bool()> interrupt_;
  std::int64_t sequence_ = 0;
  bool isOver_ = false, isBegun_ = false, startsAt1_ = true, tellsProgress_ = false, stopsOnEntry_ = false, isUndebugged_ = false,
       takesInvalidated_ = false;
  std::function<void()> later_;  // behind the response

  std::unique_ptr<OpenedSession> opened_;
  std::unique_ptr<DebugShell> shell_;
  std::string printed_;  // by the shell
  std::vector<std::string> commands_;
  Json launched_;
  Sources sources_;
  Instructions instructions_;
  std::unique_ptr<Variables> variables_;
  std::vector<Frame> frames_;                                  // by id, from 1; good until the run moves
  std::vector<Extent3> threads_;                               // by id, from 1
  std::map<std::string, std::vector<Wanted>> breakpoints_;     // by the source's path, or what else they are of
  std::map<std::string, std::pair<const char*, Json>> asked_;  // the request that set them, for a restart
  std::int64_t lastId_ = 0;
  std::vector<std::uint32_t> events_;         // breakpoints of the filters of events
  Json exception_;                            // where the run stopped last; null: it was none
  std::map<std::string, debug::Value> data_;  // by dataId

  // Of the move that goes on.
  std::string moving_;
  std::chrono::steady_clock::time_point begun_, toldAt_;
  std::int64_t progress_ = 0;
  bool isTold_ = false;
};

}  // namespace lanewise::dap
