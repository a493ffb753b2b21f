// Makes a module smaller that shows something: a finding, or two results that differ.
//
// Repeatedly tried are: to leave out instructions that nobody uses, many at once and one by one; to go straight on at a branch, with what
// is then never reached left out; to let a value be zero, so that nobody needs what computes it. A smaller module is kept if it is valid
// and still shows it. Promise: the result is valid and shows it; the answer is the same on every host, for the bound counts modules and not
// seconds. Gap: functions are not inlined and types not simplified, so it need not be the smallest there is.
#pragma once

#include <atomic>
#include <functional>

#include "model/contract/device.h"

namespace lanewise {

struct ReduceLimits {
  std::uint64_t modules = 3000;             // that are run
  bool endless = false;                     // also those with a loop that is never left
  const std::atomic<bool>* stop = nullptr;  // set from outside
};

struct Reduced {
  ShaderModule module;
  std::size_t before = 0, after = 0;  // instructions that do something: those of functions
  std::uint64_t tried = 0;            // modules that were run
  bool finished = false;              // nothing else that was tried shows it; false: the limit was reached
};

// `shows` of the module itself must be true. Bad input: the module is not valid.
Expected<Reduced> reduceModule(const ShaderModule& module, const std::function<bool(const ShaderModule&)>& shows,
                               const ReduceLimits& limits = {});

}  // namespace lanewise
