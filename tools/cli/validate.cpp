// `lanewise validate`: from the options to a plan, the sweep, and its reports. Everything that can be wrong with the options is said before
// anything runs.
#include <fmt/format.h>
#include <signal.h>
#include <tbb/global_control.h>

#include <chrono>
#include <fstream>

#include "tools/cli/commands.h"
#include "tools/cli/lists.h"
#include "tools/cli/progress.h"
#include "tools/cli/sides.h"
#include "tools/report/folder.h"
#include "tools/report/report.h"
#include "tools/sweep/sweep.h"

namespace lanewise {
namespace {

// The one thing a signal handler can reach. Set by the first Ctrl-C; the second one ends the process at once.
std::atomic<bool> interrupted{false};

void catchInterrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

struct Plan {
  std::vector<Case> cases;
  Inputs inputs;
};

// Takes a parsed list over; the parse is skipped where the option was not given.
template <class T>
Status take(const std::string& text, Expected<std::vector<T>> (*parse)(std::string_view, std::string_view), std::string_view option,
            std::vector<T>& into) {
  if (text.empty()) return {};
  Expected<std::vector<T>> parsed = parse(option, text);
  if (!parsed) return parsed.error();
  into = std::move(*parsed);
  return {};
}

Expected<Overrides> overridesOf(const ValidateOptions& o) {
  Overrides overrides;
  std::vector<std::string> radii, edges;
  for (const Status& bad : {take(o.sizes, parseSizes, "--sizes", overrides.sizes), take(o.radii, parseNumbers, "--radii", radii),
                            take(o.edges, parseNames, "--edges", edges), take(o.inputs, parseInputs, "--inputs", overrides.inputs),
                            take(o.subgroupSizes, parseSubgroupSizes, "--subgroup-sizes", overrides.subgroupSizes)})
    if (bad) return *bad;
  if (!radii.empty()) overrides.values.emplace_back("radius", std::move(radii));
  if (!edges.empty()) overrides.values.emplace_back("edge", std::move(edges));
  if (!o.pictures.empty() && (!o.sizes.empty() || !o.inputs.empty()))
    return Error{Outcome::kBadInput, "a picture brings its own size and input", "--picture", "leave --sizes and --inputs out"};
  return overrides;
}

// Which option a bad value of a parameter came from.
Error fromOption(Error error, const ValidateOptions& o) {
  if (error.where.empty() && error.what.find("radius") != std::string::npos && !o.radii.empty()) error.where = "--radii";
  if (error.where.empty() && error.what.find("edge") != std::string::npos && !o.edges.empty()) error.where = "--edges";
  return error;
}

Status addCases(const std::vector<const Kernel*>& kernels, const Overrides& overrides, Plan& plan) {
  for (const Kernel* kernel : kernels) {
    Expected<std::vector<Case>> cases = casesOf(*kernel, overrides);
    if (!cases) return cases.error();
    plan.cases.insert(plan.cases.end(), cases->begin(), cases->end());
  }
  return {};
}

Expected<Plan> planOf(const ValidateOptions& o) {
  const Expected<std::vector<const Kernel*>> kernels = selectKernels(o.patterns);
  if (!kernels) return kernels.error();
  Expected<Overrides> overrides = overridesOf(o);
  if (!overrides) return overrides.error();
  Plan plan;
  for (const std::string& picture : o.pictures)
    if (Status bad = plan.inputs.addPicture(picture)) return *bad;
  for (const auto& [input, size] : plan.inputs.pictures()) {
    overrides->sizes = {size};
    overrides->inputs = {input};
    if (Status bad = addCases(*kernels, *overrides, plan)) return fromOption(*bad, o);
  }
  if (o.pictures.empty())
    if (Status bad = addCases(*kernels, *overrides, plan)) return fromOption(*bad, o);
  return plan;
}

// The goldens that this plan needs are all there and fresh; else one error for all.
Status checkStore(const golden::Store& store, std::span<const Case> cases, const std::set<std::string>& keys) {
  std::set<std::string> bad;
  std::optional<Error> first;
  for (const Case& c : cases) {
    const std::string key = c.goldenKey();
    if (!keys.contains(key) || bad.contains(key)) continue;
    const Expected<golden::Hash128> stored = store.lookup(key, c.kernel->provenance());
    if (stored) continue;
    bad.insert(key);
    if (!first) first = stored.error();
  }
  if (first && bad.size() > 1) first->what += fmt::format(", and so for {} more cases", bad.size() - 1);
  return first;
}

Expected<std::shared_ptr<const ShaderModule>> readModule(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.good() && !in.eof()) return Error{Outcome::kIoError, "cannot read the module", file, ""};
  if (bytes.size() % 4 != 0 || bytes.empty())
    return Error{Outcome::kBadInput, fmt::format("not SPIR-V: {} bytes, which is no whole number of words", bytes.size()), file, ""};
  auto module = std::make_shared<ShaderModule>();
  module->name = file;
  module->words.resize(bytes.size() / 4);
  std::memcpy(module->words.data(), bytes.data(), bytes.size());
  return std::shared_ptr<const ShaderModule>(std::move(module));
}

std::string utcNow() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{now - day};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

Status writeReport(ReportFolder& folder, const SweepResult& result, const ValidateOptions& o) {
  const ReportHeader header{o.command, utcNow()};
  return folder.commit(
      {{"report.html", htmlText(result, header)}, {"report.json", jsonText(result, header)}, {"junit.xml", junitText(result)}});
}

// Can files be made in the folder that is to keep images?
Status checkKeep(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || ::access(folder.c_str(), W_OK) != 0)
    return Error{Outcome::kIoError, "cannot write into the folder", "--keep " + folder, ""};
  return {};
}

}  // namespace

Expected<Outcome> runValidate(const ValidateOptions& o) {
  catchInterrupt();
  Expected<Plan> plan = planOf(o);
  if (!plan) return plan.error();
  SweepOptions sweep;
  if (!o.module.empty()) {
    Expected<std::shared_ptr<const ShaderModule>> module = readModule(o.module);
    if (!module) return module.error();
    sweep.module = *module;
  }
  std::optional<ReportFolder> report;
  if (!o.report.empty()) {
    Expected<ReportFolder> opened = ReportFolder::open(o.report);
    if (!opened) return opened.error();
    report.emplace(std::move(*opened));
  }
  if (!o.keep.empty()) {
    if (Status bad = checkKeep(o.keep)) return *bad;
    sweep.keep = o.keep;
  }
  const Expected<golden::Store> store = golden::Store::load(goldenFolder(o.golden));
  if (!store) return store.error();
  for (const auto& [key, c] : quickGoldenKeys()) sweep.storedKeys.insert(key);
  if (Status bad = checkStore(*store, plan->cases, sweep.storedKeys)) return *bad;
  sweep.store = &*store;

  Expected<OpenSides> sides = openSides(o.devices, o.threads);
  if (!sides) return sides.error();
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  Progress progress;
  sweep.progress = &progress;
  sweep.stop = &interrupted;
  SweepResult result;
  {
    const ProgressDisplay display(progress);
    result = runSweep(std::move(plan->cases), sides->sides, plan->inputs, sweep);
  }
  result.notes.insert(result.notes.end(), sides->notes.begin(), sides->notes.end());
  fmt::print("{}", summaryText(result));
  if (report) {
    if (Status bad = writeReport(*report, result, o)) return *bad;
    fmt::print("report: {}\n", (report->path() / "report.html").string());
  }
  return result.outcome();
}

}  // namespace lanewise
