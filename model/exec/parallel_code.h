// Parts of a dispatch side by side (parallel.h) by compiled code. Nothing is put back: where the order shows the job begins again.
#pragma once

#include "model/exec/parallel.h"

namespace lanewise {

// kNo: nothing has changed. kGaveUp: as compiled code gives a run up (compiled_run.h). kMet: the order could show, or memory ended, which
// is remembered of the program. After these two the bytes of the resources are not those of any run.
enum class CodeInParts : std::uint8_t { kNo, kDone, kGaveUp, kMet };

// Whether code can run parts of it: what has to be claimed are buffers, of which it marks what it accesses (marks.h), as `rule` allows.
bool partsTakeCode(const BoundDispatch& bound, const ParallelRule& rule, const compiled::Compiled& code);

// `limits.inOrder`: by this code.
CodeInParts runCodeInParallel(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                              const ParallelLimits& limits, const std::function<std::span<std::byte>(std::uint32_t resource)>& bytesOf,
                              const compiled::Compiled& code);

}  // namespace lanewise
