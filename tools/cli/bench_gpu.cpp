// `lanewise bench --gpu`: kernels against one another on a device, by its timestamps. Each round runs every kernel once, so that a change
// of the clock rate affects all; before the timestamps the device is warmed up, and what a run uploads and reads back is outside of them.
//
// The floors of the kernels (tools/catalogue/floors.h) run in the same rounds. Results are checked before anything is measured, unless only
// times are asked for; algorithms of one contract share what is expected, so that the oracle runs once.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/base/file.h"
#include "tools/catalogue/floors.h"
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
  std::string floor;       // the name of the case that is its floor; may be empty
  bool onlyFloor = false;  // nobody asked for it, but it is the floor of another
  std::vector<double> seconds;
};

// What is being done, on stderr: one line that is rewritten on a terminal, elsewhere a line each.
class Doing {
 public:
  void operator()(const std::string& what) const { fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", what, terminal_ ? "" : "\n"); }
  // No more than one line every few seconds where lines stay.
  void often(const std::string& what) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ && now - last_ < std::chrono::seconds(5)) return;
    last_ = now;
    (*this)(what);
  }
  Doing() = default;
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;
  ~Doing() {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The subjects of one point that a device runs.
class Group {
 public:
  Group(const Side& side, bool timeOnly) : side_(side), timeOnly_(timeOnly) {}

  // Makes the subjects and the floors that are missing among them, and checks the result of each.
  Status prepare(std::span<const BenchSubject> subjects) {
    std::set<std::string> floors;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      Expected<Subject> subject = subjects[i].make();
      if (!subject) return subject.error();
      doing_(fmt::format("{} {} of {}: {}", timeOnly_ ? "making" : "checking", i + 1, subjects.size(), subject->name));
      if (Status bad = add(std::move(*subject), !subjects[i].point.empty())) return bad;
    }
    for (const Measured& m : all)
      if (!m.floor.empty()) floors.insert(m.floor);
    for (const Measured& m : all) floors.erase(m.name);
    for (const std::string& name : floors) {
      Expected<Case> c = parseCase(name);
      if (!c) return c.error();
      Expected<Subject> subject = subjectOf(std::move(*c));
      if (!subject) return subject.error();
      doing_(fmt::format("{} the floor: {}", timeOnly_ ? "making" : "checking", name));
      const std::size_t before = all.size();
      if (Status bad = add(std::move(*subject), true)) return bad;
      if (all.size() > before) all.back().onlyFloor = true;
    }
    return {};
  }

  // `measuring` is the same device, where it measures.
  Status measure(const Side& measuring, std::uint32_t runs) {
    for (std::uint32_t round = 0; round < runs; ++round)
      for (Measured& m : all) {
        doing_.often(fmt::format("measuring round {} of {}: {}", round + 1, runs, m.label));
        const RunResult run = measuring.device->run(m.job);
        if (run.error) return run.error;
        m.seconds.push_back(run.seconds);
      }
    return {};
  }

  std::vector<Measured> all;

 private:
  // A device's own refusal of a kernel leaves it out, with a note.
  Status add(Subject subject, bool atPoint) {
    const MadeCase* made = subject.madeCase();
    if (const std::string why = subject.cannotRunOn(side_.device->profile()); !why.empty()) {
      fmt::print("note: {} is left out on {}: {}\n", subject.name, side_.info.name, why);
      return {};
    }
    if (!timeOnly_)
      if (Status bad = check(subject)) return bad;
    Measured m{atPoint ? made->what.kernel->name : subject.name, subject.name, {}, std::move(subject.job), {}, false, {}};
    if (made != nullptr) {
      m.what = made->what;
      m.floor = floorOf(made->what);
    }
    for (Resource& r : m.job.resources) r.output = false;
    all.push_back(std::move(m));
    return {};
  }

  Status check(const Subject& subject) {
    const MadeCase* made = subject.madeCase();
    const bool shared = made != nullptr && made->what.kernel->exact();
    const auto known = shared ? expected_.find(made->what.goldenKey()) : expected_.end();
    if (known != expected_.end()) return checkRun(subject, known->second, side_.device->run(subject.job), side_.info.name);
    Expected<std::optional<Expectation>> expected = expectationOf(subject);
    if (!expected) return expected.error();
    Status bad = checkRun(subject, *expected, side_.device->run(subject.job), side_.info.name);
    if (shared) expected_.emplace(made->what.goldenKey(), std::move(*expected));
    return bad;
  }

  const Side& side_;
  bool timeOnly_;
  Doing doing_;
  std::map<std::string, std::optional<Expectation>> expected_;  // by goldens' names
};

