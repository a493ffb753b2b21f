// What watching costs: times of built-in kernels with observers that want more and more, as ratios to the run that nobody watches.
//
//     lanewise-observer-cost [SIZE [RUNS [PATTERN...]]]      512x512, 7 runs, a few kernels
//
// Every round runs each way once; ratios are of medians. `nothing` is an observer that wants nothing (at most 1.1), `findings` what
// `--findings` does. `nothing`, `moments`, `accesses` and `everything` watch the program that start() gives; `findings` is against run().
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "model/model.h"
#include "tools/catalogue/catalogue.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

class Silent final : public Observer {
 public:
  explicit Silent(std::uint32_t watches) : watches_(watches) {}
  std::uint32_t watches() const override { return watches_; }

 private:
  std::uint32_t watches_;
};

struct Way {
  const char* name;
  std::uint32_t watches;
};
constexpr std::uint32_t kMoments = watch::kDispatch | watch::kWorkgroup | watch::kSubgroup | watch::kBarrier | watch::kStrand;
constexpr Way kWays[] = {{"unwatched", 0},
                         {"nothing", watch::kNothing},
                         {"moments", kMoments},
                         {"accesses", watch::kAccess},
                         {"values", watch::kAccess | watch::kValues},
                         {"everything", ~0u}};

double median(std::vector<double> v) {
  std::ranges::sort(v);
  return v[v.size() / 2];
}

double seconds(Model& model, const Job& job, const Way& way) {
  Expected<Execution> execution = model.start(job);
  if (!execution) return 0;
  Silent observer(way.watches);
  const auto begin = std::chrono::steady_clock::now();
  const Status error = &way == kWays ? execution->run() : execution->run(observer);
  return error ? 0 : std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int measure(const std::string& size, std::size_t runs, const std::vector<std::string>& patterns) {
  const Expected<std::vector<const Kernel*>> kernels = selectKernels(patterns);
  if (!kernels) return fmt::print(stderr, "{}\n", kernels.error().text()), 2;
  constexpr std::size_t kCount = std::size(kWays);
  std::vector<double> logs(kCount + 1);
  fmt::print("{:<44} {:>10}", "kernel", "unwatched");
  for (std::size_t w = 1; w < kCount; ++w) fmt::print(" {:>10}", kWays[w].name);
  fmt::print(" {:>10}\n", "findings");
  for (const Kernel* kernel : *kernels) {
    Expected<Case> c = parseCase(kernel->name + " @ " + size);
    if (!c) return fmt::print(stderr, "{}\n", c.error().text()), 2;
    const Expected<golden::Image> input = Inputs().make(*c);
    if (!input) return fmt::print(stderr, "{}\n", input.error().text()), 2;
    const Job job = kernel->plan(*c, kernelModule(*kernel), *input);
    Model plain, watched({.profile = {}, .schedule = {}, .findings = true});
    std::vector<std::vector<double>> times(kCount + 2);
    for (std::size_t r = 0; r <= runs; ++r) {
      const double quiet = plain.run(job).seconds, findings = watched.run(job).seconds;
      std::vector<double> round;
      for (const Way& way : kWays) round.push_back(seconds(plain, job, way));
      if (r == 0) continue;  // decoding
      for (std::size_t w = 0; w < kCount; ++w) times[w].push_back(round[w]);
      times[kCount].push_back(quiet);
      times[kCount + 1].push_back(findings);
    }
    fmt::print("{:<44} {:>7.2f} ms", kernel->name, median(times[0]) * 1e3);
    for (std::size_t w = 1; w <= kCount; ++w) {
      const double ratio = w < kCount ? median(times[w]) / median(times[0]) : median(times[kCount + 1]) / median(times[kCount]);
      logs[w] += std::log(ratio);
      fmt::print(" {:>10.2f}", ratio);
    }
    fmt::print("\n");
  }
  fmt::print("{:<55}", "geometric mean");
  for (std::size_t w = 1; w <= kCount; ++w) fmt::print(" {:>10.2f}", std::exp(logs[w] / static_cast<double>(kernels->size())));
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace lanewise

int main(int argc, char** argv) {
  const std::vector<std::string> given(argv + 1, argv + argc);
  std::vector<std::string> patterns(given.begin() + std::min<std::ptrdiff_t>(2, std::ssize(given)), given.end());
  if (patterns.empty()) patterns = {"box-blur/double/naive", "pyramid/*/levels", "checksum/*"};
  return lanewise::measure(given.empty() ? "512x512" : given[0], given.size() > 1 ? std::stoul(given[1]) : 7, patterns);
}
