// `lanewise check`: a subject, or the quick sets of kernels, in several ways, with one verdict.
#include "tools/cli/check.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>

#include "model/base/file.h"
#include "model/base/visible.h"
#include "tools/catalogue/catalogue.h"
#include "tools/check/check.h"
#include "tools/check/reduce_finding.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/opening.h"
#include "tools/cli/progress.h"
#include "tools/cli/sides.h"
#include "tools/cli/subject_options.h"
#include "tools/cli/write_report.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject_text.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

// An invocation that waits for ever is reported after a second, not after 2^32 instructions.
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 24;

// For a quick set: a larger job is not run lane by lane, interleaved or with stale memory.
constexpr std::size_t kMostBytes = std::size_t{1} << 16;

// A job of a quick set is explored less far, and only if that is asked for.
constexpr ExploreLimits kOfSet = {.turns = 50'000, .bytes = kMostBytes};

Explore explorer(const CheckOptions& o, const Profile& profile, bool (*isValid)(const ShaderModule&), bool isSet) {
  if (o.explore == 0 || (isSet && !o.explore)) return {};
  ExploreLimits limits = isSet ? kOfSet : ExploreLimits();
  if (o.explore) limits.executions = *o.explore;
  limits.stop = &catchInterrupt();
  return
      [limits, profile, isValid](const Job& job) { return explore(job, {.profile = profile, .schedule = {}, .isValid = isValid}, limits); };
}

struct Checked {
  std::size_t count = 0;
  std::function<Expected<CheckJob>(std::size_t)> make;
  Profile profile;
  bool sizes = false;      // the job leaves the subgroup size to the device
  std::size_t beyond = 0;  // cases that the profile cannot run
  std::string whyBeyond;
  bool (*isValid)(const ShaderModule&) = nullptr;
  bool isCapsule = false;
};

// The resource of an output, and the texel in it that is wrong.
std::string placeOfWrong(const Job& job, const Judged& judged) {
  std::size_t output = 0;
  for (const Resource& r : job.resources)
    if (r.output && output++ == judged.wrong->output && judged.wrong->diff.first) {
      const golden::TexelDiff& t = *judged.wrong->diff.first;
      return fmt::format("{} {}", r.name, placeIn(r, judged.got[judged.wrong->output].offset(t.level, t.x, t.y, t.channel)));
    }
  return "";
}

Expected<std::optional<WrongResult>> wrongResult(const Job& job, const Expectation& expected, RunResult& run) {
  const Expected<Judged> judged = judge(expected, run);
  if (!judged) return judged.error();
  return judged->wrong ? std::optional(WrongResult{judged->text(), placeOfWrong(job, *judged)}) : std::nullopt;
}

Expected<CheckJob> checkJob(const Subject& subject) {
  Expected<std::optional<Expectation>> expected = knownResultOf(subject);
  if (!expected) return expected.error();
  const MadeCase* made = subject.madeCase();
  CheckJob job{subject.name, made ? made->what.kernel->name : subject.name, subject.job};
  if (*expected)
    job.judge = [shared = std::make_shared<const Expectation>(std::move(**expected))](const Job& own, RunResult& run) {
      return wrongResult(own, *shared, run);
    };
  return job;
}

// The quick sets of kernels. Cases that the profile cannot run are only counted.
Expected<Checked> checkSets(const CheckOptions& o, const std::vector<const Kernel*>& kernels, Profile profile) {
  Expected<std::vector<NamedValues>> with = parseWith(o.subject.kernel.with);
  if (!with) return with.error();
  if (Status bad = checkKnown(*with, kernels)) return *bad;
  auto cases = std::make_shared<std::vector<Case>>();
  Checked checked;
  for (const Kernel* kernel : kernels) {
    Overrides overrides;
    overrides.values = *with;
    Expected<std::vector<Case>> own = casesOf(*kernel, overrides);
    if (!own) return own.error();
    for (Case& c : *own) {
      const std::string why = cannotRun(c, profile);
      if (why.empty())
        cases->push_back(std::move(c));
      else if (checked.beyond++ == 0)
        checked.whyBeyond = c.name() + ": " + why;
    }
  }
  checked.count = cases->size();
  const std::uint64_t given = o.subject.module.maxSteps;
  checked.make = [cases, given](std::size_t i) -> Expected<CheckJob> {
    Expected<Subject> subject = subjectOf((*cases)[i]);
    if (!subject) return subject.error();
    std::uint64_t& steps = subject->job.limits.maxSteps;
    steps = given == 0 ? std::min(steps, kMaxSteps) : given;
    Expected<CheckJob> job = checkJob(*subject);
    if (job) job->cannotRunOn = [what = (*cases)[i]](const Profile& device) { return cannotRun(what, device); };
    return job;
  };
  checked.profile = std::move(profile);
  checked.isValid = isBuiltModule;
  return checked;
}

Expected<Checked> checkOne(const CheckOptions& o, Profile profile) {
  Expected<Subject> opened = openSubject(o.subject);
  if (!opened) return opened.error();
  const auto subject = std::make_shared<Subject>(std::move(*opened));
  if (o.subject.module.maxSteps == 0) subject->job.limits.maxSteps = kMaxSteps;
  if (subject->capsule() && o.profile.empty()) profile = subject->capsule()->profile;
  const bool isCase = subject->madeCase() != nullptr;
  const auto make = [subject](std::size_t) {
    Expected<CheckJob> job = checkJob(*subject);
    if (job) job->cannotRunOn = [subject](const Profile& device) { return subject->cannotRunOn(device); };
    return job;
  };
  Checked out{1, make, std::move(profile), subject->job.subgroupSize == 0 && !isCase, 0, "", isCase ? isBuiltModule : nullptr};
  out.isCapsule = subject->capsule() != nullptr;
  return out;
}

Expected<Checked> checkedOf(const CheckOptions& o) {
  Expected<Profile> profile = parseProfile(o.profile.empty() ? "strict" : o.profile);
  if (!profile) return profile.error();
  const Expected<Selection> selected = selectSubjects({&o.subject.text, o.subject.text.empty() ? 0u : 1u}, o.subject);
  if (!selected) return selected.error();
  return selected->kernels.empty() ? checkOne(o, std::move(*profile)) : checkSets(o, selected->kernels, std::move(*profile));
}

Expected<std::string> textOf(const std::string& file) {
  return file.empty() ? Expected<std::string>(std::string()) : readWholeFile(file);
}

// The devices as further ways; `sides` keeps them open.
void addDevices(const OpenSides& sides, std::vector<CheckWay>& ways) {
  for (const Side& side : sides.sides) {
    if (side.info.isModel) continue;
    const std::shared_ptr<Device> device(std::shared_ptr<Device>(), side.device);
    ways.push_back({side.info.name, device, Axis::kDevice, 0, false, false, std::make_shared<std::mutex>(), {}, ways[0].run});
    ways.back().leavesFencedLoops = sides.leavesFencedLoops.contains(side.info.name);
    ways.back().losesLoopValues = sides.losesLoopValues.contains(side.info.name);
  }
}

// The debugger's commands that come to a finding of a job; empty if none do.
std::vector<std::string> wayThere(const CheckFinding& f, const CheckResult& result) {
  using Commands = std::vector<std::string>;
  switch (f.what) {
    case CheckFinding::What::kWrongResult:
      return f.at.empty() ? Commands() : Commands{"end", "writer " + f.at};
    case CheckFinding::What::kDependence:
      return {"against " + f.against};
    case CheckFinding::What::kError:
      return f.outcome == Outcome::kFinding ? Commands{"end"} : Commands();
    case CheckFinding::What::kReported:
      break;
  }
  std::vector<RunFinding> all;
  for (const CheckFinding& other : result.findings)
    if (other.what == CheckFinding::What::kReported && other.subject == f.subject) all.push_back(other.finding);
  return wayToFinding(f.finding, all);
}

// The command that opens a finding where it happens.
std::string openingCommand(const CheckOptions& o, bool isCapsule, const CheckFinding& f, const CheckResult& result) {
  const std::vector<std::string> there = wayThere(f, result);
  if (there.empty()) return "";
  SubjectArguments subject = o.subject;
  if (namesCase(f.subject)) {  // which says all that its options did
    subject.text = f.subject;
    subject.kernel = {};
  }
  if (namesCase(f.subject) || f.run.subgroupSize != 0) subject.subgroupSize = 0;
  std::uint64_t& maxSteps = subject.module.maxSteps;
  if (maxSteps == 0 && (f.what == CheckFinding::What::kError || f.finding.kind == FindingKind::kStepLimit)) maxSteps = kMaxSteps;
  DebugWay run = f.run;
  if (isCapsule && run.schedule.empty()) run.schedule = Schedule().token();  // else it would be the capsule's own
  return debugCommand(subjectOptions(subject), run, there);
}

void printNotes(const OpenSides& sides) {
  for (const std::string& note : sides.notes) fmt::print("  note: {}\n", visible(note));
}

// The files that are asked for beside the text.
Status writeFiles(const CheckOptions& o, const CheckResult& result, const std::string& name) {
  if (!o.sarif.empty())
    if (Status bad = writeTextFile(o.sarif, checkSarif(result, {LANEWISE_VERSION, LANEWISE_HOMEPAGE}))) return bad;
  if (!o.lcov.empty() && result.coverage && !result.coverage->empty())
    if (Status bad = writeTextFile(o.lcov, lcovText(*result.coverage))) return bad;
  return o.junit.empty() ? Status() : writeTextFile(o.junit, checkJunit(result, name));
}

}  // namespace

