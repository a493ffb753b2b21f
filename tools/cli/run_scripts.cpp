#include "tools/cli/run_scripts.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "model/base/file.h"
#include "model/base/parallel_for.h"
#include "model/base/visible.h"
#include "tools/amber/parse.h"
#include "tools/amber/run_script.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/opening.h"
#include "tools/cli/run_waiting.h"
#include "tools/report/escape.h"
#include "tools/report/junit.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// What one script of a folder gave.
struct ScriptOutcome {
  std::string file;
  Outcome outcome = Outcome::kOk;
  std::string text{};   // what is wrong, or to be noted
  std::string opens{};  // the command that opens it in the debugger; empty: there is none
  double seconds = 0;
};

// Where the job of a script's side runs.
using RunOne = std::function<RunResult(RunSide&, const Job&)>;

Status refuseOptions(const RunOptions& o) {
  const RunArguments& run = o.subject.module.run;
  const std::pair<const char*, bool> given[] = {{"--groups", !run.groups.empty()},    {"--buffer", !run.buffers.empty()},
                                                {"--memory", !run.memory.empty()},    {"--image", !run.images.empty()},
                                                {"--sampler", !run.samplers.empty()}, {"--push", !run.push.empty()},
                                                {"--spec", !run.spec.empty()},        {"--zero", run.zero},
                                                {"--then", !run.then.empty()},        {"--entry", !run.entry.empty()},
                                                {"--expect", !o.expect.empty()},      {"--tolerance", !o.tolerance.empty()},
                                                {"--patch", o.patch != "none"},       {"--full-subgroups", o.fullSubgroups}};
  for (const auto& [option, isGiven] : given)
    if (isGiven) return Error{Outcome::kBadInput, "a script says this itself", option, "leave it out"};
  if (o.repeat != 0) return Error{Outcome::kBadInput, "a script is run once", "--repeat", "`lanewise bench` times scripts"};
  if (const std::string option = givenOption(o.subject, {For::kCase, For::kKernel}); !option.empty())
    return Error{Outcome::kBadInput, "only a kernel has it", option, "leave it out"};
  return {};
}

struct OpenScript {
  std::shared_ptr<const amber::ReadyScript> ready;
  RunJob report;
};

Expected<OpenScript> openScript(const std::string& file, const RunOptions& o, std::span<const std::string> outs) {
  Expected<amber::Script> script = amber::readScript(file);
  if (!script) return script.error();
  Expected<std::shared_ptr<const amber::ReadyScript>> ready = amber::makeReady(std::move(*script), o.subject.module.source);
  if (!ready) return ready.error();
  Expected<RunJob> report = amber::reportOf(**ready, outs);
  if (!report) return report.error();
  if (report->job.dispatches.empty()) report->notes.push_back("nothing runs in it");
  return OpenScript{std::move(*ready), std::move(*report)};
}

// The commands that open what is wrong on a side. The debugger takes the script as one job; if it is none, there are no commands.
void addScriptOpenings(const RunOptions& o, const RunSide& side, const amber::ReadyScript& ready, const std::vector<amber::Failed>& failed,
                       SideRun& run) {
  if (failed.empty() && run.result.findings.empty() && !run.result.error) return;
  const Expected<amber::WholeScript> whole = amber::wholeScript(ready);
  if (!whole || !side.model) return;
  for (RunFinding& f : run.result.findings) f.dispatch = whole->runs[f.dispatch];
  addOpenings(o, side, true, run);
  if (failed.empty() || run.result.error) return;
  const amber::Failed& first = failed[0];
  const std::uint32_t before = whole->expectations[first.number];  // dispatches, behind which the expectation looks
  if (before == 0) return;
  std::vector<std::string> commands = {before == whole->job.dispatches.size() ? "end" : fmt::format("time {}.1.0", before)};
  if (!first.at.empty()) {
    const std::string buffer = first.at.substr(0, first.at.find(' '));
    if (std::ranges::find(whole->job.resources, buffer, &Resource::name) == whole->job.resources.end()) return;  // no run binds it
    commands.push_back("writer " + first.at);
  }
  run.opens = opening(o, side, commands);
}

// A script on every side, one after another.
RunReport runOnSides(const RunOptions& o, const OpenScript& script, std::vector<RunSide> sides, const RunOne& runOne) {
  RunReport report;
  report.subject = script.ready->script.file;
  report.compared = sides.size() > 1;
  Limits limits;
  if (o.subject.module.maxSteps != 0) limits.maxSteps = o.subject.module.maxSteps;
  if (o.subject.module.timeout > 0) limits.timeoutSeconds = o.subject.module.timeout;
  for (RunSide& side : sides) {
    amber::ScriptRun run(script.ready, side.device->profile(), limits, side.subgroupSize);
    while (const Job* job = run.next()) run.take(runOne(side, *job));
    if (run.expectations() != 0) side.run.wrong = run.failedText();
    SideRun own = std::exchange(side.run, {});
    const auto failed = run.failed();
    own.result = std::move(run).result();
    addScriptOpenings(o, side, *script.ready, failed, own);
    report.sides.push_back(std::move(own));
  }
  return report;
}

