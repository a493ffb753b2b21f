// `lanewise trace`: prints what one invocation does, and saves the model's state in a file from which another run continues.
//
// A state file has a line "lanewise state 4", a line with the subject (subject_text.h), a line with the invocation, its position
// (TracePlace), the profile and the schedule, and then the engine's bytes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "golden/store/hash.h"
#include "model/base/file.h"
#include "model/base/visible.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tools/cli/commands.h"
#include "tools/cli/subject_options.h"
#include "tools/cli/trace_observer.h"
#include "tools/debug/resource_name.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject_text.h"

namespace lanewise {
namespace {

struct Trace {
  SubjectArguments subject;
  Extent3 invocation;
  TracePlace place;
  std::string profile, schedule;  // empty: the default
  std::vector<std::byte> state;   // empty: from the start
};

constexpr std::string_view kMagic = "lanewise state 4";

Expected<Trace> fromOptions(const TraceOptions& o) {
  const Expected<Extent3> at = parseInvocation("--invocation", o.invocation.empty() ? "0,0,0" : o.invocation);
  if (!at) return at.error();
  return Trace{o.subject, *at, {}, o.profile, o.schedule, {}};
}

// Takes everything but --stop-at, --save and the output options from the file.
Expected<Trace> fromFile(const TraceOptions& o) {
  const std::pair<const char*, bool> others[] = {{"SUBJECT and its options", subjectText(o.subject) != subjectText({})},
                                                 {"--invocation", !o.invocation.empty()},
                                                 {"--profile", !o.profile.empty()},
                                                 {"--schedule", !o.schedule.empty()}};
  for (const auto& [option, given] : others)
    if (given) return Error{Outcome::kBadInput, "a saved state has its own", option, "leave it out, or --resume"};
  const Expected<std::string> bytes = readWholeFile(o.resume);
  if (!bytes) return bytes.error();
  const Error wrong{Outcome::kBadInput, "not a state that this version's `lanewise trace --save` wrote", o.resume, ""};
  std::istringstream in(*bytes);
  std::string magic, subject, place;
  std::getline(in, magic);
  std::getline(in, subject);
  std::getline(in, place);
  if (!in || magic != kMagic) return wrong;
  const std::optional<SubjectArguments> arguments = parseSubjectText(subject);
  Trace trace;
  std::istringstream words(place);
  words >> trace.invocation.x >> trace.invocation.y >> trace.invocation.z >> trace.place.next >> trace.place.earlier >>
      trace.place.dispatch >> trace.place.pc;
  if (!words || !arguments) return wrong;
  words >> trace.profile >> trace.schedule;
  if (trace.profile == "-") trace.profile.clear();
  if (trace.schedule == "-") trace.schedule.clear();
  trace.subject = *arguments;
  const std::span<const std::byte> state = std::as_bytes(std::span(*bytes)).subspan(static_cast<std::size_t>(in.tellg()));
  trace.state.assign(state.begin(), state.end());
  return trace;
}

Status saveTo(const std::string& file, const Trace& trace, TracePlace place, const std::vector<std::byte>& state) {
  const auto word = [](const std::string& text) { return text.empty() ? "-" : text; };
  std::string text =
      fmt::format("{}\n{}\n{} {} {} {} {} {} {} {}\n", kMagic, subjectText(trace.subject), trace.invocation.x, trace.invocation.y,
                  trace.invocation.z, place.next, place.earlier, place.dispatch, place.pc, word(trace.profile), word(trace.schedule));
  text.append(reinterpret_cast<const char*>(state.data()), state.size());
  return writeTextFile(file, text);
}

// "blur.comp:31" or "31".
Expected<std::vector<TracedLine>> linesOf(const std::vector<std::string>& texts) {
  std::vector<TracedLine> out;
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':');
    const std::string number = colon == std::string::npos ? text : text.substr(colon + 1);
    std::uint32_t line = 0;
    const auto [end, bad] = std::from_chars(number.data(), number.data() + number.size(), line);
    if (bad != std::errc{} || end != number.data() + number.size() || line == 0)
      return Error{Outcome::kBadInput, fmt::format("'{}' is no line", text), "--at", "LINE or FILE:LINE"};
    out.push_back({colon == std::string::npos ? "" : text.substr(0, colon), line});
  }
  return out;
}

// Options that would do nothing.
Status refuseIdle(const TraceOptions& o) {
  if (o.save.empty() != (o.stopAt == 0)) return Error{Outcome::kBadInput, "--stop-at and --save belong together", "trace", ""};
  if (o.lines && !o.resource.empty()) return Error{Outcome::kBadInput, "a source line is no access", "--resource", "leave --lines out"};
  return {};
}

// The job's name of what --resource names as `run` does, or a variable of workgroup memory. Bad input: there is no such thing.
Expected<std::string> accessedName(const std::string& name, const Job& job, const Execution& execution) {
  if (name.empty() || resourceNamed(job.resources, name) < job.resources.size()) return name;
  std::set<std::string> names;
  for (const Resource& r : job.resources) names.insert(r.name);
  for (std::uint32_t d = 0; d < job.dispatches.size(); ++d) {
    const Program& p = execution.programOf(d);
    const std::vector<std::string> bound = boundTo(job, d, p, name);
    if (bound.size() > 1) return severalBound(name, bound, "--resource");
    if (bound.size() == 1) return bound[0];
    for (const ir::ModuleVariable& v : p.variables)
      if (v.memory.kind == ir::Pointee::Kind::kWorkgroup) names.insert(p.module.nameOf(v.id));
  }
  if (names.contains(name)) return name;
  return Error{Outcome::kBadInput, fmt::format("nothing is called '{}'", name), "--resource",
               fmt::format("one of {}", fmt::join(names, ", "))};
}

