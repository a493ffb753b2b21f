// vkCmdBlitImage for one level: every texel is a sample of another level, taken by the model's own sampler.
//
// The middle of texel x is at u = (x + 1/2) * scale in the source's texels, with scale = source size / own size. Linear filter, clamped to
// the edge, no level of detail. Exact except for u, which is rounded once to binary32; the rest is as for every sample (Profile). Source:
// Vulkan 1.3, "Image Copies With Scaling".
#pragma once

#include "model/state/observers.h"

namespace lanewise {

// `levels` are the image's, padded. checkBlits() must have accepted the blit. `observers` may be nullptr.
void blitLevel(const Blit& blit, const ImageData& image, const std::vector<ImageLevel>& levels, const Profile& profile,
               Observers* observers);

}  // namespace lanewise
