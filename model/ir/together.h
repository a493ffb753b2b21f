// Several workgroups in one batch: small ones that follow each other along x execute together where their order cannot show
// (exec/sharing.h). Lane after lane, a batch has all of the first, then all of the second.
#pragma once

#include <algorithm>
#include <bit>

#include "model/ir/program.h"

namespace lanewise {

inline constexpr std::uint32_t kMostTogether = 4;

// How many workgroups a batch has. Only where it has several is it wider than one of them needs.
inline std::uint32_t workgroupsTogether(const Program& p) {
  const std::uint32_t alone = std::max({std::bit_ceil(p.invocations), kGroup, p.subgroupSize});
  return p.width > alone ? p.width / p.invocations : 1;
}

// The workgroups of a dispatch as the schedule has them: those that execute together are one. The last one along x may be shorter.
inline Extent3 placesOf(const Program& p, const Extent3& groups) {
  const std::uint32_t together = workgroupsTogether(p);
  return {groups.x / together + (groups.x % together != 0 ? 1 : 0), groups.y, groups.z};
}

// Whether a dispatch has so many workgroups, and hardly more with those that would fill its batches.
inline bool isWorthTogether(const Extent3& groups, std::uint64_t least) {
  constexpr std::uint64_t kMost = kMostTogether;
  const std::uint64_t filled = (std::uint64_t{groups.x} + kMost - 1) / kMost * kMost;
  return std::uint64_t{groups.x} * groups.y * groups.z >= least && 3 * filled <= 4 * std::uint64_t{groups.x};
}

}  // namespace lanewise
