// The number of workgroups in a dispatch, and their places as one number; an invocation's place in its workgroup: along x first, then y,
// then z. A dispatch may have more than 2^32 workgroups.
#pragma once

#include "model/contract/device.h"

namespace lanewise {

constexpr std::uint64_t workgroupsIn(const Extent3& groups) {
  return std::uint64_t{groups.x} * groups.y * groups.z;
}

constexpr std::uint64_t linearOf(const Extent3& id, const Extent3& groups) {
  return (std::uint64_t{id.z} * groups.y + id.y) * groups.x + id.x;
}

// The other way round.
constexpr Extent3 workgroupAt(std::uint64_t linear, const Extent3& groups) {
  return {static_cast<std::uint32_t>(linear % groups.x), static_cast<std::uint32_t>(linear / groups.x % groups.y),
          static_cast<std::uint32_t>(linear / groups.x / groups.y)};
}

// gl_LocalInvocationID and gl_GlobalInvocationID of a gl_LocalInvocationIndex, in a workgroup of this size.
constexpr Extent3 localInvocation(const std::uint32_t (&size)[3], std::uint32_t index) {
  return {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
}
constexpr Extent3 globalInvocation(const std::uint32_t (&size)[3], const Extent3& group, std::uint32_t index) {
  const Extent3 local = localInvocation(size, index);
  return {group.x * size[0] + local.x, group.y * size[1] + local.y, group.z * size[2] + local.z};
}

// The other way round.
struct InvocationPlace {
  Extent3 group;
  std::uint32_t index = 0;
};
constexpr InvocationPlace placeOfInvocation(const std::uint32_t (&size)[3], const Extent3& global) {
  return {{global.x / size[0], global.y / size[1], global.z / size[2]},
          (global.z % size[2] * size[1] + global.y % size[1]) * size[0] + global.x % size[0]};
}

}  // namespace lanewise
