// What observing costs: kernels with more and more events observed, as ratios to a run without observers.
//
//     lanewise-observer-cost [--ways quiet,all,..] [SIZE [RUNS [PATTERN...]]]      256x256, 5 runs, every kernel, every way
//
// Kernels are the catalogue's, those of tests/kernels/plain_*.comp, named `plain/...`, and where a pattern names them those of
// shaders/corpus at their large size, named `corpus/...`; the last two know no SIZE. Columns:
//   quiet       milliseconds of Model::run(), of the processor's time, in which other programs do not count
//   nothing     an observer that wants nothing
//   memory      one that wants what findings and races want, and does nothing with it
//   everything  one that wants everything, and does nothing with it
//   accesses    check/access_checker.h
//   races       check/race_sieve.h
//   all         what `--findings` does
//   lanes       no observer, and the schedule `lanes`, in the interpreter: one by one, where their order could show
//   native      the same by native code, which the first round has compiled
// All but the last are of the interpreter. Every round runs each way once, one after the other; a ratio is the median of the rounds' own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

#include "model/check/access_checker.h"
#include "model/check/race_sieve.h"
#include "model/model.h"
#include "tests/kernels/kernels.h"
#include "tools/catalogue/catalogue.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/corpus.h"
#include "tools/subject/subject.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

struct Timed {
  std::string name;
  Job job;
};

// A kernel that reads words at binding 0 (a chain of them, in a random order), writes as many as `results` at binding 1, and counts in
// binding 2.
struct Plain {
  const char* name;
  Extent3 groups;
  std::uint32_t results;
};
constexpr std::uint32_t kWords = 1 << 18;
constexpr Plain kPlain[] = {
    {"blur", {32, 16, 1}, 1 << 17},         {"bytes", {1024, 1, 1}, 1 << 16},    {"chase", {256, 1, 1}, 1 << 14},
    {"divergent", {32, 16, 1}, 1 << 17},    {"histogram", {64, 1, 1}, 1},        {"in_place", {512, 1, 1}, 1 << 16},
    {"last_workgroup", {64, 1, 1}, 64},     {"look_back", {512, 1, 1}, 1 << 16}, {"matrix", {8, 8, 1}, 1 << 14},
    {"particles", {64, 1, 1}, 1 << 15},     {"reduction", {256, 1, 1}, 256},     {"scan", {1024, 1, 1}, 1 << 18},
    {"scan_fences", {1024, 1, 1}, 1 << 18}, {"sort", {64, 1, 1}, 1 << 16},       {"transpose", {16, 16, 1}, 1 << 18},
};

Job jobOf(const Plain& plain) {
  Job job;
  std::vector<std::uint32_t> words(kWords);
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = i;
  std::ranges::shuffle(words, std::mt19937(1));  // NOLINT(cert-msc51-cpp): the same in every run
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  job.resources.push_back({"source", BufferData{bytes}});
  job.resources.push_back(undefinedBuffer("result", std::size_t{plain.results} * 4));
  job.resources.back().output = true;
  job.resources.push_back({"counters", BufferData{std::vector<std::byte>(1 << 16)}, false, true});
  Dispatch d;
  d.module = testKernel(fmt::format("plain_{}", plain.name));
  d.groups = plain.groups;
  for (std::uint32_t b = 0; b < 3; ++b) {
    Binding binding;
    binding.binding = b;
    binding.resource = job.resources[b].name;
    d.bindings.push_back(binding);
  }
  job.dispatches.push_back(d);
  return job;
}

Status addCorpus(const std::string& pattern, std::vector<Timed>& all) {
  const Expected<std::vector<CorpusKernel>> kernels = readCorpus(LANEWISE_CORPUS, {pattern});
  if (!kernels) return kernels.error();
  for (const CorpusKernel& kernel : *kernels) {
    const Expected<Subject> subject = openSubject(kernel.large);
    if (!subject) return subject.error();
    all.push_back({fmt::format("corpus/{}", kernel.name), subject->job});
  }
  return {};
}

