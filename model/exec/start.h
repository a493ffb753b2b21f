// Registers that are filled before a workgroup starts: constants, identities of invocations and of the workgroup.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

// Fills a batch's constants and inputs for a workgroup. `fresh`: everything; otherwise only what differs between workgroups.
void prepareBatch(Batch& batch, const Program& program, const Environment& env, std::uint32_t index, bool fresh);

}  // namespace lanewise
