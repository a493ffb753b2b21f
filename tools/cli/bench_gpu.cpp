// `lanewise bench --gpu`: kernels against one another on a device, by its timestamps. Each round runs every kernel once, so that a clock
// that changes changes for all; before the timestamps the device is warmed up, and what a run uploads and reads back is outside of them.
//
// Beside the kernels runs, where their rows name one, the floor of their contract: a kernel that moves the least a result takes, none of
// it twice. Results are compared with the oracle's before anything is measured, unless only the time is asked for.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/base/file.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/floors.h"
#include "tools/cli/bench.h"
#include "tools/cli/comma_lists.h"
#include "tools/cli/sides.h"
#include "tools/run/module_file.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

using Module = std::shared_ptr<const ShaderModule>;

struct Measured {
  Case what;
  Job job;
  std::string floor;  // the name of the case that is its floor; empty: none, or it is one itself
  Module instead;     // of the kernel's own; may be null
  std::vector<double> seconds;

  std::string label() const { return instead ? fmt::format("{} with {}", what.kernel->name, instead->name) : what.kernel->name; }
};

// What is being done, on stderr: rewritten on a terminal, a line each elsewhere.
class Told {
 public:
  void operator()(const std::string& what) const { fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", what, terminal_ ? "" : "\n"); }
  ~Told() {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
};

// The cases, each with every module, and behind them the floors that are not among them.
Expected<std::vector<Measured>> plan(const std::vector<Case>& cases, const std::vector<Module>& modules) {
  std::vector<Measured> all;
  std::vector<std::string> floors;
  for (const Case& c : cases) {
    Expected<std::string> floor = floorOf(c);
    if (!floor) return floor.error();
    if (!floor->empty()) floors.push_back(*floor);
    all.push_back({c, {}, *floor, nullptr, {}});
    for (const Module& module : modules) all.push_back({c, {}, *floor, module, {}});
  }
  for (const std::string& name : floors) {
    if (std::ranges::any_of(all, [&](const Measured& m) { return m.what.name() == name; })) continue;
    Expected<Case> c = parseCase(name);
    if (!c) return c.error();
    all.push_back({std::move(*c), {}, {}, nullptr, {}});
  }
  return all;
}

// Algorithms of one contract share what is expected.
struct Expectations {
  std::map<std::string, Expectation> exact;

  Expected<const Expectation*> of(const Case& c, const golden::Image& input) {
    const std::string key = c.kernel->exact() ? c.goldenKey() : c.name();
    auto at = exact.find(key);
    if (at == exact.end()) {
      Expected<Expectation> made = expectationOf(c, input);
      if (!made) return made.error();
      at = exact.emplace(key, std::move(*made)).first;
    }
    return &at->second;
  }
};

// Their jobs; unless only the time is asked for, each runs once and what it gives is compared.
Status prepare(std::vector<Measured>& all, const Side& side, bool timeOnly) {
  const Told tell;
  Expectations expectations;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Case& c = all[i].what;
    if (!timeOnly) tell(fmt::format("checking {} of {}: {}", i + 1, all.size(), all[i].label()));
    const Expected<golden::Image> input = Inputs().make(c);
    if (!input) return input.error();
    Job& job = all[i].job = c.kernel->plan(c, all[i].instead ? all[i].instead : kernelModule(*c.kernel), *input);
    if (!timeOnly) {
      const Expected<const Expectation*> expected = expectations.of(c, *input);
      if (!expected) return expected.error();
      if (Status bad = checkRun(c, **expected, side.device->run(job), side.info.name)) return bad;
    }
    for (Resource& r : job.resources) r.output = false;
  }
  return {};
}

// `side` is a device that measures.
Status measure(std::vector<Measured>& all, const Side& side, const BenchOptions& o) {
  const Told tell;
  for (std::uint32_t round = 0; round < o.runs; ++round) {
    tell(fmt::format("measuring: round {} of {}", round + 1, o.runs));
    for (Measured& m : all) {
      const RunResult run = side.device->run(m.job);
      if (run.error) return run.error;
      m.seconds.push_back(run.seconds);
    }
  }
  return {};
}

// The median time of a floor; 0 where there is none.
double floorSeconds(const Measured& m, const std::vector<Measured>& all) {
  for (const Measured& other : all)
    if (!m.floor.empty() && other.what.name() == m.floor) return median(other.seconds);
  return 0;
}

Json print(const std::vector<Measured>& all) {
  std::size_t width = 0;
  double fastest = 1e300;
  for (const Measured& m : all) {
    width = std::max(width, m.label().size());
    fastest = std::min(fastest, median(m.seconds));
  }
  Json rows = Json::array();
  for (const Measured& m : all) {
    const auto [least, most] = std::minmax_element(m.seconds.begin(), m.seconds.end());
    const double middle = median(m.seconds), floor = floorSeconds(m, all);
    fmt::print("  {:<{}} {:>10.1f} us   ({:.1f} to {:.1f})   {:.2f}", m.label(), width, middle * 1e6, *least * 1e6, *most * 1e6,
               middle / fastest);
    Json row = {{"case", m.what.name()},
                {"module", m.instead ? m.instead->name : m.what.kernel->module},
                {"medianSeconds", middle},
                {"ratio", middle / fastest},
                {"seconds", m.seconds}};
    if (floor != 0) {
      fmt::print("   {:.2f} x {:.1f} us of {}", middle / floor, floor * 1e6, m.floor.substr(0, m.floor.find(' ')));
      row["floor"] = m.floor;
      row["ratioToFloor"] = middle / floor;
    }
    fmt::print("\n");
    rows.push_back(std::move(row));
  }
  return rows;
}

// One size on one device.
Expected<Json> benchSize(const BenchOptions& o, bool timeOnly, const std::string& size, const std::vector<Module>& modules,
                         const Side& checking, const Side& measuring) {
  const Expected<BenchCases> cases = benchCases(o, size);
  if (!cases) return cases.error();
  Expected<std::vector<Measured>> all = plan(cases->cases, modules);
  if (!all) return all.error();
  if (Status bad = prepare(*all, checking, timeOnly)) return *bad;
  if (Status bad = measure(*all, measuring, o)) return *bad;
  for (const std::string& note : cases->notes) fmt::print("note: {}\n", note);
  fmt::print("{} ({}), {}: medians of {} interleaved runs of {} repetition{}, by timestamps{}; ratios to the fastest, and to the floor\n",
             checking.info.name, checking.info.description, size, o.runs, o.repeat, o.repeat == 1 ? "" : "s",
             timeOnly ? ", results not compared" : "");
  return Json{{"name", checking.info.name}, {"description", checking.info.description}, {"size", size}, {"cases", print(*all)}};
}

}  // namespace

