// Requests that move, and what is told of a stop.
#include <fmt/format.h>

#include <algorithm>

#include "model/state/workgroup.h"
#include "tools/dap/adapter.h"
#include "tools/debug/advice.h"
#include "tools/debug/text.h"
#include "tools/debug/words.h"

namespace lanewise::dap {
namespace {

constexpr std::chrono::milliseconds kUntilProgress{500};

// As the protocol names it; a breakpoint by its kind.
const char* reasonOf(const debug::Stop& stop, const debug::Breakpoint* b) {
  using What = debug::Breakpoint::What;
  switch (stop.why) {
    case debug::Why::kBegin:
      return "entry";
    case debug::Why::kBreakpoint:
      if (!b) return "breakpoint";
      if (b->what == What::kEvent) return "exception";
      return b->what == What::kFunction      ? "function breakpoint"
             : b->what == What::kMemory      ? "data breakpoint"
             : b->what == What::kInstruction ? "instruction breakpoint"
                                             : "breakpoint";
    case debug::Why::kFinding:
    case debug::Why::kFault:
      return "exception";
    case debug::Why::kInterrupted:
      return "pause";
    case debug::Why::kEnd:
      return "end";
    case debug::Why::kArrived:
    case debug::Why::kWriter:
    case debug::Why::kOther:
    case debug::Why::kBlit:
      return "goto";
    default:
      return "step";
  }
}

// The breakpoints that a stop is for.
std::vector<std::uint32_t> numbersOf(const debug::Stop& stop) {
  std::vector<std::uint32_t> out{stop.number};
  for (const debug::Hit& other : stop.hit ? stop.hit->also : std::vector<debug::Hit>()) out.push_back(other.reason);
  return out;
}

}  // namespace

Adapter::Answer Adapter::goOn(Arguments a) {
  if (const auto at = invocationOf(a); !at) return at.error();
  later_ = [this] { move("continue", [this] { return session().go(true); }); };
  return Json{{"allThreadsContinued", true}};
}

Adapter::Answer Adapter::reverseContinue(Arguments a) {
  if (const auto at = invocationOf(a); !at) return at.error();
  later_ = [this] { move("reverse continue", [this] { return session().go(false); }); };
  return Json();
}

Adapter::Answer Adapter::step(Arguments a, debug::Unit line, debug::Unit instruction, bool forward) {
  const std::string granularity = a.textOr("granularity");
  const Expected<Extent3> at = invocationOf(a);
  if (!at) return at.error();
  if (*at != session().focus())
    if (Status bad = session().look(*at)) return *bad;
  const debug::Unit unit = granularity == "instruction" ? instruction : line;
  later_ = [this, unit, forward] { move("step", [this, unit, forward] { return session().step(unit, forward); }); };
  return Json();
}

Adapter::Answer Adapter::next(Arguments a) {
  return step(a, debug::Unit::kLineOver, debug::Unit::kInstructionOver, true);
}

Adapter::Answer Adapter::stepIn(Arguments a) {
  return step(a, debug::Unit::kLineIn, debug::Unit::kInstruction, true);
}

Adapter::Answer Adapter::stepOut(Arguments a) {
  return step(a, debug::Unit::kOut, debug::Unit::kOut, true);
}

Adapter::Answer Adapter::stepBack(Arguments a) {
  return step(a, debug::Unit::kLineOver, debug::Unit::kInstructionOver, false);
}

// Back to where the function was called, and into it; of the outermost one to where the invocation begins.
Adapter::Answer Adapter::restartFrame(Arguments a) {
  const Expected<Frame> of = frameOf(a);
  if (!of) return of.error();
  if (of->at != session().focus())
    if (Status bad = session().look(of->at)) return *bad;
  const std::size_t depth = session().places().depth(session().standing().pc), out = of->frame + 1;
  later_ = [this, at = of->at, out, isOutermost = out >= depth] {
    move("restart frame", [this, at, out, isOutermost]() -> Expected<debug::Stop> {
      if (isOutermost) return session().toInvocation(at);
      for (std::size_t i = 0; i < out; ++i)
        if (const Expected<debug::Stop> back = session().step(debug::Unit::kOut, false); !back || back->why != debug::Why::kStep)
          return back;
      return session().step(debug::Unit::kLineIn);
    });
  };
  return Json();
}

// Asked while the run goes. What takes long is told.
bool Adapter::pulse(const debug::Time& now) {
  const auto clock = std::chrono::steady_clock::now();
  if (tellsProgress_ && !moving_.empty() && clock - (isTold_ ? toldAt_ : begun_) > kUntilProgress) {
    const std::string id = std::to_string(progress_);
    if (!isTold_) event("progressStart", {{"progressId", id}, {"title", moving_}, {"cancellable", true}});
    const Extent3 groups = session().job().dispatches[now.dispatch].groups;
    event("progressUpdate", {{"progressId", id},
                             {"message", fmt::format("dispatch {}, workgroup {} of {}", now.dispatch, now.opened, workgroupsIn(groups))}});
    isTold_ = true;
    toldAt_ = clock;
  }
  return interrupt_();
}

void Adapter::move(const char* what, std::function<Expected<debug::Stop>()> how) {
  moving_ = what;
  ++progress_;
  isTold_ = false;
  begun_ = std::chrono::steady_clock::now();
  const Expected<debug::Stop> stop = how();
  moving_.clear();
  if (std::exchange(isTold_, false)) event("progressEnd", {{"progressId", std::to_string(progress_)}});
  moved(stop);
}

void Adapter::moved(const Expected<debug::Stop>& stop) {
  if (!stop) {
    output(textWithCommands(stop.error()), "stderr");
    return stopped({debug::Why::kInterrupted, 0, {}, {}});
  }
  if (stop->why == debug::Why::kNothing && session().atEnd()) return event("terminated");
  stopped(*stop);
}

// The shell says why, and what is displayed at every stop.
void Adapter::stopped(const debug::Stop& stop) {
  variables_->clear();
  frames_.clear();
  shell_->showStop();
  printed_.clear();
  Json body{{"reason", reasonOf(stop, session().breakpoint(stop.number))},
            {"threadId", threadOf(session().focus())},
            {"allThreadsStopped", true}};
  const std::string said = stop.why == debug::Why::kNothing ? "there is nothing more in this direction" : saidText();
  if (!said.empty()) body["description"] = said;
  exception_ = exceptionOf(stop);
  if (stop.why == debug::Why::kFault)
    body["text"] = stop.error->what;
  else if (!exception_.is_null())
    body["text"] = exception_["exceptionId"];
  if (stop.why == debug::Why::kBreakpoint) {
    if (!exception_.is_null()) body["description"] = exception_["description"];
    for (const std::uint32_t number : numbersOf(stop))
      if (std::ranges::find(events_, number) == events_.end()) body["hitBreakpointIds"].push_back(idOf(number));
  }
  event("stopped", std::move(body));
}

// What the shell says of the stop, without the number of the breakpoint `unknown`, which the editor does not know.
std::string Adapter::saidText(std::uint32_t unknown) const {
  std::string out;
  for (const DebugShell::Said& s : shell_->said()) {
    if (!out.empty()) out += "; ";
    out += s.breakpoint == unknown ? s.text : s.whole();
  }
  return out;
}

// What the protocol calls an exception: a fault, a finding, or what `catch` stops at. Null: the run stopped at something else.
Json Adapter::exceptionOf(const debug::Stop& stop) {
  const auto of = [](const std::string& id, const std::string& description) {
    return Json{{"exceptionId", id},
                {"description", description},
                {"breakMode", "always"},
                {"details", {{"message", description}, {"typeName", id}}}};
  };
  if (stop.why == debug::Why::kFault) return of(outcomeName(stop.error->outcome), stop.error->text());
  if (stop.why == debug::Why::kFinding) {
    const RunFinding& f = (**session().findings())[stop.number].finding;
    return of(findingName(f.kind), f.text());
  }
  if (stop.why != debug::Why::kBreakpoint) return Json();
  for (const std::uint32_t number : numbersOf(stop))
    for (const EventFilter& f : eventFilters())
      if (const debug::Breakpoint* b = session().breakpoint(number); b && b->event == f.event) return of(f.name, saidText(number));
  return Json();
}

Adapter::Answer Adapter::exceptionInfo(Arguments a) {
  if (const auto at = invocationOf(a); !at) return at.error();
  if (exception_.is_null()) return Error{Outcome::kBadInput, "it stopped at no finding, event or error", "", ""};
  return exception_;
}

}  // namespace lanewise::dap
