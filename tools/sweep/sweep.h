// Runs cases on every side and compares what comes back with the oracle and the golden store.
//
// The model takes cases side by side on all cores (TBB); each device has a thread of its own that takes them one after another, because a
// device is a queue. Of devices that are alike each takes the next module, so that no pipeline is made twice. The oracle answers once a
// case, for all sides. The result does not depend on the number of threads or on the order in which cases finish.
#pragma once

#include <atomic>
#include <filesystem>
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
  std::vector<Device*> twins{};  // the same device again, each a queue of its own: a driver that compiles on the CPU does so on one core
  Schedule schedule{};           // of a model
};

// Counters that a progress display reads while the sweep runs.
struct Progress {
  std::atomic<std::size_t> total{0}, done{0}, failed{0};  // in runs: one case on one side
  std::atomic<std::size_t> recalled{0};                   // of those done: known from an earlier run
};

struct SweepOptions {
  const golden::Store* store = nullptr;        // none: the oracle alone judges
  std::set<std::string> storedKeys;            // the golden keys that the store must hold
  std::optional<std::filesystem::path> keep;   // what each side produced, as files
  std::shared_ptr<const ShaderModule> module;  // instead of the kernels' own
  Journal* journal = nullptr;                  // what is known already, and where more is added
  const std::atomic<bool>* stop = nullptr;     // set from outside: finish what runs, start nothing new
  Progress* progress = nullptr;
  // Images are kept of the first failing cases of the plan, up to these limits.
  std::size_t evidenceCases = 100;
  std::size_t evidenceBytes = std::size_t{256} << 20;
};

// Never fails as a whole: what goes wrong with a case is in its result.
SweepResult runSweep(SweepPlan plan, std::span<const Side> sides, const Inputs& inputs, const SweepOptions& options);

}  // namespace lanewise
