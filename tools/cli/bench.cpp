// `lanewise bench`: the same modules on every side, one run of each side after the other, so that a machine that slows down slows all of
// them.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

#include "model/base/file.h"
#include "model/base/visible.h"
#include "tools/cli/bench.h"
#include "tools/cli/bench_table.h"
#include "tools/cli/peak_memory.h"
#include "tools/cli/sides.h"
#include "tools/cli/write_report.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

// Measures every side's times. Checks every output.
Expected<std::vector<Timed>> measure(const Subject& subject, std::span<const Side> sides, const BenchOptions& o) {
  const Expected<std::optional<Expectation>> expected = expectationOf(subject);
  if (!expected) return expected.error();
  for (const Side& side : sides)
    if (const std::string why = subject.script ? subject.cannotRunOn(side.device->profile()) : ""; !why.empty())
      return Error{Outcome::kUnsupported, why, side.info.name, "--devices names others"};
  std::vector<Timed> timed(sides.size());
  std::vector<std::vector<double>> calls(sides.size());
  for (std::uint32_t run = 0; run <= o.runs; ++run) {
    if (run == 1) warmUp(sides, subject.job, o.tier);
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const auto begin = std::chrono::steady_clock::now();
      RunResult result = sides[s].device->run(subject.job);
      const double call = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (run == 0) {
        timed[s].preparation = call;
      } else {
        calls[s].push_back(call);
        timed[s].seconds.push_back(result.seconds);
      }
      if (Status bad = checkRun(subject, *expected, std::move(result), sides[s].info.name)) return *bad;
    }
  }
  for (std::size_t s = 0; s < sides.size(); ++s) {
    timed[s].preparation = std::max(0.0, timed[s].preparation - median(calls[s]));
    if (!sides[s].info.isModel) continue;  // devices run in processes of their own
    const PeakMemory memory;               // apart: the system hands out what was given back page by page, which takes time
    static_cast<void>(sides[s].device->run(subject.job));
    timed[s].memory = memory.bytes();
  }
  return timed;
}

}  // namespace

void warmUp(std::span<const Side> sides, const Job& job, const TierOptions& tier) {
  for (const Side& side : sides)
    if (side.info.isModel) untilChosen(tier, [&] { return !side.device->run(job).error; });
}

Expected<std::vector<std::uint32_t>> threadsOf(const BenchOptions& o) {
  std::vector<std::uint32_t> out;
  if (o.threads.empty()) return out;
  const Expected<std::vector<std::string>> numbers = parseNumbers("--threads", o.threads);
  if (!numbers) return numbers.error();
  for (const std::string& number : *numbers) out.push_back(static_cast<std::uint32_t>(std::stoul(number)));
  if (std::ranges::any_of(out, [](std::uint32_t n) { return n == 0 || n > 1024; }))
    return Error{Outcome::kBadInput, fmt::format("'{}' are no numbers of threads", o.threads), "--threads", "1 to 1024"};
  if (out.size() > 1 && o.gpu)
    return Error{Outcome::kBadInput, "a GPU is compared with one number of threads", "--threads", "leave it out"};
  return out;
}

Status checkRun(const Subject& subject, const std::optional<Expectation>& expected, RunResult run, const std::string& side) {
  if (run.error) return run.error;
  if (!expected) return {};
  const Expected<Judged> judged = judge(*expected, run);
  if (!judged) return judged.error();
  if (!judged->wrong) return {};
  return Error{Outcome::kFinding, "a wrong result: its time has no meaning", fmt::format("{} on {}", subject.name, side),
               "run `lanewise validate` on this case, or `lanewise replay` on this capsule"};
}

