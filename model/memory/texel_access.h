// Where a texel's bytes are, and how they are read and written.
//
// Source: Vulkan 1.3, "Image Operations", "Format Definition". A component is passed as 64 bits: unsigned integers zero-extended, signed
// ones sign-extended, floats as the bits of binary32. Not thread-safe, except for distinct texels.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

#include "model/state/batch.h"

namespace lanewise {

// The level of a view; nullptr if the view has no such level.
const ImageLevel* levelOf(const ImageView& view, std::uint32_t level);

struct TexelPlace {
  std::byte* data = nullptr;          // nullptr outside the image or without one
  const ImageLevel* level = nullptr;  // likewise
  std::uint32_t x = 0, row = 0, slice = 0;
  // The position of the texel in the resource's own bytes.
  std::uint64_t tightOffset(const ImageView& view) const;
};

void decodeTexel(const FormatInfo& format, const TexelRules& rules, const std::byte* texel, std::uint64_t component[4]);
void encodeTexel(const FormatInfo& format, const TexelRules& rules, const std::uint64_t component[4], std::byte* texel);

// Converts a component to a 32-bit register, and back. Half registers convert from and to binary32.
std::uint32_t narrowComponent(Scalar type, std::uint64_t component);
std::uint64_t widenComponent(Scalar type, std::uint32_t lane);

// OpImageQuerySize, OpImageQuerySizeLod, OpImageQueryLevels, OpImageQuerySamples.
void queryImage(const ImageView& view, spv::Op query, const Type& type, std::uint32_t lod, std::uint32_t answer[4]);

}  // namespace lanewise
