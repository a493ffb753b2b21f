// The lanes of a mask, one after another.
#pragma once

#include <bit>

#include "model/state/batch.h"

namespace lanewise {

template <class Use>
void forLanes(const LaneMask& lanes, const Use& use) {
  for (std::uint32_t w = 0; w < 2; ++w)
    for (std::uint64_t left = lanes.word[w]; left != 0; left &= left - 1) use(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
}

}  // namespace lanewise
