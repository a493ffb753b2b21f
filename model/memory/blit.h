// What vkCmdBlitImage does to one level: every texel is a sample, by the model's own sampler, of another level.
//
// The middle of texel x lies at u = (x + 1/2) * scale, scale = source size / own size, in the source's texels; linear filter, clamped to
// the edge, no level of detail. Exact up to u, which is rounded once to binary32; the rest is as for every sample (Profile).
// Source: Vulkan 1.3, "Image Copies With Scaling".
#pragma once

#include "model/state/observers.h"

namespace lanewise {

// `levels` are the image's, padded; checkBlits() let the blit through. `observers` may be nullptr.
void blitLevel(const Blit& blit, const ImageData& image, const std::vector<ImageLevel>& levels, const Profile& profile,
               Observers* observers);

}  // namespace lanewise
