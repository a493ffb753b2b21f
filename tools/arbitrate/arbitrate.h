// The cause of a difference, with reasons: the smallest failing case, the first bad texel, what stored it, what it was computed from, and a
// ruling for each side.
//
// Which sides agree: standingOf() (tools/sweep/result.h). What is examined here:
//   devices are wrong   nothing on the slice is left open by Vulkan: the device is wrong; or a profile that does an operation on it another
//                       way gives the device's bytes: the device's choice
//   the model alone     does its result depend on what it may choose?
// The model is asked as a witness even where it is no side of the run.
#pragma once

#include "tools/arbitrate/shrink.h"

namespace lanewise {

struct ArbitrationOptions {
  double seconds = 5;     // for shrinking one case
  std::size_t cases = 5;  // at most: the first failing case of each kernel
  std::shared_ptr<const ShaderModule> module;
  std::function<Expected<Job>(const Job&)> patch;  // what the sides do to a job's modules before they run it; empty for nothing
  const std::atomic<bool>* stop = nullptr;
  std::map<std::string, std::string>* capsules = nullptr;  // takes a capsule of each, as a file's name and bytes
};

// Adds a Finding (tools/sweep/result.h) for the first mismatch of each kernel. What goes wrong on the way is said in the finding.
void arbitrate(SweepResult& result, std::span<const Side> sides, const Inputs& inputs, const ArbitrationOptions& options);

}  // namespace lanewise
