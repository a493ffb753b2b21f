// Whether two lowered functions compute the same, where a comparison of their programs cannot say: because no value is where they differ
// (signed and unsigned operations on numbers that are never negative), or because the model reads zeros from unwritten memory.
#pragma once

#include "model/ir/ir.h"
#include "tools/selftest/ranges.h"

namespace lanewise {

enum class Sameness : std::uint8_t {
  kDifferent,  // or not decided
  kInModel,    // the second reads what it has not written where the first has a 0: the same in the model, not on every device
  kSame,
};

// Operation by operation, at the same places; `ranges` are those of `a`.
Sameness sameInRange(const ir::Function& a, const Ranges& ranges, const ir::Function& b);

}  // namespace lanewise