// As a subject of openRunSides(): it asks only for what a module's has too.
Subject subjectFor(const std::string& file) {
  return {file, {}, std::make_shared<const RunJob>()};
}

// The first thing that is wrong, for a line of the summary.
std::string wrongText(const RunReport& report) {
  for (const SideRun& side : report.sides)
    if (side.result.error) return (report.compared ? side.name + ": " : "") + side.result.error->text();
  for (const SideRun& side : report.sides)
    if (side.wrong && !side.wrong->empty()) return (report.compared ? side.name + ": " : "") + *side.wrong;
  for (const Difference& d : report.differences) return d.text;
  for (const SideRun& side : report.sides)
    for (const RunFinding& f : side.result.findings) return "finding: " + f.text();
  return "";
}

// The first command that opens something of a report.
std::string firstOpening(const RunReport& report) {
  std::vector<std::string> all;
  for (const SideRun& side : report.sides) {
    all.push_back(side.opens);
    all.insert(all.end(), side.findingOpens.begin(), side.findingOpens.end());
  }
  const auto first = std::ranges::find_if(all, [](const std::string& one) { return !one.empty(); });
  return first == all.end() ? "" : *first;
}

ScriptOutcome outcomeOf(const std::string& file, RunOptions o, const RunSides& open) {
  const auto begin = std::chrono::steady_clock::now();
  o.subject.text = file;
  ScriptOutcome out{.file = file};
  const Expected<OpenScript> script = openScript(file, o, {});
  if (!script) {
    out.outcome = script.error().outcome;
    out.text = script.error().text();
  } else {
    RunReport report = runOnSides(o, *script, open.sides, [](RunSide& side, const Job& job) { return side.device->run(job); });
    if (report.compared) report.differences = compareSides(script->report, report.sides);
    out.outcome = report.outcome();
    out.text = wrongText(report);
    out.opens = firstOpening(report);
    if (out.text.empty() && !script->report.notes.empty()) out.text = script->report.notes.back();
  }
  // Amber's own convention of names.
  if (file.find(".expect_fail.") != std::string::npos) {
    const bool fails = out.outcome == Outcome::kFinding || out.outcome == Outcome::kBadInput;
    if (fails) {
      out = {.file = file};
    } else if (out.outcome == Outcome::kOk) {
      out.outcome = Outcome::kFinding;
      out.text = "its name says that it fails, and everything in it holds";
    }
  }
  while (out.text.ends_with('\n')) out.text.pop_back();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

std::string junitOf(const std::vector<ScriptOutcome>& all, const std::string& name) {
  JunitSuite suite{.name = name, .tests = all.size()};
  for (const ScriptOutcome& s : all) {
    suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">", escaped(name), escaped(s.file), s.seconds);
    const std::string text = escaped(s.text);
    const std::string whole = fmt::format("{}{}{}", text, s.opens.empty() ? "" : "\nopen it there: ", escaped(s.opens));
    const bool isSkipped = s.outcome == Outcome::kUnsupported || s.outcome == Outcome::kInterrupted;
    if (s.outcome != Outcome::kOk) ++(s.outcome == Outcome::kFinding ? suite.failures : isSkipped ? suite.skipped : suite.errors);
    if (s.outcome == Outcome::kFinding)
      suite.cases += fmt::format("<failure message=\"{}\">{}</failure>", text, whole);
    else if (isSkipped)
      suite.cases += fmt::format("<skipped message=\"{}\"/>", text);
    else if (s.outcome != Outcome::kOk)
      suite.cases += fmt::format("<error type=\"{}\" message=\"{}\">{}</error>", outcomeName(s.outcome), text, whole);
    suite.cases += "</testcase>\n";
  }
  return junitDocument({&suite, 1});
}

std::string summaryOf(const std::vector<ScriptOutcome>& all) {
  std::string out;
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const ScriptOutcome& s : all) {
    const std::string name = s.outcome == Outcome::kOk ? "passed" : s.outcome == Outcome::kFinding ? "failed" : outcomeName(s.outcome);
    const auto found = std::ranges::find(counts, name, &std::pair<std::string, std::size_t>::first);
    if (found == counts.end())
      counts.emplace_back(name, 1);
    else
      ++found->second;
    if (s.outcome == Outcome::kInterrupted) continue;  // the last line counts them
    out += s.outcome == Outcome::kOk ? fmt::format("passed  {}{}{}\n", s.file, s.text.empty() ? "" : ": ", s.text)
                                     : fmt::format("{}  {}: {}\n", s.outcome == Outcome::kFinding ? "FAILED" : name, s.file, s.text);
    if (!s.opens.empty()) out += fmt::format("  open it there: {}\n", s.opens);
  }
  out += fmt::format("{} scripts", all.size());
  for (const auto& [name, count] : counts) out += fmt::format(", {} {}", count, name);
  return out + "\n";
}

