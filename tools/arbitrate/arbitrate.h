// The cause of a difference, with reasons: the smallest failing case, the first wrong texel, what stored it, what it was computed from, and
// a ruling for each side.
//
// agreementOf() says which sides agree (tools/sweep/result.h). This is examined here:
//   devices are wrong   If Vulkan leaves nothing on the slice open, the device is wrong. If a profile that does an operation on the slice
//                       in another way gives the device's bytes, it is the device's choice.
//   the model alone     Does its result depend on its choices?
// The model is used as a witness even if it is not a side of the run.
#pragma once

#include "tools/arbitrate/shrink.h"

namespace lanewise {

struct ArbitrationOptions {
  std::uint32_t smallerCases = ShrinkOptions{}.most;  // runs for shrinking one case
  std::size_t cases = 5;                              // at most: the first failing case of each kernel
  std::shared_ptr<const ShaderModule> module;
  std::function<Expected<Job>(const Job&)> patch;  // how the sides change a job's modules before they run it; empty: not at all
  const std::atomic<bool>* stop = nullptr;
  std::map<std::string, std::string>* capsules = nullptr;  // receives a capsule of each, by file name
};

// Adds an Arbitration (tools/sweep/result.h) for the first mismatch of each kernel. Errors on the way are reported there.
void arbitrate(SweepResult& result, std::span<const Side> sides, const Inputs& inputs, const ArbitrationOptions& options);

}  // namespace lanewise
