// The ways in which a check runs a subject. Each changes one thing that Vulkan leaves open.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/contract/device.h"
#include "model/contract/schedule.h"
#include "model/mend_runs.h"
#include "tools/sweep/debug_command.h"

namespace lanewise {

// What a way changes from the first way, which is the model in order.
enum class Axis : std::uint8_t { kNone, kSchedule, kMemory, kSubgroupSize, kMapping, kChoices, kDevice };
// "the schedule", "stale memory", "the subgroup size", "which invocations are a subgroup", "what Vulkan lets devices choose", "the device".
const char* axisName(Axis axis);

struct CheckWay {
  std::string name;                // "reverse", "subgroups of 4", "lavapipe"
  std::shared_ptr<Device> device;  // takes several runs at once, or is used through `queue`
  Axis axis = Axis::kNone;
  std::uint32_t subgroupSize = 0;     // 0: the job's own
  bool findings = false;              // the model is observed
  bool slow = false;                  // takes ten times as long as the first way or more: not for a large job of many
  std::shared_ptr<std::mutex> queue;  // of a Vulkan device: one run at a time
  std::function<std::string(MendRuns&, const RunFinding&)> mend{};  // model/mend.h, for the races that this way finds
  DebugWay run{};                                                   // how the debugger runs the model so; of a device: as the first way
  std::optional<ModelOptions> model{};                              // of the model: how it runs a job so, unobserved
  std::string against{};  // the way whose bytes its own are compared with: the same order with memory that is never stale; empty: the first
  bool leavesFencedLoops = false;      // a device's known fault: subgroups leave loops with memory barriers when others do
  bool losesLoopValues = false;        // another one: what a loop has loaded is 0 behind it (gpu/devices.h)
  std::shared_ptr<Device> observer{};  // the same model observed, where `device` is not
};

// The job as a way runs it.
Job jobIn(const CheckWay& way, Job job);
// One run of a job in a way. What ends a run of the model with a finding is among its findings, also where nothing else is looked for.
RunResult runIn(const CheckWay& way, const Job& job);

// How the debugger shows a way beside the run that its bytes are compared with: a session, and what its `against` takes, such as "schedule
// in-order" or "lavapipe". Of two orders the session is in the way's own, by which CheckWay::part tells where they part.
std::pair<DebugWay, std::string> besides(const DebugWay& other, const CheckWay& way);

struct CheckModel {
  Profile profile = {};
  std::string profileName = {};                    // as --profile takes it; empty: the subject's own
  bool (*isValid)(const ShaderModule&) = nullptr;  // as in ModelOptions
  std::uint64_t weakSeed = 1;                      // the first of three
  Schedule::Progress progress = {};                // that every way takes for granted
  Tier tier = Tier::kAuto;                         // of the runs that nobody watches, and as in ModelOptions:
  std::filesystem::path codeFolder = {};
  const std::atomic<bool>* stop = nullptr;
};

// The model in order; in reverse, with the first or the second of workgroups and of subgroups last, with lanes one by one, and interleaved
// with four resident workgroups; with stale memory by three seeds, observed; with subgroups of 4, 32 and 128 if `sizes`, of 4 observed;
// with interleaved and tiled subgroups; and under the profile "adverse".
std::vector<CheckWay> modelWays(const CheckModel& model, bool sizes);

// As the first way, observed, with all workgroups resident and stale memory by this seed.
CheckWay staleWay(const CheckWay& first, std::uint64_t seed, std::uint32_t subgroupSize);

}  // namespace lanewise