Expected<std::vector<Timed>> subjects(const std::string& size, const std::vector<std::string>& patterns) {
  std::vector<Timed> all;
  for (const Plain& plain : kPlain) all.push_back({fmt::format("plain/{}", plain.name), jobOf(plain)});
  std::erase_if(all, [&](const Timed& s) {
    return !patterns.empty() && std::ranges::none_of(patterns, [&](const std::string& p) { return matchesPattern(p, s.name); });
  });
  std::vector<std::string> others;
  for (const std::string& p : patterns)
    if (Status bad = p.starts_with("corpus/") ? addCorpus(p.substr(7), all) : Status()) return *bad;
  std::ranges::copy_if(patterns, std::back_inserter(others),
                       [](const std::string& p) { return !p.starts_with("plain/") && !p.starts_with("corpus/"); });
  if (others.empty() && !patterns.empty()) return all;
  const Expected<std::vector<const Kernel*>> kernels = selectKernels(others);
  if (!kernels) return kernels.error();
  for (const Kernel* kernel : *kernels) {
    Expected<Case> c = parseCase(kernel->name + " @ " + size);
    if (!c) continue;  // it has no such size
    const Expected<golden::Image> input = Inputs().make(*c);
    if (!input) return input.error();
    all.push_back({kernel->name, kernel->plan(*c, kernelModule(*kernel), *input)});
  }
  return all;
}

class Silent final : public Observer {
 public:
  explicit Silent(std::uint32_t watches) : watches_(watches) {}
  std::uint32_t watches() const override { return watches_; }

 private:
  std::uint32_t watches_;
};

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// `checks`: by a model that looks for findings, whose programs of that flavour may be watched.
void run(Model& model, const Job& job, Observer& observer, bool checks = false) {
  const bool unwatched = checks || (observer.watches() & watch::kFlow) == 0;
  Expected<Execution> execution = model.start(job, unwatched ? ir::Flavour::kUnwatched : ir::Flavour::kQuick);
  if (execution) static_cast<void>(execution->run(observer));
}

struct Models {
  Model plain;
  Model watched{{.profile = {}, .schedule = {}, .findings = true}};
  Model lanes{{.profile = {}, .schedule = {.lanes = true}}};
  Model native{{.profile = {}, .schedule = {.lanes = true}, .tier = Tier::kCompiled}};
};

struct Way {
  const char* name;
  void (*run)(Models&, const Job&);
};
constexpr Way kWays[] = {
    {"quiet", [](Models& m, const Job& job) { m.plain.run(job); }},
    {"nothing",
     [](Models& m, const Job& job) {
       Silent nothing(watch::kNothing);
       run(m.plain, job, nothing);
     }},
    {"memory",
     [](Models& m, const Job& job) {
       Silent memory(FindingsObserver(job).watches() | race::Sieve(job).watches());
       run(m.watched, job, memory, true);
     }},
    {"everything",
     [](Models& m, const Job& job) {
       Silent everything(~0u);
       run(m.plain, job, everything);
     }},
    {"accesses",
     [](Models& m, const Job& job) {
       FindingsObserver accesses(job);
       run(m.watched, job, accesses, true);
       accesses.finish(true);
     }},
    {"races",
     [](Models& m, const Job& job) {
       race::Sieve races(job);
       run(m.watched, job, races, true);
     }},
    {"all", [](Models& m, const Job& job) { m.watched.run(job); }},
    {"lanes", [](Models& m, const Job& job) { m.lanes.run(job); }},
    {"native", [](Models& m, const Job& job) { m.native.run(job); }},
};

