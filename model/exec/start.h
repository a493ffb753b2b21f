// Fills registers before a workgroup starts: constants, and the ids of invocations and of the workgroup.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

// Fills a batch's constants and inputs for a workgroup. `fresh`: all of them; otherwise only those that differ between workgroups.
void prepareBatch(Batch& batch, const Program& program, const Environment& env, std::uint32_t index, bool fresh);

}  // namespace lanewise