// The median time of its floor; nothing if it has none, or is one itself.
std::optional<double> floorSeconds(const Measured& m, const std::vector<Measured>& all) {
  for (const Measured& other : all)
    if (!m.floor.empty() && other.name == m.floor && other.name != m.name) return median(other.seconds);
  return {};
}

void print(const std::vector<Measured>& all, Json& rows) {
  std::size_t width = 0;
  double fastest = 1e300;
  for (const Measured& m : all) {
    width = std::max(width, m.label.size());
    if (!m.onlyFloor) fastest = std::min(fastest, median(m.seconds));
  }
  for (const Measured& m : all) {
    const auto [least, most] = std::minmax_element(m.seconds.begin(), m.seconds.end());
    const double middle = median(m.seconds);
    fmt::print("  {:<{}} {:>10.1f} us   ({:.1f} to {:.1f})   {:.2f}", m.label, width, middle * 1e6, *least * 1e6, *most * 1e6,
               middle / fastest);
    Json row = {{"case", m.name}, {"medianSeconds", middle}, {"ratio", middle / fastest}, {"seconds", m.seconds}};
    if (m.onlyFloor) fmt::print("   a floor");
    if (const std::optional<double> floor = floorSeconds(m, all)) {
      fmt::print("   {:.2f} x {}", middle / *floor, m.floor.substr(0, m.floor.find(' ')));
      row["floor"] = m.floor;
      row["ratioToFloor"] = middle / *floor;
    }
    fmt::print("\n");
    rows.push_back(std::move(row));
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
      const auto faster =
          std::ranges::count_if(all, [&](const Measured& other) { return !other.onlyFloor && median(other.seconds) < median(m.seconds); });
      if (!m.onlyFloor) row["rank"] = std::to_string(faster + 1);
      if (const std::optional<double> floor = floorSeconds(m, all)) row["to_floor"] = fmt::format("{:.2f}", median(m.seconds) / *floor);
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
    columns.insert(columns.end(), {"median_us", "least_us", "most_us", "rank", "to_floor"});
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
  SideOptions on;
  on.devices = o.devices;
  on.threads = threads;
  Expected<OpenSides> open = openSides(on);
  if (!open) return open.error();
  // The same devices again for measuring; the others check the results.
  on.repeat = o.repeat;
  Expected<OpenSides> measuring = openSides(on);
  if (!measuring) return measuring.error();
  for (OpenSides* sides : {&*open, &*measuring}) std::erase_if(sides->sides, [](const Side& side) { return side.parallel; });
  if (open->sides.empty()) return Error{Outcome::kDeviceTrouble, "no Vulkan device to measure", "--gpu", "see `lanewise devices`"};
  Json json = {{"schema", "lanewise-bench-gpu-1"}, {"version", LANEWISE_VERSION}, {"runs", o.runs}, {"repeat", o.repeat},
               {"checked", !o.timeOnly},           {"devices", Json::array()}};
  for (const std::string& note : subjects.notes) fmt::print("note: {}\n", note);
  Table table;
  for (std::size_t i = 0; i < open->sides.size(); ++i) {
    const Side& side = open->sides[i];
    fmt::print("{} ({}): medians of {} interleaved runs of {} repetition{}, by timestamps{}; ratios to the fastest, and to the floor\n",
               side.info.name, side.info.description, o.runs, o.repeat, o.repeat == 1 ? "" : "s",
               o.timeOnly ? ", results not checked" : "");
    std::fflush(stdout);
    Json cases = Json::array();
    for (const std::span<const BenchSubject> group : groupsOf(subjects.all)) {
      Group measured(side, o.timeOnly);
      if (Status bad = measured.prepare(group)) return *bad;
      if (Status bad = measured.measure(measuring->sides[i], o.runs)) return *bad;
      if (!group[0].point.empty()) fmt::print("{}\n", group[0].point);
      print(measured.all, cases);
      table.add(side.info.name, measured.all);
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
