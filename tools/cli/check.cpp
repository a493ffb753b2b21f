// `lanewise check`: a subject, or the quick sets of kernels, in several ways, with one verdict.
#include "tools/cli/check.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>

#include "model/base/file.h"
#include "tools/check/check.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/progress.h"
#include "tools/cli/sides.h"
#include "tools/cli/subject_options.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject_text.h"
#include "tools/subject/with.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

// An invocation that waits for ever is reported after a second, not after 2^32 instructions.
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 24;

// For a quick set: a larger job is not interleaved.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

struct Checked {
  std::size_t count = 0;
  std::function<Expected<CheckJob>(std::size_t)> make;
  Profile profile;
  bool sizes = false;      // the job leaves the subgroup size to the device
  std::size_t beyond = 0;  // cases that the profile cannot run
  std::string whyBeyond;
  bool (*isValid)(const ShaderModule&) = nullptr;
};

std::string firstWrong(const OutputDiff& wrong, const golden::Image& image) {
  SideResult side;
  side.extent = image.extent;
  side.channels = image.channels;
  side.diff = std::make_shared<const golden::Diff>(wrong.diff);
  return texelText(side);
}

Expected<std::optional<std::string>> judgeCase(const Case& c, const Expectation& expected, RunResult& run) {
  const Expected<std::vector<golden::Image>> got = imagesOf(run, expected);
  if (!got) return got.error();
  const Expected<std::optional<OutputDiff>> wrong = firstDifference(c, expected, *got);
  if (!wrong) return wrong.error();
  if (!*wrong) return std::optional<std::string>{};
  return std::optional(firstWrong(**wrong, expected.images[(*wrong)->output]));
}

Expected<std::optional<std::string>> judgeOfCapsule(const Capsule& capsule, RunResult& run) {
  std::vector<golden::Image> got;
  const Expected<std::optional<OutputDiff>> wrong = judgeCapsule(capsule, run, got);
  if (!wrong) return wrong.error();
  if (!*wrong) return std::optional<std::string>{};
  return std::optional(firstWrong(**wrong, capsule.expected[(*wrong)->output]));
}

Expected<CheckJob> jobOfCase(const Case& c, Job job, const golden::Image& input) {
  Expected<Expectation> expected = expectationOf(c, input);
  if (!expected) return expected.error();
  const auto shared = std::make_shared<const Expectation>(std::move(*expected));
  return CheckJob{c.name(), c.kernel->name, std::move(job), [c, shared](RunResult& run) { return judgeCase(c, *shared, run); }};
}

// The quick sets of the kernels of a pattern. Cases that the profile cannot run are only counted.
Expected<Checked> checkSets(const CheckOptions& o, Profile profile) {
  const std::span<const std::string> patterns(&o.subject.text, o.subject.text.empty() ? 0 : 1);
  const Expected<std::vector<const Kernel*>> kernels = selectKernels(patterns);
  if (!kernels) return kernels.error();
  Expected<std::vector<NamedValues>> with = parseWith(o.subject.kernel.with);
  if (!with) return with.error();
  if (Status bad = checkKnown(*with, *kernels)) return *bad;
  auto cases = std::make_shared<std::vector<Case>>();
  Checked checked;
  for (const Kernel* kernel : *kernels) {
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
    const Case& c = (*cases)[i];
    const Expected<golden::Image> input = inputOf(c);
    if (!input) return input.error();
    Job job = c.kernel->plan(c, kernelModule(*c.kernel), *input);
    job.limits.maxSteps = given == 0 ? std::min(job.limits.maxSteps, kMaxSteps) : given;
    return jobOfCase(c, std::move(job), *input);
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
  if (subject->capsule && o.profile.empty()) profile = subject->capsule->profile;
  const bool isCase = subject->kind == Subject::Kind::kCase;
  const auto make = [subject](std::size_t) -> Expected<CheckJob> {
    if (subject->what) return jobOfCase(*subject->what, subject->job, subject->input);
    CheckJob job{subject->name, subject->name, subject->job};
    if (subject->capsule) job.judge = [capsule = subject->capsule](RunResult& run) { return judgeOfCapsule(*capsule, run); };
    return job;
  };
  return Checked{1, make, std::move(profile), subject->job.subgroupSize == 0 && !isCase, 0, "", isCase ? isBuiltModule : nullptr};
}

// A kernel without a size means its quick set, as a pattern does.
bool isSet(const SubjectArguments& s) {
  const bool some = s.text.empty() || s.text.find('*') != std::string::npos || findKernel(s.text);
  return some && s.kernel.size.empty() && !namesCase(s.text);
}

Status refuseWithSet(const SubjectArguments& s) {
  if (std::string option = givenOption(s, {For::kOne, For::kCase}); !option.empty())
    return Error{Outcome::kBadInput, "a quick set has its own values for this", std::move(option),
                 "name one case with --size, or use --with"};
  return refuseModuleOptions(s);
}

Expected<Checked> checkedOf(const CheckOptions& o) {
  Expected<Profile> profile = parseProfile(o.profile.empty() ? "strict" : o.profile);
  if (!profile) return profile.error();
  if (!isSet(o.subject)) return checkOne(o, std::move(*profile));
  if (Status bad = refuseWithSet(o.subject)) return *bad;
  return checkSets(o, std::move(*profile));
}

Expected<std::string> textOf(const std::string& file) {
  return file.empty() ? Expected<std::string>(std::string()) : readWholeFile(file);
}

// What a user should know about a device before blaming a kernel. docs/device-deviations.md has all of these.
constexpr std::pair<const char*, const char*> kKnownFaults[] = {
    {"lavapipe", "lavapipe 22.3.6 ends every loop once an invocation has made 65535 iterations"},
};

// The devices as further ways; `sides` keeps them open.
void addDevices(const OpenSides& sides, std::vector<CheckWay>& ways) {
  for (const Side& side : sides.sides)
    if (!side.info.isModel)
      ways.push_back(
          {side.info.name, {std::shared_ptr<Device>(), side.device}, Axis::kDevice, 0, false, false, std::make_shared<std::mutex>()});
}

// The `lanewise debug` command for a finding; empty if the finding has no line, or its way has no option of the debugger.
std::string openingCommand(const CheckOptions& o, const CheckFinding& f) {
  const Expected<Schedule> schedule = parseSchedule(f.way);
  if (f.finding.line.empty() || f.finding.kind == FindingKind::kNeverWritten || !schedule) return "";
  std::string out = "lanewise debug " + (namesCase(f.subject) ? shellWord(f.subject) : subjectOptions(o.subject));
  if (!o.profile.empty()) out += " --profile " + shellWord(o.profile);
  if (*schedule != Schedule{}) out += " --schedule " + schedule->token();
  if (o.subject.module.maxSteps == 0 && f.finding.kind == FindingKind::kStepLimit) out += fmt::format(" --max-steps {}", kMaxSteps);
  if (f.finding.kind != FindingKind::kRace && f.finding.kind != FindingKind::kRaceOfEqualValues)
    return out + fmt::format(" -e 'finding {}'", f.finding.line);
  out += fmt::format(" -e 'global {} {}'", fmt::join(f.finding.invocation, ","), f.finding.dispatch);
  return f.finding.line.find(' ') != std::string::npos ? out : out + fmt::format(" -e 'until {}'", f.finding.line);
}

void printNotes(const OpenSides& sides) {
  for (const auto& [device, fault] : kKnownFaults)
    if (std::ranges::any_of(sides.sides, [&](const Side& s) { return s.info.name.starts_with(device); }))
      fmt::print("  known of this device: {} (docs/device-deviations.md)\n", fault);
  for (const std::string& note : sides.notes) fmt::print("  note: {}\n", note);
}

}  // namespace

