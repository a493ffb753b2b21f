// The result of a sampling instruction for one lane: levels, footprints, filtering, comparison, gathering.
//
// The formulas are pure functions in model/scalar/sampling.h. Here they are applied to the texels of a view. An implicit level of detail
// has been replaced by gradients (program/lower_image.cpp). Choices: Profile::subTexelBits. Anisotropy is 1. A cube's corner, where three
// faces meet, is the mean of its three texels. Integer images are never filtered linearly. Source: Vulkan 1.3, "Image Operations Steps" and
// the sections after it; SPIR-V 1.6, 3.42.10 "Image Instructions".
#pragma once

#include "model/memory/texel_access.h"

namespace lanewise {

// One lane's operands. Those that an instruction does not have are 0.
struct SamplePoint {
  float at[3] = {0, 0, 0};  // s, t, r; of a cube the direction
  float layer = 0;
  float reference = 0;  // Dref
  float bias = 0, lod = 0, minLod = 0;
  float dx[3] = {0, 0, 0}, dy[3] = {0, 0, 0};
  std::int32_t offset[4][3] = {};  // the second to the fourth only of ConstOffsets
  std::uint32_t component = 0;     // of a gather
};

// The texels that a lane's sample reads, for observers.
struct SampledTexels {
  TexelPlace place[32];
  std::uint32_t count = 0;
};

// The levels that a sample takes: one, or two, and the weight of the second.
struct SampledLevels {
  std::uint32_t first = 0;
  bool both = false;
  float weight = 0;
  Filter filter = Filter::kNearest;  // kNearest for integers
};
// Selects them by a level of detail that has no bias or least one but the sampler's. The view must have an image. Into `out`: who copies
// what has just been stored in parts waits for that.
void findLevels(const ImageView& view, const SamplerState& sampler, const Profile& profile, float lod, SampledLevels& out);

// The bits of component c on the border.
std::uint32_t borderComponent(const FormatInfo& format, const SamplerState& sampler, std::uint32_t c);

// `out`: the components as texel_access.h keeps them; of OpImageQueryLod the level and the level of detail. `touched` may be nullptr.
void sampleImage(const ImageView& view, const SamplerState& sampler, const ir::ImageAccess& access, const Profile& profile,
                 const SamplePoint& point, std::uint64_t out[4], SampledTexels* touched);

}  // namespace lanewise
