// Runs cases on every side and compares the results with the oracle and the golden store.
//
// The model runs cases in parallel on all cores (TBB). Each device has one thread, which runs cases one after another, because a device is
// a queue. Of equal devices each takes the next module, so that no pipeline is made twice. A pipeline that a device
// does not build within its limit is device trouble, told once in the notes; it is no failure of the cases that need it. The oracle
// computes its result once per case, for all sides. The result does not depend on the number of threads or on the order in which cases
// finish.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>

#include "golden/store/store.h"
#include "model/contract/schedule.h"
#include "tools/catalogue/catalogue.h"
#include "tools/sweep/inputs.h"
#include "tools/sweep/journal.h"
#include "tools/sweep/result.h"

namespace lanewise {

struct Side {
  SideInfo info;
  Device* device = nullptr;
  bool parallel = false;         // the model: many cases at once
  std::vector<Device*> twins{};  // the same device again, each with its own queue, because a driver that compiles on the CPU uses one core
  Schedule schedule{};           // of a model
  // Why it leaves a case out; an empty text: it does not. None: it runs all.
  std::function<std::string(const Case&)> leavesOut{};
  // The error of a pipeline of this job that the device did not build within its limit; none: there is none that it knows.
  std::function<std::optional<Error>(const Job&)> unbuilt{};
};

// Counters that a progress display reads while the sweep runs.
struct Progress {
  std::atomic<std::size_t> total{0}, done{0}, failed{0};  // in runs: one case on one side
  std::atomic<std::size_t> recalled{0};                   // those of `done` that are known from an earlier run
};

struct SweepOptions {
  const golden::Store* store = nullptr;        // none: only the oracle judges
  std::set<std::string> storedKeys;            // the golden keys that the store must hold
  std::optional<std::filesystem::path> keep;   // where the results of each side are written as files
  std::shared_ptr<const ShaderModule> module;  // instead of the kernels' own
  Journal* journal = nullptr;                  // the results so far; more are added to it
  double timeout = 0;                          // of each wait for a device, in seconds; 0: the job's own
  const std::atomic<bool>* stop = nullptr;     // set from outside: finish what runs, start nothing new
  Progress* progress = nullptr;
  // The images of the first failing cases of the plan are kept, up to these limits.
  std::size_t evidenceCases = 100;
  std::size_t evidenceBytes = std::size_t{256} << 20;
};

// Never fails as a whole: an error in a case is in its result.
SweepResult runSweep(SweepPlan plan, std::span<const Side> sides, const Inputs& inputs, const SweepOptions& options);

}  // namespace lanewise
