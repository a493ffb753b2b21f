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

// Of one kernel with one number of threads: what each side took, in seconds, or why a device did not run it.
struct Row {
  std::string kernel;
  bool transcendental = false;
  std::uint32_t threads = 0;
  std::vector<Expected<double>> seconds;
};

// The medians of all runs but the first of each side. A device after the first side that fails runs the kernel no more; a model that fails
// is an error.
Expected<std::vector<Expected<double>>> timesOf(const Job& job, const OpenSides& open, const BenchOptions& o) {
  std::vector<std::vector<double>> all(open.sides.size());
  std::vector<Status> failed(open.sides.size());
  for (std::uint32_t run = 0; run <= o.runs; ++run) {
    if (run == 1) warmUp(open.sides, job, o.tier);
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (failed[s]) continue;
      const RunResult result = open.sides[s].device->run(job);
      if (result.error && (s == 0 || open.sides[s].info.isModel)) return *result.error;
      failed[s] = result.error;
      if (run != 0) all[s].push_back(result.seconds);
    }
  }
  std::vector<Expected<double>> medians;
  for (std::size_t s = 0; s < all.size(); ++s) medians.push_back(failed[s] ? Expected<double>(*failed[s]) : median(std::move(all[s])));
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
    if (row.threads != threads || !chosen(row) || !row.seconds[s]) continue;
    const double ratio = *row.seconds[s] / *row.seconds[0];
    logarithms += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
  if (count == 0) return;
  fmt::print("{}, {} thread{}: {:.2f} times as fast as {} in the geometric mean of {} kernel{}, at least {:.2f}\n", which, threads,
             threads == 1 ? "" : "s", std::exp(logarithms / static_cast<double>(count)), whose, count, count == 1 ? "" : "s", least);
}

// `alone`, if given, has the times of the first number of threads, for the efficiency.
void printRow(const Row& row, const Row* alone) {
  const double model = *row.seconds[0];
  fmt::print("{:<24}", row.kernel);
  for (const Expected<double>& seconds : row.seconds)
    if (seconds)
      fmt::print(" {:>12.3f}", *seconds * 1e3);
    else
      fmt::print(" {:>12}", "failed");
  for (std::size_t s = 1; s < row.seconds.size(); ++s)
    if (row.seconds[s]) fmt::print("  {:.2f} times as fast", *row.seconds[s] / model);
  if (alone != nullptr && alone->threads != row.threads)
    fmt::print("  efficiency {:.2f}", *alone->seconds[0] * alone->threads / (model * row.threads));
}

void printFailures(const Row& row, const OpenSides& open) {
  for (std::size_t s = 0; s < row.seconds.size(); ++s)
    if (!row.seconds[s])
      fmt::print("  {}: {}: {}\n", open.sides[s].info.name, outcomeName(row.seconds[s].error().outcome), row.seconds[s].error().text());
}

std::string csvOf(const std::vector<Row>& rows, const OpenSides& open) {
  std::string text = "kernel,transcendental,threads";
  for (const Side& side : open.sides) text += "," + side.info.name + "_ms";
  text += "\n";
  for (const Row& row : rows) {
    text += fmt::format("{},{},{}", row.kernel, row.transcendental ? 1 : 0, row.threads);
    for (const Expected<double>& seconds : row.seconds) text += seconds ? fmt::format(",{:.4f}", *seconds * 1e3) : ",";
    text += "\n";
  }
  return text;
}

// With one number of threads.
Status measureRows(const std::vector<CorpusKernel>& kernels, const BenchOptions& o, std::uint32_t threads, const OpenSides& open,
                   std::vector<Row>& rows) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  for (const std::string& note : open.notes) fmt::print("note: {}\n", note);
  fmt::print("{} thread{}: medians of {} runs in milliseconds\n{:<24}", threads, threads == 1 ? "" : "s", o.runs, "");
  for (const Side& side : open.sides) fmt::print(" {:>12}", side.info.name);
  fmt::print("\n");
  const std::size_t first = rows.size();
  for (const CorpusKernel& k : kernels) {
    SubjectArguments arguments = k.large;
    arguments.module.source.optimise = o.subject.module.source.optimise;
    const Expected<Subject> subject = openSubject(arguments);
    if (!subject) return subject.error();
    const TierReport before = tierReportOf(open);
    const Expected<std::vector<Expected<double>>> times = timesOf(subject->job, open, o);
    if (!times) return times.error();
    rows.push_back({k.name, k.transcendental, threads, *times});
    printRow(rows.back(), first == 0 ? nullptr : &rows[(rows.size() - 1) % kernels.size()]);
    fmt::print("{}{}\n", newsOf(before, tierReportOf(open)), k.transcendental ? "  (transcendental)" : "");
    printFailures(rows.back(), open);
    std::fflush(stdout);
  }
  for (std::size_t s = 1; s < open.sides.size(); ++s) {
    const std::string& whose = open.sides[s].info.name;
    printMean(rows, s, whose, threads, "all", [](const Row&) { return true; });
    printMean(rows, s, whose, threads, "transcendental", [](const Row& row) { return row.transcendental; });
    printMean(rows, s, whose, threads, "not transcendental", [](const Row& row) { return !row.transcendental; });
  }
  return {};
}

// The table has what was measured, also where a kernel ends it.
Status measureAll(const std::vector<CorpusKernel>& kernels, const BenchOptions& o, std::uint32_t threads, std::vector<Row>& rows) {
  SideOptions on;
  on.devices = o.devices;
  on.threads = threads;
  on.tier = o.tier;
  const Expected<OpenSides> open = openSides(on);
  if (!open) return open.error();
  const Status wrong = measureRows(kernels, o, threads, *open, rows);
  if (o.csv.empty() || rows.empty()) return wrong;
  const Status bad = writeTextFile(o.csv, csvOf(rows, *open));
  return wrong ? wrong : bad;
}

}  // namespace

Expected<Outcome> runBenchCorpus(const BenchOptions& o, std::span<const std::uint32_t> threads) {
  const Expected<std::vector<CorpusKernel>> kernels = readCorpus(ownData("corpus").string(), o.texts);
  if (!kernels) return kernels.error();
  std::vector<Row> rows;
  for (const std::uint32_t n : threads)
    if (Status wrong = measureAll(*kernels, o, n, rows)) return *wrong;
  for (const Row& row : rows)
    for (const Expected<double>& seconds : row.seconds)
      if (!seconds) return seconds.error().outcome;
  return Outcome::kOk;
}

}  // namespace lanewise
