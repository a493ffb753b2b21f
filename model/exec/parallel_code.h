// Parts of a dispatch side by side (parallel.h) by compiled code. Nothing is put back: where the order shows the job begins again.
#pragma once

#include "model/exec/parallel.h"

namespace lanewise {

// Whether code can run parts of it: what has to be claimed are buffers, of which it marks what it accesses (marks.h), as `rule` allows.
bool partsTakeCode(const BoundDispatch& bound, const ParallelRule& rule, const compiled::Compiled& code);

// `limits.inOrder`: by this code.
InParts runCodeInParallel(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                          const ParallelLimits& limits, const BytesOf& bytesOf, const compiled::Compiled& code);

}  // namespace lanewise