Expected<Outcome> runBenchGpu(const BenchOptions& o, const BenchGpuOptions& more) {
  const Expected<std::vector<Size>> sizes = parseSizes("--size", o.size);
  if (!sizes) return sizes.error();
  std::vector<Module> modules;
  for (const std::string& file : more.modules) {
    Expected<Module> module = loadModule(file);
    if (!module) return module.error();
    modules.push_back(std::move(*module));
  }
  Expected<OpenSides> open = openSides({.devices = o.devices, .threads = o.threads});
  if (!open) return open.error();
  // The same ones once more, to measure: what they compute is checked by the others.
  Expected<OpenSides> measuring = openSides({.devices = o.devices, .threads = o.threads, .repeat = o.repeat});
  if (!measuring) return measuring.error();
  for (OpenSides* sides : {&*open, &*measuring}) std::erase_if(sides->sides, [](const Side& side) { return side.parallel; });
  if (open->sides.empty()) return Error{Outcome::kDeviceTrouble, "no Vulkan device to measure", "--gpu", "see `lanewise devices`"};
  Json json = {{"schema", "lanewise-bench-gpu-2"}, {"version", LANEWISE_VERSION}, {"runs", o.runs}, {"repeat", o.repeat},
               {"compared", !more.timeOnly},       {"devices", Json::array()}};
  for (std::size_t i = 0; i < open->sides.size(); ++i)
    for (const Size size : *sizes) {
      Expected<Json> rows = benchSize(o, more.timeOnly, sizeText(size), modules, open->sides[i], measuring->sides[i]);
      if (!rows) return rows.error();
      json["devices"].push_back(std::move(*rows));
    }
  if (o.json.empty()) return Outcome::kOk;
  if (Status bad = writeTextFile(o.json, json.dump(1) + "\n")) return *bad;
  return Outcome::kOk;
}

}  // namespace lanewise
