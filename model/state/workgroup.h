// A workgroup's place in its dispatch as one number: along x first, then y, then z. A dispatch may have more than 2^32 of them.
#pragma once

#include "model/contract/device.h"

namespace lanewise {

constexpr std::uint64_t linearOf(const Extent3& id, const Extent3& groups) {
  return (std::uint64_t{id.z} * groups.y + id.y) * groups.x + id.x;
}

// The other way round.
constexpr Extent3 workgroupAt(std::uint64_t linear, const Extent3& groups) {
  return {static_cast<std::uint32_t>(linear % groups.x), static_cast<std::uint32_t>(linear / groups.x % groups.y),
          static_cast<std::uint32_t>(linear / groups.x / groups.y)};
}

}  // namespace lanewise
