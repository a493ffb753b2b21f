// `lanewise validate`: the plan, the sweep, and its reports.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "golden/pictures/picture_io.h"
#include "golden/store/hash.h"
#include "model/base/caches.h"
#include "model/base/file.h"
#include "model/base/visible.h"
#include "model/spirv/validate.h"
#include "shaders/embedded.h"
#include "tools/arbitrate/arbitrate.h"
#include "tools/cli/commands.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/progress.h"
#include "tools/cli/sides.h"
#include "tools/cli/validate_options.h"
#include "tools/cli/write_report.h"
#include "tools/run/interface_difference.h"
#include "tools/run/source_text.h"
#include "tools/sweep/sweep.h"

namespace lanewise {
namespace {

// Checks that all goldens of this plan exist and are fresh; else one error for all of them.
Status checkStore(const golden::Store& store, std::span<const Case> cases, const std::set<std::string>& keys) {
  std::set<std::string> bad;
  std::optional<Error> first;
  for (const Case& c : cases) {
    const std::string key = c.goldenKey();
    if (!c.kernel->exact() || !keys.contains(key) || bad.contains(key)) continue;
    const Expected<golden::Hash128> stored = store.lookup(key, c.kernel->provenance());
    if (stored) continue;
    bad.insert(key);
    if (!first) first = stored.error();
  }
  if (first && bad.size() > 1) first->what += fmt::format(", and so for {} more cases", bad.size() - 1);
  return first;
}

bool isInside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path inner = std::filesystem::weakly_canonical(path, ignored) / "";
  const std::filesystem::path outer = std::filesystem::weakly_canonical(folder, ignored) / "";
  return std::mismatch(outer.begin(), std::prev(outer.end()), inner.begin(), inner.end()).first == std::prev(outer.end());
}

// Whether files can be made in the folder for images, of every kind.
Status checkKeep(const std::string& folder) {
  if (Status bad = golden::picturesReady()) return bad;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const int why = failed ? failed.value() : ::access(folder.c_str(), W_OK) != 0 ? errno : 0;
  if (why == 0) return {};
  Error bad = fileError("write into", folder, why);
  bad.where = "--keep";
  return bad;
}

// --list and --count: print what would run, without running it.
Expected<Outcome> printPlan(const ValidateOptions& o, const PlanRequest& request) {
  if (o.list && !o.count) {
    const Expected<SweepPlan> plan = makePlan(request);
    if (!plan) return plan.error();
    for (const Case& c : plan->cases) fmt::print("{}\n", visible(c.name()));
    return Outcome::kOk;
  }
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  std::uint64_t total = 0;
  const Status bad = forEachCase(request, [&](const Case& c) {
    if (counts.empty() || counts.back().first != c.kernel->name) counts.emplace_back(c.kernel->name, 0);
    ++counts.back().second;
    ++total;
  });
  if (bad) return *bad;
  for (const auto& [kernel, count] : counts) fmt::print("{:>10}  {}\n", count, visible(kernel));
  const std::uint64_t mine = total / request.shard.count + (request.shard.index <= total % request.shard.count ? 1 : 0);
  fmt::print("{:>10}  cases in all\n", total);
  if (request.shard.count > 1) fmt::print("{:>10}  in part {}\n", mine, request.shard.text());
  return Outcome::kOk;
}

// The user's module gets the jobs of these kernels, so it must need what their own modules do.
Status checkInterface(const ShaderModule& module, std::span<const Case> cases) {
  const Expected<Interface> other = readInterface(module);
  if (!other) return other.error();
  std::set<const Kernel*> seen;
  for (const Case& c : cases) {
    if (!seen.insert(c.kernel).second) continue;
    const std::shared_ptr<const ShaderModule> ours = kernelModule(*c.kernel);
    const Expected<Interface> own = readInterface(*ours);
    if (!own) return own.error();
    const InterfaceEntry* entry = other->entry(own->entries.front().name);
    const std::string what =
        entry ? interfaceDifference(*entry, own->entries.front()) : fmt::format("it has no entry point '{}'", own->entries.front().name);
    if (!what.empty())
      return Error{Outcome::kBadInput, fmt::format("it cannot run as {}: {}", c.kernel->name, what), "--module",
                   "`lanewise inspect` shows what a module needs"};
  }
  return {};
}

// Identifies the run of a journal.
std::string runText(const SweepPlan& plan, const ValidateOptions& o, const ShaderModule* module, std::span<const Side> sides) {
  std::string text = fmt::format("{} {} part {} module {} words {}{}", LANEWISE_VERSION, plan.identity.text(), plan.shard.text(), o.module,
                                 golden::hashText(hashOfWords(embeddedModules(), module)), o.findings ? " findings" : "");
  for (const Side& side : sides) text += fmt::format(" | {} = {}", side.info.name, side.info.description);
  return text;
}

// Writes the results.
struct Destinations {
  std::optional<ReportFolder> report;
  std::optional<Journal> journal;
  std::map<std::string, std::string> capsules;
};

Expected<Destinations> openDestinations(const ValidateOptions& o) {
  Destinations to;
  if (o.resume && o.report.empty())
    return Error{Outcome::kBadInput, "--resume continues from the journal in a report's folder", "--resume",
                 "name it with --report FOLDER"};
  if (!o.keep.empty()) {
    if (!o.report.empty() && isInside(o.keep, o.report))
      return Error{Outcome::kBadInput, "the kept images would be in the report's folder, which is replaced as a whole", "--keep " + o.keep,
                   "name a folder outside of it"};
    if (Status bad = checkKeep(o.keep)) return *bad;
  }
  if (o.report.empty()) return to;
  Expected<ReportFolder> opened = ReportFolder::open(o.report);
  if (!opened) return opened.error();
  to.report.emplace(std::move(*opened));
  return to;
}

// The ways of running the model that the known-bad kernels of the plan need, unless the user names one.
std::set<DefectWay> waysOf(const SweepPlan& plan, const ValidateOptions& o) {
  std::set<DefectWay> ways;
  if (o.profile != ValidateOptions().profile || !o.schedules.empty() || o.findings) return ways;
  for (const Case& c : plan.cases)
    for (const Defect& defect : c.kernel->defects) ways.insert(defect.way());
  ways.erase(DefectWay{});
  return ways;
}

// Devices have an order and a profile of their own, and nobody observes them.
Status refuseModelOptions(const OpenSides& open, const ValidateOptions& o) {
  if (std::ranges::any_of(open.sides, [](const Side& side) { return side.info.isModel; })) return {};
  const std::pair<const char*, bool> all[] = {
      {"--profile", o.profile != ValidateOptions().profile}, {"--schedules", !o.schedules.empty()}, {"--findings", o.findings}};
  for (const auto& [option, given] : all)
    if (given) return Error{Outcome::kBadInput, "only the model has it", option, "--devices model,..."};
  return {};
}

// What a user's own reference does not say of a kernel, and what its tolerances allow.
void noteDescribed(SweepResult& result, bool findings) {
  std::set<const Kernel*> told;
  for (const CaseResult& c : result.cases) {
    const Kernel& k = *c.what.kernel;
    const bool isJudged = std::ranges::any_of(
        c.sides, [](const SideResult& side) { return side.verdict == Verdict::kOk || side.verdict == Verdict::kMismatch; });
    if (k.own == nullptr || k.invariants || !isJudged || !told.insert(&k).second) continue;
    if (k.bounds && !k.contract.allows.empty()) result.notes.push_back(fmt::format("{} may differ: {}", k.name, k.contract.allows));
    if (!findings)
      result.notes.push_back(
          fmt::format("bytes alone were judged: for races and accesses out of range there are --findings and `lanewise check {}`", k.name));
  }
}

Expected<SweepResult> sweepOn(SweepPlan plan, const ValidateOptions& o, const Inputs& inputs, SweepOptions& sweep, Destinations& to) {
  Expected<OpenSides> sides =
      openSides({.devices = o.devices,
                 .schedules = o.schedules,
                 .threads = o.threads,
                 .workers = std::min(4u, o.threads != 0 ? o.threads : std::max(1u, std::thread::hardware_concurrency())),
                 .profile = o.profile,
                 .tier = o.tier,
                 .timeout = o.timeout,
                 .findings = o.findings,
                 .patch = o.patch,
                 .ways = waysOf(plan, o),
                 .stop = &catchInterrupt(),
                 .invariants = std::ranges::any_of(plan.cases, [](const Case& c) { return c.kernel->invariants; })});
  if (!sides) return sides.error();
  if (Status bad = refuseModelOptions(*sides, o)) return *bad;
  for (Side& side : sides->sides)
    if (sweep.module) side.info.debugWay.reset();  // a case's name does not say it
  if (to.report) {
    Expected<Journal> journal = Journal::open(to.report->journal(), runText(plan, o, sweep.module.get(), sides->sides), o.resume);
    if (!journal) return journal.error();
    to.journal.emplace(std::move(*journal));
    sweep.journal = &*to.journal;
  }
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  Progress progress;
  sweep.progress = &progress;
  sweep.stop = &catchInterrupt();
  SweepResult result;
  {
    const ProgressDisplay display(progress);
    result = runSweep(std::move(plan), sides->sides, inputs, sweep);
  }
  if (!o.noArbitration) {
    ArbitrationOptions options;
    options.module = sweep.module;
    options.patch = sides->patch;
    options.stop = &catchInterrupt();
    options.capsules = to.report ? &to.capsules : nullptr;
    arbitrate(result, sides->sides, inputs, options);
  }
  addOpenings(result);
  result.notes.insert(result.notes.end(), sides->notes.begin(), sides->notes.end());
  noteDescribed(result, o.findings);
  return result;
}

}  // namespace

