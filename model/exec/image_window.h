// What compiled code is told of an image, and whether it may access its texels by itself.
#pragma once

#include "model/compiled/frame.h"
#include "model/contract/profile.h"

namespace lanewise::compiled {

inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  // of a resource: what compiled code computes a place with

// Compiled code computes in 32 bits where a texel is, reads whole words, and knows the strict rules.
inline ImageWindow windowOf(const ImageView& view, const Profile& profile) {
  ImageWindow out;
  out.extent[0] = view.extent.x, out.extent[1] = view.extent.y, out.extent[2] = view.extent.z;
  out.layers = view.layers;
  const bool isSmall = view.rowBytes <= kMostBytes && view.sliceBytes <= kMostBytes && view.sliceBytes * view.extent.z <= kMostBytes;
  const bool inWords = view.rowBytes % 4 == 0 && view.sliceBytes % 4 == 0 && reinterpret_cast<std::uintptr_t>(view.data) % 4 == 0;
  if (!view.data || view.samples != 1 || !isSmall || !inWords || profile.texel != TexelRules{}) return out;
  out.data = view.data;
  out.rowBytes = static_cast<std::uint32_t>(view.rowBytes);
  out.sliceBytes = static_cast<std::uint32_t>(view.sliceBytes);
  out.isPlain = view.extent.x != 0 && view.extent.y != 0 && view.extent.z != 0 ? 1 : 0;
  return out;
}

}  // namespace lanewise::compiled
