// `lanewise bench`: the same modules on every side, one run of each side after the other, so that a machine that slows down slows all
// alike.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/cli/commands.h"
#include "tools/cli/lists.h"
#include "tools/cli/sides.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Seconds of each run on each side; the first run of a side is not among them. Every output is compared with the oracle's.
Expected<std::vector<std::vector<double>>> measure(const Case& c, std::span<const Side> sides, std::uint32_t runs) {
  const Expected<golden::Image> input = Inputs().make(c);
  if (!input) return input.error();
  const Expected<Expectation> expected = expectationOf(c, *input);
  if (!expected) return expected.error();
  const Job job = c.kernel->plan(c, kernelModule(*c.kernel), *input);
  std::vector<std::vector<double>> seconds(sides.size());
  for (std::uint32_t run = 0; run <= runs; ++run)
    for (std::size_t s = 0; s < sides.size(); ++s) {
      RunResult result = sides[s].device->run(job);
      if (result.error) return *result.error;
      const Expected<std::vector<golden::Image>> got = imagesOf(result, *expected);
      if (!got) return got.error();
      const Expected<std::optional<OutputDiff>> wrong = firstDifference(c, *expected, *got);
      if (!wrong) return wrong.error();
      if (*wrong)
        return Error{Outcome::kFinding, "a wrong result: its time means nothing", fmt::format("{} on {}", c.name(), sides[s].info.name),
                     "run `lanewise validate` on this case"};
      if (run != 0) seconds[s].push_back(result.seconds);
    }
  return seconds;
}

void print(const Case& c, std::span<const Side> sides, const std::vector<std::vector<double>>& seconds, Json& json) {
  fmt::print("{}\n", c.name());
  const double model = median(seconds[0]);
  Json row = {{"case", c.name()}, {"sides", Json::array()}};
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const auto [least, most] = std::minmax_element(seconds[s].begin(), seconds[s].end());
    const double middle = median(seconds[s]);
    fmt::print("  {:<14} {:>10.3f} ms   ({:.3f} to {:.3f})", sides[s].info.name, middle * 1e3, *least * 1e3, *most * 1e3);
    if (s != 0) fmt::print("   {:.2f} x the time of {}", middle / model, sides[0].info.name);
    fmt::print("\n");
    row["sides"].push_back({{"name", sides[s].info.name}, {"medianSeconds", middle}, {"ratio", middle / model}, {"seconds", seconds[s]}});
  }
  json["cases"].push_back(std::move(row));
}

Expected<std::vector<Case>> casesFor(const BenchOptions& o) {
  const Expected<std::vector<const Kernel*>> kernels = selectKernels(o.patterns);
  if (!kernels) return kernels.error();
  std::vector<Case> cases;
  for (const Kernel* kernel : *kernels) {
    std::string text = kernel->name + " @ " + o.size;
    for (const Parameter& p : kernel->parameters) {
      if (p.name == "radius") text += fmt::format(" radius={}", o.radius);
      if (p.name == "edge") text += " edge=" + o.edge;
    }
    Expected<Case> c = parseCase(text);
    if (!c) return c.error();
    cases.push_back(std::move(*c));
  }
  return cases;
}

}  // namespace

Expected<Outcome> runBench(const BenchOptions& o) {
  const Expected<std::vector<Case>> cases = casesFor(o);
  if (!cases) return cases.error();
  Expected<OpenSides> open = openSides(o.devices, "", o.threads);
  if (!open) return open.error();
  std::optional<tbb::global_control> limit;
  if (o.threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, o.threads);
  Json json = {
      {"schema", "lanewise-bench-1"}, {"version", LANEWISE_VERSION}, {"threads", o.threads}, {"runs", o.runs}, {"cases", Json::array()}};
  for (const std::string& note : open->notes) fmt::print("note: {}\n", note);
  fmt::print("medians of {} runs, {}; the time of the dispatches alone\n", o.runs,
             o.threads == 0 ? "all threads" : fmt::format("{} thread{} each", o.threads, o.threads == 1 ? "" : "s"));
  for (const Case& c : *cases) {
    const Expected<std::vector<std::vector<double>>> seconds = measure(c, open->sides, o.runs);
    if (!seconds) return seconds.error();
    print(c, open->sides, *seconds, json);
  }
  if (o.json.empty()) return Outcome::kOk;
  std::ofstream out(o.json);
  out << json.dump(1) << "\n";
  out.flush();
  if (!out) return Error{Outcome::kIoError, "cannot write", o.json, ""};
  return Outcome::kOk;
}

}  // namespace lanewise