void addCheck(CLI::App& app, CheckOptions& o) {
  addSubject(app, o.subject);
  app.get_option("SUBJECT")->description(
      "A kernel by its name or a pattern ('box-blur/*'): its quick set, or with --size one case. A case as reports name it, a capsule, or "
      "a module's file (default: all kernels but broken/)");
  app.add_option("--profile", o.profile, profileHelp() + " (default: strict, or a capsule's own)");
  app.add_option("--progress", o.progress,
                 "What the devices promise to who waits for another workgroup, and the check takes for granted: nothing, as Vulkan does; "
                 "occupancy-bound, hsa, lobe or fair (docs/check.md)")
      ->capture_default_str();
  app.add_option("--devices", o.devices, "Devices besides the model: names, or all; model: no device (default: a CPU Vulkan device)");
  addTier(app, o.tier);
  app.add_option(
         "--explore", o.explore,
         "Where nothing was found: run every order of invocations that can differ, if there are at most so many (default: 10000; of a set "
         "none). 0: none")
      ->check(notACount);
  app.add_option("--accept", o.accept, "A file of accepted findings, one a line: KEY # reason. It is an error if one does not occur");
  app.add_option("--baseline", o.baseline, "The --json output of an earlier check: only findings that are not in it are reported");
  app.add_option("--threads", o.threads, "Host threads (default: all cores)")->check(CLI::PositiveNumber);
  app.add_flag("--json", o.json, "Print one JSON document and nothing else; it has each finding's key");
  app.add_option("--sarif", o.sarif, "Also write SARIF 2.1.0 to this file");
  app.add_option("--lcov", o.lcov, "Also write the lines and branches that ran, as lcov reads them, to this file");
  app.add_option("--reduce", o.reduce,
                 "Make the module smaller, as long as it shows the first finding, and write it to this file (SPIR-V)");
  app.add_option("--junit", o.junit, "Also write JUnit to this file");
}

