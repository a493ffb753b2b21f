// `lanewise bench --corpus`: the kernels of shaders/corpus at their large size on every side, one run of each after the other, with each
// number of threads; a line a kernel, and geometric means.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <cmath>

#include "model/base/file.h"
#include "model/base/program_folder.h"
#include "model/model.h"
#include "tools/cli/bench.h"
#include "tools/cli/sides.h"
#include "tools/subject/corpus.h"

namespace lanewise {
namespace {

// Of one kernel with one number of threads: what each side took, in seconds.
struct Row {
  std::string kernel;
  bool transcendental = false;
  std::uint32_t threads = 0;
  std::vector<double> seconds;
};

// The medians of all runs but the first of each side.
Expected<std::vector<double>> timesOf(const Job& job, const OpenSides& open, const BenchOptions& o) {
  std::vector<std::vector<double>> all(open.sides.size());
  for (std::uint32_t run = 0; run <= o.runs; ++run) {
    if (run == 1) warmUp(open.sides, job, o.tier);
    for (std::size_t s = 0; s < all.size(); ++s) {
      const RunResult result = open.sides[s].device->run(job);
      if (result.error) return *result.error;
      if (run != 0) all[s].push_back(result.seconds);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& one : all) medians.push_back(median(std::move(one)));
  return medians;
}

// Of all models.
TierReport tierReportOf(const OpenSides& open) {
  TierReport all;
  for (const Side& side : open.sides)
    if (const auto* model = dynamic_cast<const Model*>(side.device)) {
      const TierReport one = model->tierReport();
      all.programs += one.programs;
      all.kept += one.kept;
      all.seconds += one.seconds;
      all.refusals.insert(all.refusals.end(), one.refusals.begin(), one.refusals.end());
    }
  return all;
}

// "  compiled in 34 ms", "  read from disk in 2 ms", "  not compiled: DebugPrintf".
std::string newsOf(const TierReport& before, const TierReport& after) {
  if (after.refusals.size() > before.refusals.size()) return "  not compiled: " + after.refusals.back();
  if (after.programs == before.programs) return "";
  return fmt::format("  {} in {:.0f} ms", after.kept > before.kept ? "read from disk" : "compiled", (after.seconds - before.seconds) * 1e3);
}

// How many times as fast as side `s` the first side is, in the geometric mean.
void printMean(const std::vector<Row>& rows, std::size_t s, const std::string& whose, std::uint32_t threads, const char* which,
               const auto& chosen) {
  double logarithms = 0, least = HUGE_VAL;
  std::size_t count = 0;
  for (const Row& row : rows) {
    if (row.threads != threads || !chosen(row)) continue;
    const double ratio = row.seconds[s] / row.seconds[0];
    logarithms += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
  if (count == 0) return;
  fmt::print("{}, {} thread{}: {:.2f} times as fast as {} in the geometric mean of {} kernels, at least {:.2f}\n", which, threads,
             threads == 1 ? "" : "s", std::exp(logarithms / static_cast<double>(count)), whose, count, least);
}

// With one number of threads. `alone` has the times of the first number, for the efficiency.
Status measureAll(const std::vector<CorpusKernel>& kernels, const BenchOptions& o, std::uint32_t threads, std::vector<Row>& rows) {
  SideOptions on;
  on.devices = o.devices;
  on.threads = threads;
  on.tier = o.tier;
  Expected<OpenSides> open = openSides(on);
  if (!open) return open.error();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  for (const std::string& note : open->notes) fmt::print("note: {}\n", note);
  fmt::print("{} thread{}: medians of {} runs in milliseconds\n{:<24}", threads, threads == 1 ? "" : "s", o.runs, "");
  for (const Side& side : open->sides) fmt::print(" {:>12}", side.info.name);
  fmt::print("\n");
  const std::size_t first = rows.size();
  for (const CorpusKernel& k : kernels) {
    SubjectArguments arguments = k.large;
    arguments.module.source.optimise = o.subject.module.source.optimise;
    const Expected<Subject> subject = openSubject(arguments);
    if (!subject) return subject.error();
    const TierReport before = tierReportOf(*open);
    const Expected<std::vector<double>> times = timesOf(subject->job, *open, o);
    if (!times) return times.error();
    rows.push_back({k.name, k.transcendental, threads, *times});
    fmt::print("{:<24}", k.name);
    for (const double seconds : *times) fmt::print(" {:>12.3f}", seconds * 1e3);
    for (std::size_t s = 1; s < times->size(); ++s) fmt::print("  {:.2f} times as fast", times->at(s) / times->at(0));
    if (const Row& alone = rows[(rows.size() - 1) % kernels.size()]; first != 0)
      fmt::print("  efficiency {:.2f}", alone.seconds[0] * alone.threads / (times->at(0) * threads));
    fmt::print("{}{}\n", newsOf(before, tierReportOf(*open)), k.transcendental ? "  (transcendental)" : "");
    std::fflush(stdout);
  }
  for (std::size_t s = 1; s < open->sides.size(); ++s) {
    const std::string& whose = open->sides[s].info.name;
    printMean(rows, s, whose, threads, "all", [](const Row&) { return true; });
    printMean(rows, s, whose, threads, "transcendental", [](const Row& row) { return row.transcendental; });
    printMean(rows, s, whose, threads, "not transcendental", [](const Row& row) { return !row.transcendental; });
  }
  if (o.csv.empty()) return {};
  std::string text = "kernel,transcendental,threads";
  for (const Side& side : open->sides) text += "," + side.info.name + "_ms";
  text += "\n";
  for (const Row& row : rows) {
    text += fmt::format("{},{},{}", row.kernel, row.transcendental ? 1 : 0, row.threads);
    for (const double seconds : row.seconds) text += fmt::format(",{:.4f}", seconds * 1e3);
    text += "\n";
  }
  return writeTextFile(o.csv, text);
}

}  // namespace

Expected<Outcome> runBenchCorpus(const BenchOptions& o, std::span<const std::uint32_t> threads) {
  const Expected<std::vector<CorpusKernel>> kernels = readCorpus(ownData("corpus").string(), o.texts);
  if (!kernels) return kernels.error();
  std::vector<Row> rows;
  for (const std::uint32_t n : threads)
    if (Status wrong = measureAll(*kernels, o, n, rows)) return *wrong;
  return Outcome::kOk;
}

}  // namespace lanewise