std::string jsonOf(const std::vector<ScriptOutcome>& all, Outcome outcome) {
  nlohmann::ordered_json json = {
      {"schema", "lanewise-scripts-1"}, {"version", LANEWISE_VERSION}, {"scripts", nlohmann::ordered_json::array()}};
  for (const ScriptOutcome& s : all)
    json["scripts"].push_back(
        {{"file", s.file}, {"outcome", outcomeName(s.outcome)}, {"what", s.text}, {"opens", s.opens}, {"seconds", s.seconds}});
  json["outcome"] = outcomeName(outcome);
  json["exitCode"] = static_cast<int>(outcome);
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Expected<Outcome> runFolder(const RunOptions& o) {
  if (!o.subject.module.run.outs.empty())
    return Error{Outcome::kBadInput, "a folder of scripts writes no outputs", "--out", "run one script"};
  std::vector<std::string> files;
  std::error_code failed;
  for (auto it = fs::recursive_directory_iterator(o.subject.text, failed); !failed && it != fs::recursive_directory_iterator();
       it.increment(failed))
    if (it->is_regular_file() && amber::isScriptFile(it->path().string())) files.push_back(it->path().string());
  if (failed) return fileError("read", o.subject.text, failed.value());
  if (files.empty())
    return Error{Outcome::kBadInput, "the folder has no script", o.subject.text, "files that end in .amber, .vkscript or .shader_test"};
  std::ranges::sort(files);
  const std::atomic<bool>& stop = catchInterrupt();
  const Expected<RunSides> open = openRunSides(o, subjectFor(o.subject.text), &stop);
  if (!open) return open.error();
  std::vector<ScriptOutcome> all(files.size());
  parallelFor(files.size(), [&](std::size_t i) {
    all[i] = stop ? ScriptOutcome{.file = files[i], .outcome = Outcome::kInterrupted} : outcomeOf(files[i], o, *open);
    if (all[i].outcome == Outcome::kInterrupted) all[i].text = "not run to its end";
  });
  std::vector<Outcome> outcomes;
  for (const ScriptOutcome& s : all) outcomes.push_back(s.outcome);
  const bool isWhole = std::ranges::find(outcomes, Outcome::kInterrupted) == outcomes.end();
  const Outcome outcome = isWhole ? gravest(outcomes) : Outcome::kInterrupted;
  fmt::print("{}", o.json ? jsonOf(all, outcome) : visible(summaryOf(all)));
  if (!o.junit.empty())
    if (Status bad = writeTextFile(o.junit, junitOf(all, o.subject.text))) return *bad;
  return outcome;
}

}  // namespace

bool namesScripts(const std::string& text) {
  std::error_code failed;
  return (amber::isScriptFile(text) && fs::exists(text, failed)) || fs::is_directory(text, failed);
}

Expected<Outcome> runScripts(const RunOptions& o) {
  if (Status bad = refuseOptions(o)) return *bad;
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  std::error_code failed;
  if (fs::is_directory(o.subject.text, failed)) return runFolder(o);
  const Expected<OpenScript> script = openScript(o.subject.text, o, o.subject.module.run.outs);
  if (!script) return script.error();
  Expected<RunSides> open = openRunSides(o, subjectFor(o.subject.text));
  if (!open) return open.error();
  if (o.diff && open->sides.size() < 2)
    return Error{Outcome::kBadInput, "--diff compares sides, and there is one", "--device " + o.device,
                 "e.g. --device model,lavapipe or all"};
  if (!o.json)
    for (const std::string& note : script->report.notes) fmt::print(stderr, "note: {}\n", visible(note));
  RunReport report =
      runOnSides(o, *script, open->sides, [&](RunSide& side, const Job& job) { return runWaiting(side, job, o.subject.module.timeout); });
  if (report.compared) report.differences = compareSides(script->report, report.sides);
  const Expected<Outcome> outcome = presentRun(o, script->report, report);
  if (!o.junit.empty()) {
    ScriptOutcome one{.file = o.subject.text,
                      .outcome = outcome ? *outcome : outcome.error().outcome,
                      .text = outcome ? wrongText(report) : outcome.error().text(),
                      .opens = firstOpening(report)};
    for (const SideRun& side : report.sides) one.seconds += side.result.seconds;
    if (Status bad = writeTextFile(o.junit, junitOf({one}, o.subject.text))) return *bad;
  }
  return outcome;
}

}  // namespace lanewise
