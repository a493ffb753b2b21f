// See samplers.h. Source: Vulkan 1.3, "Samplers".
#include "gpu/samplers.h"

#include <fmt/format.h>

#include <bit>

namespace lanewise {
namespace {

constexpr std::size_t kMostSamplers = 2048;

vk::Filter filter(Filter f) {
  return f == Filter::kLinear ? vk::Filter::eLinear : vk::Filter::eNearest;
}

// One of Vulkan's fixed colours, or the custom one.
vk::BorderColor border(const SamplerState& s) {
  const std::uint32_t one = s.integerBorder ? 1 : std::bit_cast<std::uint32_t>(1.0f);
  const auto is = [&](std::uint32_t rgb, std::uint32_t alpha) { return s.border == std::array{rgb, rgb, rgb, alpha}; };
  if (is(0, 0)) return s.integerBorder ? vk::BorderColor::eIntTransparentBlack : vk::BorderColor::eFloatTransparentBlack;
  if (is(0, one)) return s.integerBorder ? vk::BorderColor::eIntOpaqueBlack : vk::BorderColor::eFloatOpaqueBlack;
  if (is(one, one)) return s.integerBorder ? vk::BorderColor::eIntOpaqueWhite : vk::BorderColor::eFloatOpaqueWhite;
  return s.integerBorder ? vk::BorderColor::eIntCustomEXT : vk::BorderColor::eFloatCustomEXT;
}

bool isCustom(vk::BorderColor colour) {
  return colour == vk::BorderColor::eIntCustomEXT || colour == vk::BorderColor::eFloatCustomEXT;
}

bool mirrorsOnce(const SamplerState& s) {
  return s.u == AddressMode::kMirrorClampToEdge || s.v == AddressMode::kMirrorClampToEdge || s.w == AddressMode::kMirrorClampToEdge;
}

}  // namespace

Status SamplerCache::lacking(const SamplerState& s) const {
  const Features& has = facts_.enabled;
  const char* feature = nullptr;
  if (mirrorsOnce(s) && !has.vulkan12.samplerMirrorClampToEdge) feature = "samplerMirrorClampToEdge";
  if (s.reduction != Reduction::kWeightedAverage && !has.vulkan12.samplerFilterMinmax) feature = "samplerFilterMinmax";
  if (isCustom(border(s)) && !(has.customBorder.customBorderColors && has.customBorder.customBorderColorWithoutFormat))
    feature = "customBorderColors and customBorderColorWithoutFormat";
  if (!feature) return {};
  return Error{Outcome::kUnsupported, fmt::format("the device lacks {}, which the sampler {} needs", feature, samplerText(s)), facts_.name,
               ""};
}

Expected<vk::Sampler> SamplerCache::get(const SamplerState& s) {
  const std::string key = samplerText(s);
  if (const auto found = samplers_.find(key); found != samplers_.end()) return *found->second;
  if (Status wrong = lacking(s)) return *wrong;
  if (samplers_.size() >= kMostSamplers) samplers_.clear();
  const auto mode = [](AddressMode m) { return vk::SamplerAddressMode(m); };
  vk::SamplerCreateInfo info({}, filter(s.mag), filter(s.min),
                             s.mip == Filter::kLinear ? vk::SamplerMipmapMode::eLinear : vk::SamplerMipmapMode::eNearest, mode(s.u),
                             mode(s.v), mode(s.w), s.lodBias, false, 1.0f, s.compare, vk::CompareOp(s.compareOp), s.minLod, s.maxLod,
                             border(s), s.unnormalized);
  if (s.unnormalized) info.minLod = info.maxLod = 0;  // Vulkan asks for it; there is one level anyway
  const vk::SamplerReductionModeCreateInfo reduction(vk::SamplerReductionMode(s.reduction));
  vk::SamplerCustomBorderColorCreateInfoEXT custom;
  custom.customBorderColor = vk::ClearColorValue(s.border);  // the bits serve floats too
  if (s.reduction != Reduction::kWeightedAverage) info.pNext = &reduction;
  if (isCustom(info.borderColor)) {
    custom.pNext = info.pNext;
    info.pNext = &custom;
  }
  return *samplers_.emplace(key, vk::raii::Sampler(device_, info)).first->second;
}

}  // namespace lanewise
