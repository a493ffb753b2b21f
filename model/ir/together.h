// Several workgroups in one batch: small ones that follow each other along x execute together where their order cannot show
// (exec/sharing.h). Lane after lane, a batch has all of the first, then all of the second.
#pragma once

#include <cstdint>

#include "model/ir/program.h"

namespace lanewise {

inline constexpr std::uint32_t kMostTogether = 4;

// The workgroups of a dispatch as the schedule has them: those that execute together are one. The last one along x may be shorter.
inline Extent3 placesOf(const Program& p, const Extent3& groups) {
  return {groups.x / p.workgroups + (groups.x % p.workgroups != 0 ? 1 : 0), groups.y, groups.z};
}

// Whether a dispatch has so many workgroups, and hardly more with those that would fill its batches.
inline bool isWorthTogether(const Extent3& groups, std::uint64_t least) {
  constexpr std::uint64_t kMost = kMostTogether;
  const std::uint64_t filled = (std::uint64_t{groups.x} + kMost - 1) / kMost * kMost;
  return std::uint64_t{groups.x} * groups.y * groups.z >= least && 3 * filled <= 4 * std::uint64_t{groups.x};
}

}  // namespace lanewise
