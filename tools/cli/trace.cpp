// `lanewise trace`: prints what one invocation does, and saves the model's state in a file from which another run continues.
//
// A state file has a line "lanewise state 4", a line with the subject (subject_text.h), a line with the invocation, its position
// (TracePlace), the profile and the schedule, and then the engine's bytes.
#include <fmt/format.h>

#include <sstream>

#include "golden/store/hash.h"
#include "model/base/file.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tools/cli/commands.h"
#include "tools/cli/subject_options.h"
#include "tools/cli/trace_observer.h"
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

// The end of a run: the outputs' hash, beside the expected one if there is one.
Expected<Outcome> finish(const Subject& subject, Execution& execution) {
  RunResult run;
  run.outputs = execution.takeOutputs();
  const Expected<std::optional<Expectation>> expected = expectationOf(subject);
  if (!expected) return expected.error();
  if (!*expected) {
    for (const Resource& r : run.outputs) fmt::print("output {}: {}\n", r.name, golden::hashText(golden::hashBytes(r.bytes())));
    return Outcome::kOk;
  }
  const Expected<Judged> judged = judge(**expected, run);
  if (!judged) return judged.error();
  fmt::print("outputs {}: {}\n", golden::hashText(golden::hashOutputs(judged->got)), judged->wrong ? "NOT as expected" : "as expected");
  return judged->wrong ? Outcome::kFinding : Outcome::kOk;
}

}  // namespace

Expected<Outcome> runTrace(const TraceOptions& o) {
  if (o.save.empty() != (o.stopAt == 0)) return Error{Outcome::kBadInput, "--stop-at and --save belong together", "trace", ""};
  const Expected<Trace> trace = o.resume.empty() ? fromOptions(o) : fromFile(o);
  if (!trace) return trace.error();
  const Expected<Subject> subject = openSubject(trace->subject);
  if (!subject) return subject.error();
  const Expected<Way> way = wayOf(*subject, trace->profile, trace->schedule);
  if (!way) return way.error();
  Model model({.profile = way->profile, .schedule = way->schedule});
  Expected<Execution> execution = model.start(subject->job, ir::Flavour::kFaithful);
  if (!execution) return execution.error();
  if (!trace->state.empty())
    if (Status bad = execution->restore(trace->state)) return *bad;
  TraceObserver observer({trace->invocation, o.stopAt, o.variables, o.lines}, trace->place, subject->job,
                         [](const std::string& line) { fmt::print("{}\n", line); });
  if (Status bad = execution->run(observer)) return *bad;
  if (!execution->finished()) {
    if (Status bad = saveTo(o.save, *trace, observer.place(), execution->save())) return *bad;
    fmt::print("stopped before instruction {}; state in {}\n", o.stopAt, o.save);
    return Outcome::kOk;
  }
  if (observer.place().next == 1)
    return Error{Outcome::kBadInput, "no dispatch has this invocation", "--invocation", "see the local size and the number of workgroups"};
  if (o.stopAt != 0) fmt::print("the run ended before instruction {}: nothing was saved\n", o.stopAt);
  return finish(*subject, *execution);
}

}  // namespace lanewise