// Bad input: no instruction stands at a line that is asked for.
Status refuseNoLine(const std::vector<TracedLine>& lines, const Job& job, const Execution& execution) {
  for (const TracedLine& line : lines) {
    bool any = false;
    for (std::uint32_t d = 0; d < job.dispatches.size() && !any; ++d) {
      const spirv::Module& module = execution.programOf(d).module;
      any = std::ranges::any_of(module.instructions, [&](const auto& i) { return line.is(module.string(i.source.file), i.source.line); });
    }
    const std::string file = line.file.empty() ? "" : fmt::format(" of a file '{}'", line.file);
    if (!any) return Error{Outcome::kBadInput, fmt::format("no instruction stands at line {}{}", line.line, file), "--at", ""};
  }
  return {};
}

void tell(bool json, nlohmann::ordered_json record, const std::string& text) {
  fmt::print("{}\n", json ? record.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) : visible(text));
}

// The end of a run: the outputs' hash, beside the expected one if there is one.
Expected<Outcome> finish(const Subject& subject, Execution& execution, bool json) {
  RunResult run;
  run.outputs = execution.takeOutputs();
  const Expected<std::optional<Expectation>> expected = knownResultOf(subject);
  if (!expected) return expected.error();
  if (!*expected) {
    for (const Resource& r : run.outputs) {
      const std::string hash = golden::hashText(golden::hashBytes(r.bytes()));
      tell(json, {{"output", r.name}, {"hash", hash}}, fmt::format("output {}: {}", r.name, hash));
    }
    return Outcome::kOk;
  }
  const Expected<Judged> judged = judge(**expected, run);
  if (!judged) return judged.error();
  const std::string hash = golden::hashText(golden::hashOutputs(judged->got));
  tell(json, {{"outputs", hash}, {"asExpected", !judged->wrong}},
       fmt::format("outputs {}: {}", hash, judged->wrong ? "NOT as expected" : "as expected"));
  return judged->wrong ? Outcome::kFinding : Outcome::kOk;
}

}  // namespace

Expected<Outcome> runTrace(const TraceOptions& given) {
  TraceOptions o = given;
  if (Status bad = takeMemory(o.subject.module, o.schedule)) return *bad;
  if (Status bad = refuseIdle(o)) return *bad;
  const auto lines = linesOf(o.at);
  if (!lines) return lines.error();
  const Expected<Trace> trace = o.resume.empty() ? fromOptions(o) : fromFile(o);
  if (!trace) return trace.error();
  const Expected<Subject> subject = openSubject(trace->subject);
  if (!subject) return subject.error();
  const Expected<Way> way = wayOf(*subject, trace->profile, trace->schedule);
  if (!way) return way.error();
  if (const MadeCase* made = subject->madeCase())
    if (const std::string why = cannotRun(made->what, way->profile); !why.empty())
      fmt::print(stderr, "note: {}: {}\n", visible(subject->name), why);
  if (way->schedule.weak && !o.save.empty())
    return Error{Outcome::kUnsupported, "a run with stale memory cannot be saved", way->schedule.token(), "leave out --save"};
  Model model({.profile = way->profile, .schedule = way->schedule});
  Expected<Execution> execution = model.start(subject->job, ir::Flavour::kFaithful);
  if (!execution) return execution.error();
  const Expected<std::string> accessed = accessedName(o.resource, subject->job, *execution);
  if (!accessed) return accessed.error();
  if (Status bad = refuseNoLine(*lines, subject->job, *execution)) return *bad;
  if (!trace->state.empty())
    if (Status bad = execution->restore(trace->state)) return *bad;
  if (o.json) tell(true, {{"schema", "lanewise-trace-1"}, {"version", LANEWISE_VERSION}}, "");
  TraceObserver observer({trace->invocation, o.stopAt, o.variables, o.lines, *lines, *accessed, o.json}, trace->place, subject->job,
                         [](const std::string& line) { fmt::print("{}\n", visible(line)); });
  if (Status bad = execution->run(observer)) return *bad;
  if (!execution->finished()) {
    if (Status bad = saveTo(o.save, *trace, observer.place(), execution->save())) return *bad;
    tell(o.json, {{"stoppedBefore", o.stopAt}, {"state", o.save}},
         fmt::format("stopped before instruction {}; state in {}", o.stopAt, o.save));
    return Outcome::kOk;
  }
  if (observer.place().next == 1)
    return Error{Outcome::kBadInput, "no dispatch has this invocation", "--invocation", "see the local size and the number of workgroups"};
  if (o.stopAt != 0)
    tell(o.json, {{"stoppedBefore", nullptr}}, fmt::format("the run ended before instruction {}: nothing was saved", o.stopAt));
  return finish(*subject, *execution, o.json);
}

}  // namespace lanewise