namespace {

// A point at which kernels are compared: a size, values that a kernel has to have, and usual ones for those that have the parameter.
struct Point {
  Size size;
  std::vector<NamedValues> with, usual;
  std::string text() const {
    std::string out = sizeText(size);
    for (const auto* values : {&usual, &with})
      for (const NamedValues& named : *values) out += fmt::format(" {}={}", named.parameter, named.texts[0]);
    return out;
  }
};

// Every size with every combination of the values.
std::vector<Point> pointsOf(const std::vector<Size>& sizes, const std::vector<NamedValues>& with, const std::vector<NamedValues>& usual) {
  std::vector<Point> points;
  for (const Size size : sizes) points.push_back({size, {}, {}});
  for (const auto& [values, into] : {std::pair(&with, &Point::with), std::pair(&usual, &Point::usual)})
    for (const NamedValues& named : *values) {
      std::vector<Point> more;
      for (const Point& point : points)
        for (const std::string& text : named.texts) {
          more.push_back(point);
          (more.back().*into).push_back({named.parameter, {text}, named.option});
        }
      points = std::move(more);
    }
  return points;
}

bool anyHas(std::span<const Kernel* const> kernels, std::string_view parameter) {
  return std::ranges::any_of(
      kernels, [&](const Kernel* k) { return std::ranges::find(k->parameters, parameter, &Parameter::name) != k->parameters.end(); });
}

// The points of --size, --radius, --edge and --with, for these kernels.
Expected<std::vector<Point>> pointsOf(const BenchOptions& o, const std::vector<NamedValues>& with, std::span<const Kernel* const> kernels) {
  std::uint32_t side = 1024;
  for (const Kernel* kernel : kernels) side = std::min(side, kernel->largestSide);
  const Expected<std::vector<Size>> sizes = parseSizes("--size", o.size.empty() ? fmt::format("{0}x{0}", side) : o.size);
  if (!sizes) return sizes.error();
  std::vector<NamedValues> usual;
  for (const auto& [option, parameter, given, text] :
       {std::tuple("--radius", kRadiusParameter, o.radius, std::string("15")), {"--edge", kEdgeParameter, o.edge, "clamp"}})
    if (std::ranges::find(with, parameter, &NamedValues::parameter) == with.end() && (!given.empty() || anyHas(kernels, parameter)))
      if (Status bad = addShort(option, parameter, given.empty() ? text : given, usual)) return *bad;
  return pointsOf(*sizes, with, usual);
}

// The kernels that do not have a point's values.
struct LeftOut {
  std::set<std::string> notes;
  std::optional<Error> first;

  std::optional<Case> add(const Kernel& kernel, const Error& why) {
    notes.insert(fmt::format("{} is left out: {}", kernel.name, why.text()));
    if (!first) first = why;
    return {};
  }
};

// The kernel's case at a point; nothing, with a note, if it does not have the values.
Expected<std::optional<Case>> caseAt(const Kernel& kernel, const Point& point, LeftOut& left) {
  Expected<Case> c = parsePoint(kernel, kernel.line ? fmt::format("{}x1", point.size.width) : sizeText(point.size));
  if (!c) return c.error();
  c = withValues(std::move(*c), point.with);
  if (!c) return left.add(kernel, c.error());
  for (const NamedValues& usual : point.usual) {
    if (std::ranges::find(kernel.parameters, usual.parameter, &Parameter::name) == kernel.parameters.end()) continue;
    c = withValues(std::move(*c), std::span(&usual, 1));
    if (!c) return left.add(kernel, c.error());
  }
  return std::optional(std::move(*c));
}

Expected<BenchSubjects> subjectsOf(const BenchOptions& o) {
  const Expected<std::vector<NamedValues>> with = parseWith(o.subject.kernel.with);
  if (!with) return with.error();
  const Expected<Selection> selected = selectSubjects(o.texts, o.subject);
  if (!selected) return selected.error();
  if (const std::string option = givenOption({.kernel = {.size = o.size, .radius = o.radius, .edge = o.edge}}, {For::kCase});
      !option.empty() && selected->kernels.empty())
    return Error{Outcome::kBadInput, "only a kernel takes it: a case, a capsule and a module have their own", option, "name a kernel"};
  const Expected<std::vector<Point>> points = pointsOf(o, *with, selected->kernels);
  if (!points) return points.error();
  BenchSubjects out;
  const auto add = [&out](std::string point, Case c) {
    out.all.push_back({std::move(point), [c = std::move(c)] { return subjectOf(c); }});
  };
  for (const Case& c : selected->cases) add("", c);
  LeftOut left;
  std::set<std::string> names;  // a kernel without a parameter has one case for all its values
  for (const Point& point : *points)
    for (const Kernel* kernel : selected->kernels) {
      Expected<std::optional<Case>> c = caseAt(*kernel, point, left);
      if (!c) return c.error();
      if (*c && names.insert((*c)->name()).second) add(point.text(), std::move(**c));
    }
  out.notes.assign(left.notes.begin(), left.notes.end());
  for (const std::string& file : selected->files) {
    SubjectArguments a = o.subject;
    a.text = file;
    const Expected<Subject> opened = openSubject(a);  // every error before anything runs
    if (!opened) return opened.error();
    if (opened->module()) out.notes.push_back(fmt::format("{}: nothing says what its results have to be; they are not checked", file));
    out.all.push_back({"", [a = std::move(a)] { return openSubject(a); }});
  }
  if (out.all.empty() && left.first) return *left.first;
  return out;
}

// Its options are those that say how and where; -O is the only one of a module.
Expected<Outcome> benchCorpus(const BenchOptions& o) {
  SubjectArguments others = o.subject;
  others.module.source.optimise = false;
  others.kernel.size = o.size;
  others.kernel.radius = o.radius;
  others.kernel.edge = o.edge;
  if (std::string option = givenOption(others, {For::kCase, For::kKernel, For::kModule}); !option.empty() || o.gpu || !o.json.empty())
    return Error{Outcome::kBadInput, "the corpus does not take it", option.empty() ? (o.gpu ? "--gpu" : "--json") : option,
                 "its kernels say their options themselves"};
  Expected<std::vector<std::uint32_t>> threads = threadsOf(o);
  if (!threads) return threads.error();
  if (threads->empty()) threads->push_back(std::max(1u, std::thread::hardware_concurrency()));
  return runBenchCorpus(o, *threads);
}

}  // namespace

