// A sampler descriptor: the fields of VkSamplerCreateInfo that a compute kernel can see. Anisotropy is not among them: it is 1.
//
// Source: Vulkan 1.3, "Samplers". Enumerators have Vulkan's numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/outcome.h"

namespace lanewise {

enum class Filter : std::uint8_t { kNearest, kLinear };
enum class AddressMode : std::uint8_t { kRepeat, kMirroredRepeat, kClampToEdge, kClampToBorder, kMirrorClampToEdge };
enum class CompareOp : std::uint8_t { kNever, kLess, kEqual, kLessOrEqual, kGreater, kNotEqual, kGreaterOrEqual, kAlways };
// How the texels of a footprint become one value (VkSamplerReductionMode).
enum class Reduction : std::uint8_t { kWeightedAverage, kMin, kMax };

struct SamplerState {
  Filter mag = Filter::kNearest, min = Filter::kNearest, mip = Filter::kNearest;
  AddressMode u = AddressMode::kClampToEdge, v = AddressMode::kClampToEdge, w = AddressMode::kClampToEdge;
  // Red, green, blue, alpha: the bits of floats, or integers if integerBorder is set. It must match the sampled images.
  std::array<std::uint32_t, 4> border = {0, 0, 0, 0};
  bool integerBorder = false;
  bool compare = false;  // compareEnable
  CompareOp compareOp = CompareOp::kNever;
  bool unnormalized = false;  // unnormalizedCoordinates
  float lodBias = 0, minLod = 0, maxLod = 1000;
  Reduction reduction = Reduction::kWeightedAverage;
  friend bool operator==(const SamplerState&, const SamplerState&) = default;
};

// A sampler as text: words separated by commas or spaces.
//   nearest, linear                    magnification and minification; mag=, min= or mip= before it: only that one
//   repeat, mirrored-repeat, clamp-to-edge, clamp-to-border, mirror-clamp-to-edge    every axis; u=, v= or w= before it: only that one
//   border=0/0/0/1                     floats; int-border=0/0/0/1: integers
//   compare=less-or-equal              never, less, equal, less-or-equal, greater, not-equal, greater-or-equal, always
//   unnormalized, lod-bias=0.5, min-lod=0, max-lod=4, reduction=min, reduction=max
// Anything that is not named is as in SamplerState. Error: bad input, naming the word.
Expected<SamplerState> samplerByText(std::string_view text);
// The sampler as such a text, without what is as in SamplerState: "linear,repeat". The default sampler is "nearest".
std::string samplerText(const SamplerState& sampler);

}  // namespace lanewise
