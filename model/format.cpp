#include "model/format.h"

namespace lanewise {
namespace {

using enum NumericFormat;

constexpr FormatInfo kFormats[] = {
    {Format::R8_UNORM, "R8_UNORM", 1, 1, 8, kUnorm, 15, "r8"},
    {Format::R8_UINT, "R8_UINT", 1, 1, 8, kUint, 39, "r8ui"},
    {Format::R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4, 4, 8, kUnorm, 4, "rgba8"},
    {Format::R8G8B8A8_UINT, "R8G8B8A8_UINT", 4, 4, 8, kUint, 32, "rgba8ui"},
    {Format::R8G8B8A8_SRGB, "R8G8B8A8_SRGB", 4, 4, 8, kSrgb, 0, ""},
    {Format::B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4, 4, 8, kUnorm, 0, ""},
    {Format::R16_SFLOAT, "R16_SFLOAT", 2, 1, 16, kSfloat, 9, "r16f"},
    {Format::R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 8, 4, 16, kSfloat, 2, "rgba16f"},
    {Format::R32_UINT, "R32_UINT", 4, 1, 32, kUint, 33, "r32ui"},
    {Format::R32_SINT, "R32_SINT", 4, 1, 32, kSint, 24, "r32i"},
    {Format::R32_SFLOAT, "R32_SFLOAT", 4, 1, 32, kSfloat, 3, "r32f"},
    {Format::R32G32B32A32_UINT, "R32G32B32A32_UINT", 16, 4, 32, kUint, 30, "rgba32ui"},
    {Format::R32G32B32A32_SINT, "R32G32B32A32_SINT", 16, 4, 32, kSint, 21, "rgba32i"},
    {Format::R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 16, 4, 32, kSfloat, 1, "rgba32f"},
};

}  // namespace

const FormatInfo* formatInfo(Format format) {
  for (const FormatInfo& row : kFormats)
    if (row.format == format) return &row;
  return nullptr;
}

Format formatByName(std::string_view name) {
  for (const FormatInfo& row : kFormats)
    if (row.name == name || (!row.glsl.empty() && row.glsl == name)) return row.format;
  return Format::UNDEFINED;
}

Format formatBySpirv(std::uint32_t imageFormat) {
  for (const FormatInfo& row : kFormats)
    if (imageFormat != 0 && row.spirv == imageFormat) return row.format;
  return Format::UNDEFINED;
}

}  // namespace lanewise
