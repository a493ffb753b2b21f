#include "tools/dap/adapter.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/contract/finding_kinds.h"
#include "tools/debug/advice.h"

namespace lanewise::dap {

Adapter::Adapter(Opener opener, Send send, std::function<bool()> interrupt)
    : opener_(std::move(opener)), send_(std::move(send)), interrupt_(std::move(interrupt)) {}

const std::vector<Adapter::Request>& Adapter::requests() {
  using A = Adapter;
  static const std::vector<Request> kAll{
      {"initialize", false, &A::initialize},
      {"launch", false, &A::launch},
      {"configurationDone", true, &A::configurationDone},
      {"restart", true, &A::restart},
      {"terminate", true, &A::terminate},
      {"disconnect", false, &A::disconnect},
      {"cancel", false, &A::nothing},
      {"pause", true, &A::nothing},

      {"continue", true, &A::goOn},
      {"reverseContinue", true, &A::reverseContinue},
      {"next", true, &A::next},
      {"stepIn", true, &A::stepIn},
      {"stepOut", true, &A::stepOut},
      {"stepBack", true, &A::stepBack},
      {"restartFrame", true, &A::restartFrame},
      {"exceptionInfo", true, &A::exceptionInfo},

      {"setBreakpoints", true, &A::setBreakpoints},
      {"setFunctionBreakpoints", true, &A::setFunctionBreakpoints},
      {"setInstructionBreakpoints", true, &A::setInstructionBreakpoints},
      {"setDataBreakpoints", true, &A::setDataBreakpoints},
      {"dataBreakpointInfo", true, &A::dataBreakpointInfo},
      {"setExceptionBreakpoints", true, &A::setExceptionBreakpoints},
      {"breakpointLocations", true, &A::breakpointLocations},

      {"threads", true, &A::threads},
      {"stackTrace", true, &A::stackTrace},
      {"scopes", true, &A::scopes},
      {"variables", true, &A::variables},
      {"evaluate", true, &A::evaluate},
      {"completions", true, &A::completions},
      {"source", true, &A::source},
      {"loadedSources", true, &A::loadedSources},
      {"disassemble", true, &A::disassemble},
      {"readMemory", true, &A::readMemory},
      {"writeMemory", true, &A::writeMemory},
      {"setVariable", true, &A::setVariable},
      {"setExpression", true, &A::setExpression},
  };
  return kAll;
}

void Adapter::send(Json message) {
  message["seq"] = ++sequence_;
  send_(message);
}

void Adapter::event(const char* name, Json body) {
  Json message{{"type", "event"}, {"event", name}};
  if (!body.is_null()) message["body"] = std::move(body);
  send(std::move(message));
}

void Adapter::output(const std::string& text, const char* category) {
  event("output", {{"category", category}, {"output", text + "\n"}});
}

void Adapter::refuse(const Json& message, const Error& error) {
  Arguments request(message);
  const std::string name = request.textOr("command");
  send({{"type", "response"},
        {"request_seq", request.numberOr("seq", 0)},
        {"command", name},
        {"success", false},
        {"message", error.outcome == Outcome::kInterrupted ? "cancelled" : error.what},
        {"body",
         {{"error", {{"id", static_cast<int>(error.outcome)}, {"format", textWithCommands(error)}, {"showUser", name != "evaluate"}}}}}});
}

void Adapter::handle(const Json& message) {
  Arguments request(message);
  const std::string type = request.text("type"), name = request.text("command");
  const std::int64_t sequence = request.number("seq");
  if (type == "response") return;  // of a request that we never make
  const auto row = std::ranges::find_if(requests(), [&](const Request& r) { return r.name == name; });
  if (!request.bad() && (type != "request" || row == requests().end()))
    return refuse(message, {Outcome::kUnsupported, fmt::format("there is no request '{}'", name), "", ""});
  if (request.bad()) return refuse(message, *request.bad());
  if (row->needsSession && !opened_)
    return refuse(message, {Outcome::kBadInput, fmt::format("nothing is launched for '{}'", name), "", "send a launch request"});
  later_ = {};
  Arguments arguments = request.inner("arguments");
  const Answer answer = request.bad() ? Answer(*request.bad()) : (this->*row->answer)(arguments);
  if (!answer) return refuse(message, answer.error());
  Json response{{"type", "response"}, {"request_seq", sequence}, {"command", name}, {"success", true}};
  if (!answer->is_null()) response["body"] = *answer;
  send(std::move(response));
  if (const std::function<void()> then = std::exchange(later_, {})) then();
}

Adapter::Answer Adapter::initialize(Arguments a) {
  startsAt1_ = a.flagOr("linesStartAt1", true);
  tellsProgress_ = a.flagOr("supportsProgressReporting", false);
  takesInvalidated_ = a.flagOr("supportsInvalidatedEvent", false);
  if (a.bad()) return *a.bad();
  Json out;
  for (const char* can : {"supportsConfigurationDoneRequest",
                          "supportsFunctionBreakpoints",
                          "supportsConditionalBreakpoints",
                          "supportsHitConditionalBreakpoints",
                          "supportsLogPoints",
                          "supportsDataBreakpoints",
                          "supportsInstructionBreakpoints",
                          "supportsBreakpointLocationsRequest",
                          "supportsStepBack",
                          "supportsSteppingGranularity",
                          "supportsRestartFrame",
                          "supportsRestartRequest",
                          "supportsTerminateRequest",
                          "supportsCancelRequest",
                          "supportsExceptionInfoRequest",
                          "supportsExceptionFilterOptions",
                          "supportsEvaluateForHovers",
                          "supportsValueFormattingOptions",
                          "supportsClipboardContext",
                          "supportsCompletionsRequest",
                          "supportsDelayedStackTraceLoading",
                          "supportsLoadedSourcesRequest",
                          "supportsDisassembleRequest",
                          "supportsReadMemoryRequest",
                          "supportsWriteMemoryRequest",
                          "supportsSetVariable",
                          "supportsSetExpression"})
    out[can] = true;
  out["completionTriggerCharacters"] = {".", "[", " "};
  for (const FindingKind kind : kFindingKinds)
    out["exceptionBreakpointFilters"].push_back({{"filter", findingName(kind)}, {"label", findingName(kind)}, {"default", false}});
  for (const EventFilter& f : eventFilters())
    out["exceptionBreakpointFilters"].push_back(
        {{"filter", f.name}, {"label", f.name}, {"default", false}, {"supportsCondition", true}, {"conditionDescription", f.condition}});
  return out;
}

// "program" and "args" are what stands behind `lanewise debug` on a command line.
Status Adapter::open(Arguments a) {
  std::vector<std::string> words;
  if (a.has("program")) words.push_back(a.text("program"));
  for (const std::string& word : a.texts("args")) words.push_back(word);
  const std::string folder = a.textOr("cwd");
  const bool stops = a.flagOr("stopOnEntry", false), undebugged = a.flagOr("noDebug", false);
  if (a.bad()) return *a.bad();
  Expected<Launched> launched = opener_(words, folder);
  if (!launched) return launched.error();
  variables_.reset();
  shell_.reset();
  opened_ = std::move(launched->opened);
  commands_ = std::move(launched->commands);
  stopsOnEntry_ = stops;
  isUndebugged_ = undebugged;
  data_.clear();
  events_.clear();
  shell_ = std::make_unique<DebugShell>(session(), [this](const std::string& line) { printed_ += (printed_.empty() ? "" : "\n") + line; });
  shell_->setFace({opened_.get(), {}});
  variables_ = std::make_unique<Variables>(session());
  sources_ = Sources(session());
  instructions_ = Instructions(session());
  session().setPulse([this](const debug::Time& now) { return pulse(now); });
  return {};
}

Adapter::Answer Adapter::launch(Arguments a) {
  if (opened_) return Error{Outcome::kBadInput, "something is launched already", "", "restart it, or start another adapter"};
  if (Status bad = open(a)) return *bad;
  launched_ = a.whole();
  later_ = [this] { event("initialized"); };
  return Json();
}

Adapter::Answer Adapter::configurationDone(Arguments) {
  if (std::exchange(isBegun_, true)) return Error{Outcome::kBadInput, "the run has begun", "", ""};
  later_ = [this] { begin(); };
  return Json();
}

// The commands of the launch; else to the entry, or on to the first place to stop at.
void Adapter::begin() {
  if (isUndebugged_) {
    const Expected<debug::Stop> stop = session().toEnd();
    if (!stop || stop->error) output(textWithCommands(stop ? *stop->error : stop.error()), "stderr");
    return event("terminated");
  }
  for (const std::string& line : commands_) {
    if (shell_->isOver()) break;
    printed_.clear();
    shell_->execute(line);
    output("> " + line + (printed_.empty() ? "" : "\n" + printed_));
  }
  if (!commands_.empty() || stopsOnEntry_) return stopped(session().stop());
  move("continue", [this] { return session().go(true, true); });
}

// The subject is opened again, so a source that has changed is compiled anew; breakpoints are looked for again in it.
Adapter::Answer Adapter::restart(Arguments a) {
  Arguments launch = a.inner("arguments");
  const Json wanted = launch.has("program") || launch.has("args") ? launch.whole() : launched_;
  if (a.bad()) return *a.bad();
  if (Status bad = open(Arguments(wanted))) return *bad;
  launched_ = wanted;
  for (auto& [group, all] : breakpoints_)
    for (Wanted& w : all) w.number = 0;
  for (auto& asked : asked_) {
    const auto& [name, arguments] = asked.second;
    const auto row = std::ranges::find(requests(), std::string_view(name), &Request::name);
    static_cast<void>((this->*row->answer)(Arguments(arguments)));
  }
  later_ = [this] {
    for (const auto& [group, all] : breakpoints_)
      for (const Wanted& w : all) event("breakpoint", {{"reason", "changed"}, {"breakpoint", told(w)}});
    begin();
  };
  return Json();
}

// The run ends for the editor, which then disconnects.
Adapter::Answer Adapter::terminate(Arguments) {
  later_ = [this] { event("terminated"); };
  return Json();
}

Adapter::Answer Adapter::disconnect(Arguments) {
  isOver_ = true;
  return Json();
}

}  // namespace lanewise::dap
