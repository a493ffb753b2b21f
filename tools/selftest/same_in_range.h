// Whether two lowered functions compute the same although their programs differ: because no value occurs for which they differ (signed and
// unsigned operations on numbers that are never negative), or because the model reads zeros from unwritten memory.
#pragma once

#include "model/ir/ir.h"
#include "tools/selftest/ranges.h"

namespace lanewise {

enum class Sameness : std::uint8_t {
  kDifferent,  // or undecided
  kInModel,    // the second reads unwritten memory where the first has 0: the same in the model, not on every device
  kSame,
};

// Compares operation by operation, in the same places. `ranges` are those of `a`.
Sameness sameInRange(const ir::Function& a, const Ranges& ranges, const ir::Function& b);

}  // namespace lanewise
