// The simulated GPU as a Device.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "model/contract/device.h"
#include "model/contract/schedule.h"
#include "model/exec/execution.h"

namespace lanewise {

struct ModelOptions {
  Profile profile;
  Schedule schedule;
  bool findings = false;  // runs are observed, which is slower, and RunResult::findings says what was found
  // True for a module that is known to be valid: it is not validated again. A module of any other source must not be vouched for.
  bool (*isValid)(const ShaderModule&) = nullptr;
  ParallelRule parallel = {};  // for runs that look for no findings
  // A flag that another thread sets: run() soon ends as interrupted, also in the middle of a loop. nullptr: nobody does.
  const std::atomic<bool>* stop = nullptr;
  Tier tier = Tier::kInterpreter;
  std::filesystem::path codeFolder = {};  // where compiled programs are kept for later processes (compiled/store.h); empty: nowhere
};

// How a schedule came out.
struct ScheduleReport {
  std::uint64_t together = 1;  // workgroups that were resident together at most
  bool isNobodyLast = false;   // it puts somebody last who is not there: last:9 of 4
};

// Thread safety: everything may be called from several threads at once. Decoded programs are cached by module, entry point,
// specialization, subgroup size, flavour and whether small workgroups share a batch.
class Model final : public Device {
 public:
  explicit Model(ModelOptions options = {});
  ~Model() override;

  const Profile& profile() const override;
  RunResult run(const Job& job) override;
  // The same run in the caller's hands: to observe, stop, save and resume. The job must outlive it; so must the model. run() itself takes
  // kUnwatched where it looks for no findings. `from`: as in Execution::start.
  Expected<Execution> start(const Job& job, ir::Flavour flavour = ir::Flavour::kQuick, Execution* from = nullptr);
  // The decoded program of a dispatch, from the cache, as start() uses it.
  Expected<std::shared_ptr<const Program>> program(const Dispatch& dispatch, std::uint32_t subgroupSize,
                                                   ir::Flavour flavour = ir::Flavour::kQuick);
  // Since the model was made.
  TierReport tierReport() const;
  // Of the run that ended last.
  ScheduleReport scheduleReport() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::unique_ptr<Model> makeModel(ModelOptions options);

}  // namespace lanewise
