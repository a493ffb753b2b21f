// `lanewise bench --gpu`: kernels against one another on a device, by its timestamps. Each round runs every kernel once, so that a change
// of the clock rate affects all; before the timestamps the device is warmed up, and what a run uploads and reads back is outside of them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/base/file.h"
#include "tools/cli/bench.h"
#include "tools/cli/sides.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

struct Measured {
  std::string label;  // of a case of --size its kernel
  std::string name;
  Job job;
  std::vector<double> seconds;
};

// Runs each once and checks its result.
Expected<std::vector<Measured>> prepare(const BenchSubjects& subjects, const Side& side, const std::string& size) {
  std::vector<Measured> all;
  for (const auto& make : subjects.all) {
    Expected<Subject> subject = make();
    if (!subject) return subject.error();
    const Expected<std::optional<Expectation>> expected = expectationOf(*subject);
    if (!expected) return expected.error();
    if (Status bad = checkRun(*subject, *expected, side.device->run(subject->job), side.info.name)) return *bad;
    const MadeCase* made = subject->madeCase();
    Measured m{
        made && sizeText(made->what.size) == size ? made->what.kernel->name : subject->name, subject->name, std::move(subject->job), {}};
    for (Resource& r : m.job.resources) r.output = false;
    all.push_back(std::move(m));
  }
  return all;
}

// `side` is a measuring device.
Status measure(std::vector<Measured>& all, const Side& side, const BenchOptions& o) {
  for (std::uint32_t round = 0; round < o.runs; ++round)
    for (Measured& m : all) {
      const RunResult run = side.device->run(m.job);
      if (run.error) return run.error;
      m.seconds.push_back(run.seconds);
    }
  return {};
}

Json print(const std::vector<Measured>& all) {
  std::size_t width = 0;
  double fastest = 1e300;
  for (const Measured& m : all) {
    width = std::max(width, m.label.size());
    fastest = std::min(fastest, median(m.seconds));
  }
  Json rows = Json::array();
  for (const Measured& m : all) {
    const auto [least, most] = std::minmax_element(m.seconds.begin(), m.seconds.end());
    const double middle = median(m.seconds);
    fmt::print("  {:<{}} {:>10.1f} us   ({:.1f} to {:.1f})   {:.2f}\n", m.label, width, middle * 1e6, *least * 1e6, *most * 1e6,
               middle / fastest);
    rows.push_back({{"case", m.name}, {"medianSeconds", middle}, {"ratio", middle / fastest}, {"seconds", m.seconds}});
  }
  return rows;
}

}  // namespace

Expected<Outcome> runBenchGpu(const BenchOptions& o, const BenchSubjects& subjects) {
  const Expected<std::vector<std::uint32_t>> asked = threadsOf(o);
  if (!asked) return asked.error();
  const std::uint32_t threads = asked->empty() ? 0 : asked->front();
  Expected<OpenSides> open = openSides({.devices = o.devices, .threads = threads});
  if (!open) return open.error();
  // The same devices again for measuring; the others check the results.
  Expected<OpenSides> measuring = openSides({.devices = o.devices, .threads = threads, .repeat = o.repeat});
  if (!measuring) return measuring.error();
  for (OpenSides* sides : {&*open, &*measuring}) std::erase_if(sides->sides, [](const Side& side) { return side.parallel; });
  if (open->sides.empty()) return Error{Outcome::kDeviceTrouble, "no Vulkan device to measure", "--gpu", "see `lanewise devices`"};
  Json json = {{"schema", "lanewise-bench-gpu-1"},
               {"version", LANEWISE_VERSION},
               {"runs", o.runs},
               {"repeat", o.repeat},
               {"devices", Json::array()}};
  for (const std::string& note : subjects.notes) fmt::print("note: {}\n", note);
  for (std::size_t i = 0; i < open->sides.size(); ++i) {
    const Side& side = open->sides[i];
    Expected<std::vector<Measured>> all = prepare(subjects, side, o.size);
    if (!all) return all.error();
    if (Status bad = measure(*all, measuring->sides[i], o)) return *bad;
    fmt::print("{} ({}), kernels at {}: medians of {} interleaved runs of {} repetition{}, by timestamps; ratios to the fastest\n",
               side.info.name, side.info.description, o.size, o.runs, o.repeat, o.repeat == 1 ? "" : "s");
    json["devices"].push_back({{"name", side.info.name}, {"description", side.info.description}, {"cases", print(*all)}});
  }
  if (o.json.empty()) return Outcome::kOk;
  if (Status bad = writeTextFile(o.json, json.dump(1) + "\n")) return *bad;
  return Outcome::kOk;
}

}  // namespace lanewise
