#include "model/memory/texel_access.h"

#include "model/scalar/half.h"
#include "model/scalar/texel.h"

namespace lanewise {
namespace {

std::uint64_t signExtend(std::uint64_t value, std::uint32_t bits) {
  const std::uint32_t shift = 64 - bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

// An integer that the component cannot hold (Vulkan, "Integer Conversion": undefined): the nearest one it can.
std::uint64_t clampInteger(std::uint64_t value, std::uint32_t bits, bool isSigned) {
  if (bits == 64) return value;
  if (!isSigned) {
    const std::uint64_t max = (std::uint64_t{1} << bits) - 1;
    return value > max ? max : value;
  }
  const auto max = static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1);
  const auto v = static_cast<std::int64_t>(value);
  return static_cast<std::uint64_t>(v > max ? max : v < -max - 1 ? -max - 1 : v);
}

}  // namespace

const ImageLevel* levelOf(const ImageView& view, std::uint32_t level) {
  if (level == 0) return &view;
  return level < view.levels && view.chain ? view.chain + level : nullptr;
}

std::uint64_t TexelPlace::tightOffset(const ImageView& view) const {
  if (!level) return 0;
  return level->offset + ((std::uint64_t{slice} * level->extent.y + row) * level->extent.x + x) * view.format->texelBytes;
}

TexelPlace locateTexel(const ImageView& view, const std::int32_t at[4], std::uint32_t coordinates) {
  TexelPlace p;
  if (!view.data) return p;
  const auto second = static_cast<std::uint32_t>(coordinates > 1 ? at[1] : 0);
  // A one-dimensional array keeps its layers where others keep slices.
  const bool layered1D = view.dimensions == 1 && coordinates == 2;
  p.x = static_cast<std::uint32_t>(at[0]);
  p.row = layered1D ? 0 : second;
  p.slice = layered1D ? second : static_cast<std::uint32_t>(coordinates > 2 ? at[2] : 0);
  const ImageLevel* level = levelOf(view, static_cast<std::uint32_t>(at[3]));
  if (!level || p.x >= level->extent.x || p.row >= level->extent.y || p.slice >= level->extent.z) return p;
  p.level = level;
  p.data = level->data + p.slice * level->sliceBytes + p.row * level->rowBytes + std::size_t{p.x} * view.format->texelBytes;
  return p;
}

void decodeTexel(const FormatInfo& format, const TexelRules& rules, const std::byte* texel, std::uint64_t component[4]) {
  const std::array<std::uint64_t, 4> value = scalar::decodeTexel<std::uint64_t>(format, rules, texel);
  std::copy(value.begin(), value.end(), component);
}

void encodeTexel(const FormatInfo& format, const TexelRules& rules, const std::uint64_t component[4], std::byte* texel) {
  std::array<std::uint64_t, 4> value;
  for (std::size_t c = 0; c < 4; ++c) {
    value[c] = component[c];
    const std::uint32_t bits = format.layout.bits[c];
    if (bits == 0 || (format.numeric != NumericFormat::kUint && format.numeric != NumericFormat::kSint)) continue;
    const bool isSigned = format.numeric == NumericFormat::kSint;
    value[c] = clampInteger(isSigned && bits <= 32 ? signExtend(component[c], 32) : component[c], bits, isSigned);
  }
  scalar::encodeTexel(format, rules, value, texel);
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
    answer[0] = 1;
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