void addCheck(CLI::App& app, CheckOptions& o) {
  CLI::App* check =
      app.add_subcommand("check", "Run a kernel under many schedules, subgroup sizes, profiles and devices, and give one verdict");
  addSubject(*check, o.subject);
  check->get_option("SUBJECT")->description(
      "A kernel by its name or a pattern ('box-blur/*'): its quick set, or with --size one case. A case as reports name it, a capsule, or "
      "a module's file (default: all kernels but broken/)");
  check->add_option("--profile", o.profile, profileHelp() + " (default: strict, or a capsule's own)");
  check->add_option("--devices", o.devices, "Devices besides the model: names, or all; model: no device (default: a CPU Vulkan device)");
  check->add_option("--accept", o.accept, "A file of accepted findings, one a line: KEY # reason. It is an error if one does not occur");
  check->add_option("--baseline", o.baseline, "The --json output of an earlier check: only findings that are not in it are reported");
  check->add_option("--threads", o.threads, "Host threads (default: all cores)");
  check->add_flag("--json", o.json, "Print one JSON document and nothing else; it has each finding's key");
  check->add_option("--sarif", o.sarif, "Also write SARIF 2.1.0 to this file");
  check->add_option("--junit", o.junit, "Also write JUnit to this file");
}

Expected<Outcome> runCheckCommand(const CheckOptions& o) {
  const Expected<Checked> checked = checkedOf(o);
  if (!checked) return checked.error();
  const Expected<std::string> accepted = textOf(o.accept), baseline = textOf(o.baseline);
  if (!accepted) return accepted.error();
  if (!baseline) return baseline.error();
  const Expected<OpenSides> sides = openSides({.devices = o.devices, .threads = o.threads});
  if (!sides) return sides.error();
  std::vector<CheckWay> ways = modelWays({checked->profile, checked->isValid}, checked->sizes);
  addDevices(*sides, ways);
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  Progress progress;
  const std::string name = o.subject.text.empty() ? "all kernels" : o.subject.text;
  CheckResult result;
  {
    const ProgressDisplay display(progress);
    result = runCheck(checked->count, checked->make, ways, {&catchInterrupt(), &progress, checked->count > 1 ? kMostBytes : 0});
  }
  result.beyond = checked->beyond;
  result.whyBeyond = checked->whyBeyond;
  if (Status bad = acceptFindings(result, o.accept, *accepted)) return *bad;
  if (!o.baseline.empty())
    if (Status bad = leaveOutKnown(result, o.baseline, *baseline)) return *bad;
  if (!o.sarif.empty())
    if (Status bad = writeTextFile(o.sarif, checkSarif(result, LANEWISE_VERSION))) return *bad;
  if (!o.junit.empty())
    if (Status bad = writeTextFile(o.junit, checkJunit(result, name))) return *bad;
  fmt::print("{}", o.json ? checkJson(result, name) : checkText(result, name, [&](const CheckFinding& f) { return openingCommand(o, f); }));
  if (!o.json) printNotes(*sides);
  return result.outcome();
}

}  // namespace lanewise
