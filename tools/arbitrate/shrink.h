// The smallest case that still fails, found by making one thing smaller at a time.
//
// These are tried repeatedly until nothing helps or enough was tried: the width, the height, each number (radius), each choice
// (edge), the subgroup size, a simpler input. For pictures of up to 64 components, also the input itself as a list, with its components set
// to 0 one by one. A large case is first made smaller, by bisecting its sides. The oracle judges every smaller case, as it does any other.
// The result fails on the same side in the same way (failureKind).
//
// Promise: what is tried is bounded by numbers of runs and texels, twice those of the case or 2^20, never by the clock: the same failure
// has the same smallest case everywhere. A device that hangs costs its own time limit, so runs that end in device trouble are few.
#pragma once

#include "tools/sweep/inputs.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

struct ShrinkOptions {
  std::uint32_t most = 300;                    // runs
  std::shared_ptr<const ShaderModule> module;  // instead of the kernel's own
  const std::atomic<bool>* stop = nullptr;
};

struct Shrunk {
  Case what;                // the smallest found; the given one if nothing smaller fails
  std::uint32_t tried = 0;  // cases run
  bool finished = false;    // nothing smaller that was tried fails; false: more could be tried
};

// Runs one case on one side and compares the result with the oracle's.
SideResult runCase(const Case& c, const Side& side, const Inputs& inputs, const std::shared_ptr<const ShaderModule>& module);

Shrunk shrink(const Case& failing, const Side& side, const Inputs& inputs, const ShrinkOptions& options);

}  // namespace lanewise
