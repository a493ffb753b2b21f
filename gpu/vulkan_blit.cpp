// Blits on a device: what they ask of it, and the command.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/vulkan_run.h"

namespace lanewise {

// The command needs a queue for graphics, and a format that it can read, filter and write.
Status VulkanRun::checkBlits() const {
  using Feature = vk::FormatFeatureFlagBits;
  constexpr vk::FormatFeatureFlags kNeeded = Feature::eBlitSrc | Feature::eBlitDst | Feature::eSampledImageFilterLinear;
  for (const Blit& blit : job_.blits) {
    const auto lacking = [&](std::string what) {
      return Error{Outcome::kUnsupported, std::move(what), fmt::format("'{}' on {}", blit.resource, context_.facts.name), ""};
    };
    if (std::ranges::find(context_.profile.capabilities, "vkCmdBlitImage") == context_.profile.capabilities.end())
      return lacking("the device does not support blits on its compute queue (vkCmdBlitImage)");
    const Format format = std::get<ImageData>(job_.resources[resourceNamed(job_.resources, blit.resource)].data).format;
    const vk::FormatFeatureFlags has = context_.physical.getFormatProperties(vk::Format(format)).optimalTilingFeatures;
    if ((has & kNeeded) != kNeeded)
      return lacking(fmt::format("the device does not blit {} with a linear filter", formatInfo(format)->name));
  }
  return {};
}

void VulkanRun::recordBlit(const Blit& blit) {
  const std::size_t resource = resourceNamed(job_.resources, blit.resource);
  const ImageData& image = std::get<ImageData>(job_.resources[resource].data);
  const auto part = [&](std::uint32_t level) {
    return vk::ImageSubresourceLayers(aspectOf(vk::Format(image.format)), level, 0, image.layers);
  };
  const auto corners = [&](std::uint32_t level) {
    const Extent3 e = image.levelExtent(level);
    return std::array{vk::Offset3D{}, vk::Offset3D{std::int32_t(e.x), std::int32_t(e.y), std::int32_t(e.z)}};
  };
  const vk::ImageBlit region(part(blit.from), corners(blit.from), part(blit.to), corners(blit.to));
  const vk::Image handle = *places_[resource].image->image;
  commands_.blitImage(handle, vk::ImageLayout::eGeneral, handle, vk::ImageLayout::eGeneral, region, vk::Filter::eLinear);
}

}  // namespace lanewise