namespace {

// Times everything with one number of threads; 0: all.
Status benchWith(const BenchOptions& o, const BenchSubjects& subjects, std::uint32_t threads, BenchTable& table) {
  SideOptions on;
  on.devices = o.devices;
  on.threads = threads;
  on.tier = o.tier;
  Expected<OpenSides> open = openSides(on);
  if (!open) return open.error();
  std::optional<tbb::global_control> limit;
  if (threads != 0) limit.emplace(tbb::global_control::max_allowed_parallelism, threads);
  for (const std::string& note : open->notes) fmt::print("note: {}\n", visible(note));
  fmt::print("medians of {} runs, {}; the time of the dispatches alone\n", o.runs,
             threads == 0 ? "all threads" : fmt::format("{} thread{} each", threads, threads == 1 ? "" : "s"));
  table.begin(threads, open->sides.size());
  for (const BenchSubject& one : subjects.all) {
    const Expected<Subject> subject = one.make();
    if (!subject) return subject.error();
    const Expected<std::vector<Timed>> timed = measure(*subject, open->sides, o);
    if (!timed) return timed.error();
    table.add(*subject, open->sides, *timed);
  }
  table.printMeans(open->sides);
  return {};
}

}  // namespace

Expected<Outcome> runBench(const BenchOptions& o) {
  if (Status bad = canBeWritten({{"--csv", o.csv}, {"--json", o.json}})) return *bad;
  if (o.corpus) return benchCorpus(o);
  Expected<std::vector<std::uint32_t>> threads = threadsOf(o);
  if (!threads) return threads.error();
  const Expected<BenchSubjects> subjects = subjectsOf(o);
  if (!subjects) return subjects.error();
  if (o.gpu) return runBenchGpu(o, *subjects);
  if (threads->empty()) threads->push_back(0);
  BenchTable table;
  for (const std::string& note : subjects->notes) fmt::print("note: {}\n", visible(note));
  Status wrong;
  for (std::size_t i = 0; i < threads->size() && !wrong; ++i) wrong = benchWith(o, *subjects, (*threads)[i], table);
  if (wrong && table.empty()) return *wrong;
  for (const auto& [file, text] : {std::pair(o.csv, table.csv()), {o.json, table.json(*threads, o.runs)}})
    if (Status bad = file.empty() ? Status() : writeTextFile(file, text); bad && !wrong) wrong = bad;
  if (wrong) return *wrong;
  return Outcome::kOk;
}

}  // namespace lanewise
