// Where the bytes of a resource are in a level of it: rows and slices have padding there, and none in the resource's own bytes.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

// A byte of the level, by its number without padding. It must be one of the level's.
inline std::byte* byteOfLevel(const ImageLevel& level, std::uint64_t texelBytes, std::uint64_t byte) {
  const std::uint64_t row = level.extent.x * texelBytes, slice = row * level.extent.y;
  return level.data + byte / slice * level.sliceBytes + byte % slice / row * level.rowBytes + byte % row;
}

// The first of some bytes of the resource; nullptr if the level does not have them, or not in one row.
inline std::byte* bytesInLevel(const ImageLevel& level, std::uint64_t texelBytes, std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t row = level.extent.x * texelBytes, whole = row * level.extent.y * level.extent.z;
  if (begin < level.offset || begin - level.offset >= whole) return nullptr;
  const std::uint64_t x = (begin - level.offset) % row;
  return bytes <= row - x ? byteOfLevel(level, texelBytes, begin - level.offset) : nullptr;
}

}  // namespace lanewise
