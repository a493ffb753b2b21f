// Patches that a loader may apply to a module before it runs, so that the model and the devices run the same words.
//
// "exact": every float result is one IEEE operation. SignedZeroInfNanPreserve, RoundingModeRTE and DenormPreserve are declared for each
// width of float that the module has and every device in the run takes; what the module declares stays. Results of float arithmetic are
// decorated NoContraction. Widths for which a device needs one choice (denormBehaviorIndependence, roundingModeIndependence) get a mode
// together or not at all. Source: SPIR-V 1.6, 3.6 "Execution Mode" and 3.20 "Decoration"; SPV_KHR_float_controls (core from 1.4). Why:
// without it drivers contract, reassociate and flush (docs/device-deviations.md). Gap: dot and matrix products keep a device's own order.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "model/contract/device.h"

namespace lanewise {

enum class Patch : std::uint8_t { kNone, kExact };

// Bad input for an unknown name.
Expected<Patch> parsePatch(std::string_view name);
const char* patchName(Patch patch);

// What all of several devices take.
struct CommonControls {
  FloatControls float16, float32, float64;
  Independence denormIndependence = Independence::kAll, roundingIndependence = Independence::kAll;
  void narrow(const Profile& profile);
};

struct PatchedModule {
  std::shared_ptr<const ShaderModule> module;
  std::string what;  // "exact: RoundingModeRTE 32, NoContraction on 14 results"; empty if nothing was done
};

// A module that cannot be parsed is bad input. With kNone, or where nothing is to be added, the module itself.
Expected<PatchedModule> patchModule(std::shared_ptr<const ShaderModule> module, Patch patch, const CommonControls& controls);

// The same of every module of a job, each module once. Thread-safe.
class JobPatcher {
 public:
  JobPatcher(Patch patch, const CommonControls& controls) : patch_(patch), controls_(controls) {}
  Expected<Job> operator()(const Job& job);

 private:
  Expected<std::shared_ptr<const ShaderModule>> patched(const std::shared_ptr<const ShaderModule>& module);

  Patch patch_;
  CommonControls controls_;
  std::mutex mutex_;
  // By the module as given, which is kept so that its address stays its own.
  std::map<std::shared_ptr<const ShaderModule>, std::shared_ptr<const ShaderModule>> modules_;
};

}  // namespace lanewise
