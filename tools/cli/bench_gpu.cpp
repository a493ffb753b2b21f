// `lanewise bench --gpu`: kernels against one another on a device, by its timestamps. Each round runs every kernel once, so that a change
// of the clock rate affects all; before the timestamps the device is warmed up, and what a run uploads and reads back is outside of them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/base/file.h"
#include "tools/cli/bench.h"
#include "tools/cli/sides.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

struct Measured {
  std::string label;  // of a case at a point its kernel
  std::string name;
  std::optional<Case> what;
  Job job;
  std::vector<double> seconds;
};

// Runs each once and checks its result. A device's own refusal of a kernel leaves it out, with a note.
Expected<std::vector<Measured>> prepare(std::span<const BenchSubject> subjects, const Side& side) {
  std::vector<Measured> all;
  for (const BenchSubject& one : subjects) {
    Expected<Subject> subject = one.make();
    if (!subject) return subject.error();
    const MadeCase* made = subject->madeCase();
    if (made != nullptr)
      if (const std::string why = cannotRun(made->what, side.device->profile()); !why.empty()) {
        fmt::print("note: {} is left out on {}: {}\n", subject->name, side.info.name, why);
        continue;
      }
    const Expected<std::optional<Expectation>> expected = expectationOf(*subject);
    if (!expected) return expected.error();
    if (Status bad = checkRun(*subject, *expected, side.device->run(subject->job), side.info.name)) return *bad;
    Measured m{one.point.empty() ? subject->name : made->what.kernel->name, subject->name, {}, std::move(subject->job), {}};
    if (made != nullptr) m.what = made->what;
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

void print(const std::vector<Measured>& all, Json& rows) {
  std::size_t width = 0;
  double fastest = 1e300;
  for (const Measured& m : all) {
    width = std::max(width, m.label.size());
    fastest = std::min(fastest, median(m.seconds));
  }
  for (const Measured& m : all) {
    const auto [least, most] = std::minmax_element(m.seconds.begin(), m.seconds.end());
    const double middle = median(m.seconds);
    fmt::print("  {:<{}} {:>10.1f} us   ({:.1f} to {:.1f})   {:.2f}\n", m.label, width, middle * 1e6, *least * 1e6, *most * 1e6,
               middle / fastest);
    rows.push_back({{"case", m.name}, {"medianSeconds", middle}, {"ratio", middle / fastest}, {"seconds", m.seconds}});
  }
  std::fflush(stdout);
}

// A row for each kernel, and a column for each parameter that any has; `rank` counts from the fastest of a point.
class Table {
 public:
  void add(const std::string& device, const std::vector<Measured>& all) {
    for (const Measured& m : all) {
      std::map<std::string, std::string> row = {{"device", device}, {"kernel", m.label}};
      const auto us = [&](const char* column, double seconds) { row[column] = fmt::format("{:.2f}", seconds * 1e6); };
      us("median_us", median(m.seconds));
      us("least_us", *std::ranges::min_element(m.seconds));
      us("most_us", *std::ranges::max_element(m.seconds));
      const auto faster = std::ranges::count_if(all, [&](const Measured& other) { return median(other.seconds) < median(m.seconds); });
      row["rank"] = std::to_string(faster + 1);
      if (m.what) row["size"] = sizeText(m.what->size);
      for (std::size_t i = 0; m.what && i < m.what->values.size(); ++i) {
        const Parameter& p = m.what->kernel->parameters[i];
        parameters_.insert(p.name);
        row[p.name] = p.text(m.what->values[i]);
      }
      rows_.push_back(std::move(row));
    }
  }

  std::string csv() const {
    std::vector<std::string> columns = {"device", "kernel", "size"};
    columns.insert(columns.end(), parameters_.begin(), parameters_.end());
    columns.insert(columns.end(), {"median_us", "least_us", "most_us", "rank"});
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const auto& row : rows_) {
      std::vector<std::string> fields;
      for (const std::string& column : columns) fields.push_back(row.contains(column) ? row.at(column) : "");
      text += fmt::format("{}\n", fmt::join(fields, ","));
    }
    return text;
  }

 private:
  std::set<std::string> parameters_;
  std::vector<std::map<std::string, std::string>> rows_;
};

// The subjects of each point, in their order.
std::vector<std::span<const BenchSubject>> groupsOf(const std::vector<BenchSubject>& all) {
  std::vector<std::span<const BenchSubject>> groups;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].point == all[begin].point) ++end;
    groups.push_back(std::span(all).subspan(begin, end - begin));
  }
  return groups;
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
  Table table;
  for (std::size_t i = 0; i < open->sides.size(); ++i) {
    const Side& side = open->sides[i];
    fmt::print("{} ({}): medians of {} interleaved runs of {} repetition{}, by timestamps; ratios to the fastest\n", side.info.name,
               side.info.description, o.runs, o.repeat, o.repeat == 1 ? "" : "s");
    Json cases = Json::array();
    for (const std::span<const BenchSubject> group : groupsOf(subjects.all)) {
      Expected<std::vector<Measured>> all = prepare(group, side);
      if (!all) return all.error();
      if (Status bad = measure(*all, measuring->sides[i], o)) return *bad;
      if (!group[0].point.empty()) fmt::print("{}\n", group[0].point);
      print(*all, cases);
      table.add(side.info.name, *all);
      if (o.csv.empty()) continue;
      if (Status bad = writeTextFile(o.csv, table.csv())) return *bad;  // what there is, for a run that is stopped
    }
    json["devices"].push_back({{"name", side.info.name}, {"description", side.info.description}, {"cases", std::move(cases)}});
  }
  if (o.json.empty()) return Outcome::kOk;
  if (Status bad = writeTextFile(o.json, json.dump(1) + "\n")) return *bad;
  return Outcome::kOk;
}

}  // namespace lanewise
