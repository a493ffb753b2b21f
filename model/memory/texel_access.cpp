#include "model/memory/texel_access.h"

#include "model/scalar/half.h"
#include "model/scalar/texel.h"

namespace lanewise {

const ImageLevel* levelOf(const ImageView& view, std::uint32_t level) {
  if (level == 0) return &view;
  return level < view.levels && view.chain ? view.chain + level : nullptr;
}

std::uint64_t TexelPlace::tightOffset(const ImageView& view) const {
  if (!level) return 0;
  return level->offset + ((std::uint64_t{slice} * level->extent.y + row) * level->extent.x + x) * view.format->texelBytes;
}

void decodeTexel(const FormatInfo& format, const TexelRules& rules, const std::byte* texel, std::uint64_t component[4]) {
  const std::array<std::uint64_t, 4> value = scalar::decodeTexel<std::uint64_t>(format, rules, texel);
  std::copy(value.begin(), value.end(), component);
}

void encodeTexel(const FormatInfo& format, const TexelRules& rules, const std::uint64_t component[4], std::byte* texel) {
  scalar::encodeTexel(format, rules, std::array<std::uint64_t, 4>{component[0], component[1], component[2], component[3]}, texel);
}

std::uint32_t narrowComponent(Scalar type, std::uint64_t component) {
  if (type == Scalar::kF16) return scalar::halfFromFloat(scalar::fromBits<float>(static_cast<std::uint32_t>(component))).bits;
  if (type == Scalar::kI16) return static_cast<std::uint32_t>(component & 0xffff);
  if (type == Scalar::kI8) return static_cast<std::uint32_t>(component & 0xff);
  return static_cast<std::uint32_t>(component);
}

std::uint64_t widenComponent(Scalar type, std::uint32_t lane) {
  if (type == Scalar::kF16) return scalar::bitsOf(scalar::toFloat(scalar::Half{static_cast<std::uint16_t>(lane)}));
  return lane;
}

void queryImage(const ImageView& view, spv::Op query, const Type& type, std::uint32_t lod, std::uint32_t answer[4]) {
  if (query == spv::Op::OpImageQueryLevels) {
    answer[0] = view.levels;
    return;
  }
  if (query == spv::Op::OpImageQuerySamples) {
    answer[0] = view.samples;
    return;
  }
  const ImageLevel* level = levelOf(view, lod);
  if (!level) return;
  const Extent3 e = level->extent;
  std::uint32_t n = 0;
  answer[n++] = e.x;
  if (type.dim != spv::Dim::Dim1D && type.dim != spv::Dim::Buffer) answer[n++] = e.y;
  if (type.dim == spv::Dim::Dim3D) answer[n++] = e.z;
  if (type.arrayed) answer[n++] = type.dim == spv::Dim::Cube ? view.layers / 6 : view.layers;
}

}  // namespace lanewise
