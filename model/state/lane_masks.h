// Sets of lanes: made, counted and gone through.
#pragma once

#include <bit>

#include "model/state/batch.h"

namespace lanewise {

inline LaneMask oneLane(std::uint32_t lane) {
  LaneMask mask;
  mask.set(lane);
  return mask;
}

// Lanes 0 to count - 1.
inline LaneMask firstLanes(std::uint32_t count) {
  const auto below = [](std::uint32_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; };
  return {{below(count), count > 64 ? below(count - 64) : 0}};
}

inline std::uint32_t laneCount(const LaneMask& lanes) {
  return static_cast<std::uint32_t>(std::popcount(lanes.word[0]) + std::popcount(lanes.word[1]));
}

// 0 if there is none.
inline std::uint32_t lowestLane(const LaneMask& lanes) {
  if (!lanes.any()) return 0;
  return static_cast<std::uint32_t>(lanes.word[0] != 0 ? std::countr_zero(lanes.word[0]) : 64 + std::countr_zero(lanes.word[1]));
}

template <class Use>
void forLanes(const LaneMask& lanes, const Use& use) {
  for (std::uint32_t w = 0; w < 2; ++w)
    for (std::uint64_t left = lanes.word[w]; left != 0; left &= left - 1) use(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
}

// Calls use(first lane, lanes) for each subgroup of a batch.
template <class Use>
void forSubgroups(const Batch& batch, const Use& use) {
  const std::uint32_t size = batch.env->subgroupSize;
  for (std::uint32_t first = 0; first < batch.width; first += size) use(first, without(firstLanes(first + size), firstLanes(first)));
}

}  // namespace lanewise