// Of the first finding that is not accepted. That there is nothing to write is told, and is no error. What is smaller by then is written
// also when a signal came.
Status writeReduced(const CheckOptions& o, const Checked& checked, const std::vector<CheckWay>& ways, CheckResult& result) {
  if (result.interrupted) {
    result.notReduced = "the check was interrupted";
    return {};
  }
  const auto first = std::ranges::find_if(result.findings, [](const CheckFinding& f) { return f.accepted.empty(); });
  if (first == result.findings.end()) {
    result.notReduced = "no finding is left";
    return {};
  }
  const Expected<CheckJob> job = checked.make(first->job);
  const Expected<Reduced> reduced = job ? reduceFor(*job, *first, ways, {.stop = &catchInterrupt()}) : job.error();
  result.reducingInterrupted = catchInterrupt();
  if (!reduced) {
    result.notReduced = reduced.error().text();
    return {};
  }
  const std::vector<std::uint32_t>& words = reduced->module.words;
  if (Status bad = writeWholeFile(o.reduce, std::as_bytes(std::span(words)))) return *bad;
  result.reduced = ReducedTo{o.reduce, reduced->before, reduced->after, reduced->tried, reduced->finished && !result.reducingInterrupted};
  return {};
}

Expected<Outcome> runCheckCommand(const CheckOptions& given) {
  CheckOptions o = given;
  o.subject.kernel.stop = &catchInterrupt();
  const std::vector<NamedFile> read = {
      {"SUBJECT", std::string(splitCaseName(o.subject.text).kernel)}, {"--accept", o.accept}, {"--baseline", o.baseline}};
  if (Status bad = canBeWritten({{"--sarif", o.sarif}, {"--junit", o.junit}, {"--lcov", o.lcov}, {"--reduce", o.reduce}}, read))
    return *bad;
  std::string memory;
  if (Status bad = takeMemory(o.subject.module, memory)) return *bad;
  const std::uint64_t weakSeed = memory.empty() ? 1 : *parseSchedule(memory)->weak;
  const Expected<Schedule::Progress> progressGiven = parseProgress(o.progress);
  if (!progressGiven) {
    const Error& wrong = progressGiven.error();
    return Error{wrong.outcome, wrong.what, "--progress " + o.progress, wrong.hint};
  }
  const Expected<Checked> checked = checkedOf(o);
  if (!checked) return checked.error();
  const Expected<std::string> accepted = textOf(o.accept), baseline = textOf(o.baseline);
  if (!accepted) return accepted.error();
  if (!baseline) return baseline.error();
  CheckResult none;  // that they can be read is said before the runs
  if (Status bad = acceptFindings(none, o.accept, *accepted)) return *bad;
  if (!o.baseline.empty())
    if (Status bad = leaveOutKnown(none, o.baseline, *baseline)) return *bad;
  SideOptions on;
  on.devices = o.devices;
  on.threads = o.threads;
  const Expected<OpenSides> sides = openSides(on);
  if (!sides) return sides.error();
  const Expected<Tier> tier = parseTier(o.tier.tiers);
  if (!tier) return tier.error();
  std::vector<CheckWay> ways =
      modelWays({checked->profile, o.profile, checked->isValid, weakSeed, *progressGiven, *tier, codeFolder(o.tier), &catchInterrupt()},
                checked->sizes);
  addDevices(*sides, ways);
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  Progress progress;
  const std::string name = o.subject.text.empty() ? "all kernels" : o.subject.text;
  CheckResult result;
  {
    const ProgressDisplay display(progress);
    result = runCheck(checked->count, checked->make, ways,
                      {&catchInterrupt(), &progress, checked->count > 1 ? kMostBytes : 0,
                       explorer(o, checked->profile, checked->isValid, checked->count > 1), checked->count == 1 || !o.lcov.empty()});
  }
  result.deviceFaults.assign(sides->knownFaults.begin(), sides->knownFaults.end());
  result.beyond = checked->beyond;
  result.whyBeyond = checked->whyBeyond;
  result.progress = *progressGiven;
  result.lcovAsked = !o.lcov.empty();
  for (CheckFinding& f : result.findings) f.opens = openingCommand(o, checked->isCapsule, f, result);
  if (Status bad = acceptFindings(result, o.accept, *accepted)) return *bad;
  if (!o.baseline.empty())
    if (Status bad = leaveOutKnown(result, o.baseline, *baseline)) return *bad;
  if (!o.reduce.empty())
    if (Status bad = writeReduced(o, *checked, ways, result)) return *bad;
  fmt::print("{}", o.json ? checkJson(result, name) : visible(checkText(result, name)));
  if (!o.json) printNotes(*sides);
  if (Status bad = writeFiles(o, result, name)) return *bad;
  return result.outcome();
}

}  // namespace lanewise
