// `lanewise trace`: what one invocation does, and the model's state as a file that another run goes on from.
//
// A state file: a line "lanewise state 1", a line with the case, a line with the invocation and the number of its next instruction, then
// the engine's bytes.
#include <fmt/format.h>

#include <sstream>

#include "golden/store/hash.h"
#include "model/base/file.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/comma_lists.h"
#include "tools/cli/commands.h"
#include "tools/cli/trace_observer.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

struct Trace {
  Case what;
  Extent3 invocation;
  std::uint64_t next = 1;
  std::vector<std::byte> state;  // empty: from the start
};

Expected<Trace> fromOptions(const TraceOptions& o) {
  if (o.kernel.empty()) return Error{Outcome::kBadInput, "no kernel named", "trace", "name one, or --resume a saved state"};
  std::string text = fmt::format("{} @ {} input={}", o.kernel, o.size, o.input);
  if (const Kernel* kernel = findKernel(o.kernel))
    for (const Parameter& p : kernel->parameters) {
      if (p.name == "radius") text += fmt::format(" radius={}", o.radius);
      if (p.name == "edge") text += " edge=" + o.edge;
    }
  if (o.subgroupSize != 0) text += fmt::format(" subgroup={}", o.subgroupSize);
  Expected<Case> c = parseCase(text);
  if (!c) return c.error();
  const Expected<Extent3> at = parseInvocation("--invocation", o.invocation);
  if (!at) return at.error();
  return Trace{std::move(*c), *at, 1, {}};
}

Expected<Trace> fromFile(const std::string& file) {
  const Expected<std::string> bytes = readWholeFile(file);
  if (!bytes) return bytes.error();
  std::istringstream in(*bytes);
  std::string magic, name;
  Trace trace;
  std::getline(in, magic);
  std::getline(in, name);
  in >> trace.invocation.x >> trace.invocation.y >> trace.invocation.z >> trace.next;
  in.get();
  if (!in || magic != "lanewise state 1") return Error{Outcome::kBadInput, "not a state that `lanewise trace --save` wrote", file, ""};
  Expected<Case> c = parseCase(name);
  if (!c) return c.error();
  trace.what = std::move(*c);
  const std::span<const std::byte> state = std::as_bytes(std::span(*bytes)).subspan(static_cast<std::size_t>(in.tellg()));
  trace.state.assign(state.begin(), state.end());
  return trace;
}

Status saveTo(const std::string& file, const Trace& trace, std::uint64_t next, const std::vector<std::byte>& state) {
  std::string text = fmt::format("lanewise state 1\n{}\n{} {} {} {}\n", trace.what.name(), trace.invocation.x, trace.invocation.y,
                                 trace.invocation.z, next);
  text.append(reinterpret_cast<const char*>(state.data()), state.size());
  return writeTextFile(file, text);
}

// The end of a run: the outputs' hash beside the expected one.
Expected<Outcome> finish(const Trace& trace, const golden::Image& input, Execution& execution) {
  const Expected<Expectation> expected = expectationOf(trace.what, input);
  if (!expected) return expected.error();
  RunResult run;
  run.outputs = execution.takeOutputs();
  const Expected<std::vector<golden::Image>> got = imagesOf(run, *expected);
  if (!got) return got.error();
  const Expected<std::optional<OutputDiff>> wrong = firstDifference(trace.what, *expected, *got);
  if (!wrong) return wrong.error();
  const bool same = !*wrong;
  fmt::print("outputs {}: {}\n", golden::hashText(golden::hashOutputs(*got)), same ? "as expected" : "NOT as expected");
  return same ? Outcome::kOk : Outcome::kFinding;
}

}  // namespace

Expected<Outcome> runTrace(const TraceOptions& o) {
  if (o.save.empty() != (o.stopAt == 0)) return Error{Outcome::kBadInput, "--stop-at and --save belong together", "trace", ""};
  const Expected<Trace> trace = o.resume.empty() ? fromOptions(o) : fromFile(o.resume);
  if (!trace) return trace.error();
  const Expected<golden::Image> input = Inputs().make(trace->what);
  if (!input) return input.error();
  const Job job = trace->what.kernel->plan(trace->what, kernelModule(*trace->what.kernel), *input);
  const Expected<Profile> profile = parseProfile(o.profile);
  if (!profile) return profile.error();
  const Expected<Schedule> schedule = parseSchedule(o.schedule);
  if (!schedule) return schedule.error();
  Model model({.profile = *profile, .schedule = *schedule});
  Expected<Execution> execution = model.start(job);
  if (!execution) return execution.error();
  if (!trace->state.empty())
    if (Status bad = execution->restore(trace->state)) return *bad;
  TraceObserver observer(trace->invocation, trace->next, o.stopAt, job, [](const std::string& line) { fmt::print("{}\n", line); });
  if (Status bad = execution->run(observer)) return *bad;
  if (!execution->finished()) {
    if (Status bad = saveTo(o.save, *trace, observer.next(), execution->save())) return *bad;
    fmt::print("stopped before instruction {}; state in {}\n", observer.next(), o.save);
    return Outcome::kOk;
  }
  if (observer.next() == 1)
    return Error{Outcome::kBadInput, "no dispatch has this invocation", "--invocation",
                 "see the kernel's local size and the picture's size"};
  if (o.stopAt != 0) fmt::print("the run ended before instruction {}: nothing was saved\n", o.stopAt);
  return finish(*trace, *input, *execution);
}

}  // namespace lanewise