Expected<Outcome> runValidate(const ValidateOptions& o) {
  if (!(o.timeout >= 0)) return Error{Outcome::kBadInput, fmt::format("not a number of seconds: {}", o.timeout), "--timeout", "0 is none"};
  const Expected<RequestedPlan> requested = requestOf(o);
  if (!requested) return requested.error();
  if (o.list || o.count) return printPlan(o, requested->request);
  Expected<SweepPlan> plan = makePlan(requested->request);
  if (!plan) return plan.error();
  SweepOptions sweep;
  if (SubjectArguments source{.module = {.source = o.source}}; o.module.empty())
    if (std::string option = givenOption(source, {For::kModule}); !option.empty())
      return Error{Outcome::kBadInput, "it says how a module's file is compiled", option, "name the file with --module"};
  if (!o.module.empty()) {
    for (const Case& c : plan->cases)
      if (c.kernel->module.empty())
        return Error{Outcome::kBadInput, fmt::format("{} dispatches no module that --module could replace", c.kernel->name), "--module",
                     "leave the kernel out"};
    Expected<std::shared_ptr<const ShaderModule>> module = loadModule(o.module, o.source, KeptIn{cacheFolder("sources").string()});
    if (!module) return module.error();
    if (Status invalid = spirv::validate(o.module, (**module).words)) return *invalid;
    if (Status other = checkInterface(**module, plan->cases)) return *other;
    sweep.module = *module;
  }
  Expected<Destinations> to = openDestinations(o);
  if (!to) return to.error();
  if (!o.keep.empty()) sweep.keep = o.keep;
  if (Status none = checkGoldenFolder(o.golden)) return *none;
  const Expected<golden::Store> store = golden::Store::load(goldenFolder(o.golden));
  if (!store) return store.error();
  for (const auto& [key, c] : quickGoldenKeys()) sweep.storedKeys.insert(key);
  if (Status bad = checkStore(*store, plan->cases, sweep.storedKeys)) return *bad;
  sweep.store = &*store;
  sweep.timeout = o.timeout;
  Expected<SweepResult> result = sweepOn(std::move(*plan), o, requested->inputs, sweep, *to);
  if (!result) return result.error();
  std::ranges::move(leftOut(requested->request), std::back_inserter(result->notes));
  fmt::print("{}", summaryText(*result));
  if (to->report)  // where the journal is: a disk that is full was told with it
    if (Status bad = writeReport(*to->report, *result, o.command, std::move(to->capsules)); bad && !result->trouble) return *bad;
  return result->outcome();
}

}  // namespace lanewise