// The first, and those that are named; all without names.
Expected<std::vector<Way>> waysOf(std::string_view names) {
  if (names.empty()) return std::vector<Way>(std::begin(kWays), std::end(kWays));
  const Expected<std::vector<std::string>> given = parseNames("--ways", names);
  if (!given) return given.error();
  std::vector<Way> out{kWays[0]};
  for (const std::string& name : *given) {
    const Way* const way = std::ranges::find_if(kWays, [&](const Way& w) { return name == w.name; });
    if (way == std::end(kWays)) return Error{Outcome::kBadInput, fmt::format("there is no way '{}'", name), "--ways", "see the head"};
    if (way != kWays) out.push_back(*way);
  }
  return out;
}

double median(std::vector<double> v) {
  std::ranges::sort(v);
  return v[v.size() / 2];
}

int measure(const std::vector<Way>& ways, const std::string& size, std::size_t runs, const std::vector<std::string>& patterns) {
  const Expected<std::vector<Timed>> all = subjects(size, patterns);
  if (!all) return fmt::print(stderr, "{}\n", all.error().text()), 2;
  fmt::print("{:<44} {:>10}", "kernel", "quiet");
  for (const Way& way : std::span(ways).subspan(1)) fmt::print(" {:>10}", way.name);
  fmt::print("\n");
  const std::size_t count = ways.size();
  Models models;
  std::vector<double> logs(count), worst(count);
  for (const Timed& subject : *all) {
    std::vector<std::vector<double>> times(count);
    for (std::size_t r = 0; r <= runs; ++r) {
      std::vector<double> round;
      for (const Way& way : ways) {
        const double begin = processorSeconds();
        way.run(models, subject.job);
        round.push_back(processorSeconds() - begin);
      }
      if (r == 0) continue;  // decoding
      for (std::size_t w = 0; w < count; ++w) times[w].push_back(w == 0 ? round[w] : round[w] / round[0]);
    }
    fmt::print("{:<44} {:>7.2f} ms", subject.name, median(times[0]) * 1e3);
    for (std::size_t w = 1; w < count; ++w) {
      const double ratio = median(times[w]);
      logs[w] += std::log(ratio);
      worst[w] = std::max(worst[w], ratio);
      fmt::print(" {:>10.2f}", ratio);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  fmt::print("{:<55}", "geometric mean");
  for (std::size_t w = 1; w < count; ++w) fmt::print(" {:>10.2f}", std::exp(logs[w] / static_cast<double>(all->size())));
  fmt::print("\n{:<55}", "worst");
  for (std::size_t w = 1; w < count; ++w) fmt::print(" {:>10.2f}", worst[w]);
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace lanewise

int main(int argc, char** argv) {
  std::vector<std::string> given(argv + 1, argv + argc);
  std::string names;
  if (given.size() > 1 && given[0] == "--ways") {
    names = given[1];
    given.erase(given.begin(), given.begin() + 2);
  }
  const auto ways = lanewise::waysOf(names);
  if (!ways) return fmt::print(stderr, "{}\n", ways.error().text()), 2;
  if (!given.empty() && given[0].starts_with("-")) {
    const bool asked = given[0] == "--help" || given[0] == "-h";
    fmt::print(asked ? stdout : stderr,
               "lanewise-observer-cost [--ways NAME,..] [SIZE [RUNS [PATTERN...]]]: what observing costs, kernel by kernel, as times a run "
               "without observers\n"
               "  SIZE     of the catalogue's kernels (default: 256x256)\n"
               "  RUNS     rounds, of which the medians are printed (default: 5)\n"
               "  --ways   the columns, as the head of the source names them (default: all)\n"
               "  PATTERN  the kernels whose names match (default: all)\n");
    return asked ? 0 : 2;
  }
  const std::vector<std::string> patterns(given.begin() + std::min<std::ptrdiff_t>(2, std::ssize(given)), given.end());
  return lanewise::measure(*ways, given.empty() ? "256x256" : given[0], given.size() > 1 ? std::stoul(given[1]) : 5, patterns);
}
