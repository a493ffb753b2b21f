// `lanewise run`: a user's module, a kernel's case or a capsule on the model and on devices; scripts are in run_scripts.cpp. Files are
// written after everything has run.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "model/base/visible.h"
#include "model/mend.h"
#include "model/model.h"
#include "model/patch/patch.h"
#include "tools/cli/opening.h"
#include "tools/cli/run_expect.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_scripts.h"
#include "tools/cli/run_sides.h"
#include "tools/cli/run_waiting.h"
#include "tools/subject/way.h"

namespace lanewise {
namespace {

// "sums.bin" for the first side, "sums.lavapipe.bin" for another.
std::string fileFor(const std::string& file, const SideRun& side, bool first) {
  if (first || file == kTerminal) return file;
  std::string name = side.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  const std::filesystem::path path(file);
  return (path.parent_path() / fmt::format("{}.{}{}", path.stem().string(), name, path.extension().string())).string();
}

Status writeFiles(const RunJob& runJob, SideRun& side, bool first) {
  for (std::size_t i = 0; i < runJob.outputs.size(); ++i)
    for (const OutArgument& file : runJob.outputs[i].files) {
      const std::string name = fileFor(file.file, side, first);
      if (name != kTerminal)
        if (Status wrong = writeOutput(runJob.outputs[i], file, name, side.result.outputs[i])) return wrong;
      side.files.push_back(name);
    }
  return std::nullopt;
}

// The values for the terminal, those of equal sides once; with a heading if there are several.
std::string terminalText(const RunJob& runJob, const std::vector<SideRun>& sides) {
  struct Shown {
    std::string title, text;
    std::vector<std::string> sides;
  };
  std::vector<Shown> all;
  for (std::size_t i = 0; i < runJob.outputs.size(); ++i)
    for (const OutArgument& file : runJob.outputs[i].files) {
      const std::size_t begin = all.size();
      for (const SideRun& side : sides) {
        if (file.file != kTerminal || side.result.error) continue;
        const Expected<std::string> text = outputText(runJob.outputs[i], file, side.result.outputs[i]);
        if (!text) continue;
        auto same =
            std::find_if(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(), [&](const Shown& s) { return s.text == *text; });
        if (same == all.end()) same = all.insert(same, {runJob.outputs[i].title, *text, {}});
        same->sides.push_back(side.name);
      }
    }
  std::string out;
  for (const Shown& s : all) {
    if (all.size() > 1) out += s.title + (sides.size() > 1 ? fmt::format(" on {}", fmt::join(s.sides, ", ")) : "") + ":\n";
    out += s.text;
  }
  return out;
}

// The module that every side runs, and how it was changed.
Expected<std::string> patchRunJob(RunJob& runJob, const RunSides& sides, const std::string& name) {
  const Expected<Patch> patch = parsePatch(name);
  if (!patch) return patch.error();
  CommonControls controls;
  for (const RunSide& side : sides.sides) controls.narrow(side.device->profile());
  std::map<std::shared_ptr<const ShaderModule>, std::shared_ptr<const ShaderModule>> done;
  std::string what;
  for (Dispatch& d : runJob.job.dispatches) {
    std::shared_ptr<const ShaderModule>& other = done[d.module];
    if (!other) {
      Expected<PatchedModule> patched = patchModule(d.module, *patch, controls);
      if (!patched) return patched.error();
      other = std::move(patched->module);
      what = std::move(patched->what);
    }
    d.module = other;
  }
  return what;
}

// The job of what is named. Only a module's --out says more than a file.
struct Prepared {
  Subject subject;
  RunJob runJob;
  std::optional<Expectation> expected;
};

Expected<Prepared> prepare(const RunOptions& o) {
  SubjectArguments arguments = o.subject;
  std::vector<std::string> outs;
  if (!namesModule(arguments.text)) outs = std::exchange(arguments.module.run.outs, {});
  Expected<Subject> subject = openSubject(arguments, true);
  if (!subject) return subject.error();
  Expected<std::optional<Expectation>> expected = knownResultOf(*subject);
  if (!expected) return expected.error();
  Expected<RunJob> runJob = subject->module() ? Expected<RunJob>(*subject->module()) : givenRunJob(subject->job, outs);
  if (!runJob) return runJob.error();
  runJob->job.limits = subject->job.limits;
  return Prepared{std::move(*subject), std::move(*runJob), std::move(*expected)};
}

// Whether a side's outputs are as expected; nothing if nothing is expected.
Expected<std::optional<std::string>> wrongOf(const std::optional<Expectation>& expected, const RunResult& result) {
  if (!expected || result.error) return std::optional<std::string>();
  RunResult copy;
  copy.outputs = result.outputs;
  const Expected<Judged> judged = judge(*expected, copy);
  if (!judged) return judged.error();
  return std::optional(judged->text());
}

}  // namespace

namespace {

CompiledReport compiledReportOf(TierReport tier) {
  return {tier.dispatches, tier.programs, tier.kept, tier.seconds, std::move(tier.refusals), std::move(tier.store)};
}

// Only a module's own job is changed for a side: its subgroup size.
using SideJobs = std::map<std::uint32_t, Job>;
const Job& jobOf(const RunSide& side, const Prepared& prepared, SideJobs& jobs) {
  const auto [own, fresh] = jobs.try_emplace(side.subgroupSize);
  if (fresh) own->second = prepared.runJob.job;
  own->second.subgroupSize = side.subgroupSize;
  return own->second;
}

// How the side's schedule came out, where that is no matter of course.
std::string scheduleText(const RunSide& side) {
  const Model* model = dynamic_cast<const Model*>(side.device);
  if (const auto* mending = dynamic_cast<const MendingModel*>(side.device)) model = &mending->model();
  const Schedule schedule = model ? *parseSchedule(side.schedule) : Schedule();
  if (side.run.result.error || schedule == Schedule()) return "";
  const ScheduleReport came = model->scheduleReport();
  std::string text;
  if (schedule.resident != 1 || schedule.progress != Schedule::Progress::kNone)
    text = fmt::format(", {} {}", came.together, came.together == 1 ? "workgroup resident" : "workgroups resident together");
  if (came.isNobodyLast)
    text += fmt::format(", which puts nobody last: there is no {} {}",
                        schedule.lanes ? "workgroup, subgroup or lane" : "workgroup or subgroup", schedule.seed);
  return text;
}

// Runs every side, one after another.
Status runSides(const RunOptions& o, const Prepared& prepared, const std::vector<ExpectedOutput>& expected, RunSides& open,
                RunReport& report) {
  SideJobs jobs;
  for (RunSide& side : open.sides) {
    if (const std::string lacks = prepared.subject.script ? prepared.subject.cannotRunOn(side.device->profile()) : ""; lacks.empty())
      side.run.result = runWaiting(side, jobOf(side, prepared, jobs), o.subject.module.timeout);
    else
      side.run.result.error = Error{Outcome::kUnsupported, lacks, "", ""};
    side.run.description += scheduleText(side);
    if (expected.empty() || side.run.result.error) {
      Expected<std::optional<std::string>> wrong = wrongOf(prepared.expected, side.run.result);
      if (!wrong) return wrong.error();
      side.run.wrong = std::move(*wrong);
    } else {
      Expected<WrongOutput> wrong = wrongOutput(prepared.runJob, expected, side.run.result);
      if (!wrong) return wrong.error();
      side.run.wrong = std::move(wrong->text);
      side.run.wrongAt = std::move(wrong->at);
    }
    if (o.patch == RunOptions().patch) addOpenings(o, side, !expected.empty(), side.run);
  }
  if (o.repeat != 0) runAgain(o, open.sides, [&](const RunSide& side) -> const Job& { return jobOf(side, prepared, jobs); });
  for (RunSide& side : open.sides) {
    if (const auto* model = dynamic_cast<const Model*>(side.device)) side.run.compiled = compiledReportOf(model->tierReport());
    report.sides.push_back(std::move(side.run));
  }
  return {};
}

// --full-subgroups. Devices are asked for full subgroups wherever whole ones fit (gpu/pipelines.cpp).
Status checkFullSubgroups(const RunJob& runJob, const RunSides& open) {
  for (const RunSide& side : open.sides)
    for (const InterfaceEntry* entry : runJob.entries)
      if (entry->localSize[0] % side.run.subgroupSize != 0)
        return Error{Outcome::kBadInput,
                     fmt::format("a workgroup of '{}' is {} wide, no multiple of the {} invocations of a subgroup", entry->name,
                                 entry->localSize[0], side.run.subgroupSize),
                     "--full-subgroups on " + side.run.name, "--subgroup-size"};
  return {};
}

Expected<Outcome> runPlanned(const RunOptions& o) {
  Expected<Prepared> prepared = prepare(o);
  if (!prepared) return prepared.error();
  RunJob* const runJob = &prepared->runJob;
  const Expected<std::vector<ExpectedOutput>> expected = readExpected(o.expect, o.tolerance, *runJob);
  if (!expected) return expected.error();
  Expected<RunSides> open = openRunSides(o, prepared->subject);
  if (!open) return open.error();
  if (o.fullSubgroups)
    if (Status bad = checkFullSubgroups(*runJob, *open)) return *bad;
  RunReport report;
  if (!prepared->subject.module()) report.subject = prepared->subject.name;
  Expected<std::string> patched = patchRunJob(*runJob, *open, o.patch);
  if (!patched) return patched.error();
  report.patch = std::move(*patched);
  report.compared = open->sides.size() > 1;
  if (o.repeat != 0 && o.findings)
    return Error{Outcome::kBadInput, "a run that is watched has no time of its own", "--repeat", "leave out --findings"};
  if (o.diff && !report.compared)
    return Error{Outcome::kBadInput, "--diff compares sides, and there is one", "--device " + o.device,
                 "e.g. --device model,lavapipe or all"};
  runJob->notes.insert(runJob->notes.end(), open->notes.begin(), open->notes.end());
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  if (const MadeCase* made = prepared->subject.madeCase(); made != nullptr && made->what.subgroupSize != 0)
    if (std::string why = wrongSubgroup(*made->what.kernel, made->what.subgroupSize); !why.empty()) runJob->notes.push_back(std::move(why));
  if (!o.json)
    for (const std::string& note : runJob->notes) fmt::print(stderr, "note: {}\n", visible(note));
  if (Status wrong = runSides(o, *prepared, *expected, *open, report)) return *wrong;
  if (report.compared) report.differences = compareSides(*runJob, report.sides);
  if (o.patch == RunOptions().patch) addOpenings(o, *open, report);
  return presentRun(o, *runJob, report);
}

}  // namespace

Expected<Outcome> presentRun(const RunOptions& o, const RunJob& runJob, RunReport& report) {
  if (report.sides.size() == 1 && report.sides[0].result.error && !o.json) {
    const SideRun& side = report.sides[0];
    const auto onTerminal = [](const OutArgument& out) { return out.file == kTerminal; };
    const bool values =
        std::ranges::any_of(runJob.outputs, [&](const RunOutput& output) { return std::ranges::any_of(output.files, onTerminal); });
    fmt::print(values ? stderr : stdout, "{}{}", visible(printedText(side)),
               side.opens.empty() ? "" : "open it there: " + visible(side.opens) + "\n");
    return *side.result.error;
  }
  bool first = true;
  for (SideRun& side : report.sides) {
    if (side.result.error) continue;
    if (Status wrong = writeFiles(runJob, side, std::exchange(first, false))) return *wrong;
  }
  const std::string values = terminalText(runJob, report.sides);
  if (o.json) {
    fmt::print("{}", runJson(runJob, report, LANEWISE_VERSION));
  } else {
    fmt::print("{}", visible(values));
    std::fflush(stdout);  // before what goes to standard error
    fmt::print(values.empty() ? stdout : stderr, "{}", visible(runText(runJob, report)));
  }
  return report.outcome();
}

Expected<Outcome> runRun(const RunOptions& given) {
  RunOptions o = given;
  Status bad = takeMemory(o.subject.module, o.schedule);
  if (!bad && !o.junit.empty() && !namesScripts(o.subject.text))
    bad = Error{Outcome::kBadInput, "only scripts have it", "--junit", "`lanewise check --junit FILE` writes one of a module"};
  Expected<Outcome> outcome = bad ? Expected<Outcome>(*bad) : namesScripts(o.subject.text) ? runScripts(o) : runPlanned(o);
  if (outcome || !o.json) return outcome;
  fmt::print("{}", runErrorJson(outcome.error(), LANEWISE_VERSION));
  return outcome.error().outcome;
}

}  // namespace lanewise
