// For which lanes a subgroup operation has no result, whatever lanes are active: the rules of ir/rows/definedness.h that ask about a
// subgroup.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

// `lanes`: those that execute it together. None where the operation's row has no such rule.
LaneMask lanesWithoutResult(const Batch& batch, std::uint32_t pc, const LaneMask& lanes);

}  // namespace lanewise
