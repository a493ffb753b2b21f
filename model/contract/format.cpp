#include "model/contract/format.h"

namespace lanewise {
namespace {

using enum NumericFormat;

// n components of equal width, red in the lowest bits.
constexpr TexelLayout inOrder(int n, int width) {
  TexelLayout layout{};
  for (int i = 0; i < n; ++i) {
    layout.bits[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(width);
    layout.shift[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i * width);
  }
  return layout;
}

constexpr FormatInfo kFormats[] = {
    {Format::R4G4B4A4_UNORM_PACK16, "R4G4B4A4_UNORM_PACK16", 2, 4, 4, kUnorm, 0, "", {{4, 4, 4, 4}, {12, 8, 4, 0}}},
    {Format::B4G4R4A4_UNORM_PACK16, "B4G4R4A4_UNORM_PACK16", 2, 4, 4, kUnorm, 0, "", {{4, 4, 4, 4}, {4, 8, 12, 0}}},
    {Format::R5G6B5_UNORM_PACK16, "R5G6B5_UNORM_PACK16", 2, 3, 0, kUnorm, 0, "", {{5, 6, 5, 0}, {11, 5, 0, 0}}},
    {Format::B5G6R5_UNORM_PACK16, "B5G6R5_UNORM_PACK16", 2, 3, 0, kUnorm, 0, "", {{5, 6, 5, 0}, {0, 5, 11, 0}}},
    {Format::R5G5B5A1_UNORM_PACK16, "R5G5B5A1_UNORM_PACK16", 2, 4, 0, kUnorm, 0, "", {{5, 5, 5, 1}, {11, 6, 1, 0}}},
    {Format::B5G5R5A1_UNORM_PACK16, "B5G5R5A1_UNORM_PACK16", 2, 4, 0, kUnorm, 0, "", {{5, 5, 5, 1}, {1, 6, 11, 0}}},
    {Format::A1R5G5B5_UNORM_PACK16, "A1R5G5B5_UNORM_PACK16", 2, 4, 0, kUnorm, 0, "", {{5, 5, 5, 1}, {10, 5, 0, 15}}},
    {Format::R8_UNORM, "R8_UNORM", 1, 1, 8, kUnorm, 15, "r8", inOrder(1, 8)},
    {Format::R8_SNORM, "R8_SNORM", 1, 1, 8, kSnorm, 20, "r8_snorm", inOrder(1, 8)},
    {Format::R8_UINT, "R8_UINT", 1, 1, 8, kUint, 39, "r8ui", inOrder(1, 8)},
    {Format::R8_SINT, "R8_SINT", 1, 1, 8, kSint, 29, "r8i", inOrder(1, 8)},
    {Format::R8_SRGB, "R8_SRGB", 1, 1, 8, kSrgb, 0, "", inOrder(1, 8)},
    {Format::R8G8_UNORM, "R8G8_UNORM", 2, 2, 8, kUnorm, 13, "rg8", inOrder(2, 8)},
    {Format::R8G8_SNORM, "R8G8_SNORM", 2, 2, 8, kSnorm, 18, "rg8_snorm", inOrder(2, 8)},
    {Format::R8G8_UINT, "R8G8_UINT", 2, 2, 8, kUint, 37, "rg8ui", inOrder(2, 8)},
    {Format::R8G8_SINT, "R8G8_SINT", 2, 2, 8, kSint, 27, "rg8i", inOrder(2, 8)},
    {Format::R8G8_SRGB, "R8G8_SRGB", 2, 2, 8, kSrgb, 0, "", inOrder(2, 8)},
    {Format::R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4, 4, 8, kUnorm, 4, "rgba8", inOrder(4, 8)},
    {Format::R8G8B8A8_SNORM, "R8G8B8A8_SNORM", 4, 4, 8, kSnorm, 5, "rgba8_snorm", inOrder(4, 8)},
    {Format::R8G8B8A8_UINT, "R8G8B8A8_UINT", 4, 4, 8, kUint, 32, "rgba8ui", inOrder(4, 8)},
    {Format::R8G8B8A8_SINT, "R8G8B8A8_SINT", 4, 4, 8, kSint, 23, "rgba8i", inOrder(4, 8)},
    {Format::R8G8B8A8_SRGB, "R8G8B8A8_SRGB", 4, 4, 8, kSrgb, 0, "", inOrder(4, 8)},
    {Format::B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4, 4, 8, kUnorm, 0, "", {{8, 8, 8, 8}, {16, 8, 0, 24}}},
    {Format::B8G8R8A8_SNORM, "B8G8R8A8_SNORM", 4, 4, 8, kSnorm, 0, "", {{8, 8, 8, 8}, {16, 8, 0, 24}}},
    {Format::B8G8R8A8_UINT, "B8G8R8A8_UINT", 4, 4, 8, kUint, 0, "", {{8, 8, 8, 8}, {16, 8, 0, 24}}},
    {Format::B8G8R8A8_SINT, "B8G8R8A8_SINT", 4, 4, 8, kSint, 0, "", {{8, 8, 8, 8}, {16, 8, 0, 24}}},
    {Format::B8G8R8A8_SRGB, "B8G8R8A8_SRGB", 4, 4, 8, kSrgb, 0, "", {{8, 8, 8, 8}, {16, 8, 0, 24}}},
    {Format::A8B8G8R8_UNORM_PACK32, "A8B8G8R8_UNORM_PACK32", 4, 4, 8, kUnorm, 0, "", inOrder(4, 8)},
    {Format::A8B8G8R8_SNORM_PACK32, "A8B8G8R8_SNORM_PACK32", 4, 4, 8, kSnorm, 0, "", inOrder(4, 8)},
    {Format::A8B8G8R8_UINT_PACK32, "A8B8G8R8_UINT_PACK32", 4, 4, 8, kUint, 0, "", inOrder(4, 8)},
    {Format::A8B8G8R8_SINT_PACK32, "A8B8G8R8_SINT_PACK32", 4, 4, 8, kSint, 0, "", inOrder(4, 8)},
    {Format::A8B8G8R8_SRGB_PACK32, "A8B8G8R8_SRGB_PACK32", 4, 4, 8, kSrgb, 0, "", inOrder(4, 8)},
    {Format::A2R10G10B10_UNORM_PACK32, "A2R10G10B10_UNORM_PACK32", 4, 4, 0, kUnorm, 0, "", {{10, 10, 10, 2}, {20, 10, 0, 30}}},
    {Format::A2R10G10B10_UINT_PACK32, "A2R10G10B10_UINT_PACK32", 4, 4, 0, kUint, 0, "", {{10, 10, 10, 2}, {20, 10, 0, 30}}},
    {Format::A2B10G10R10_UNORM_PACK32, "A2B10G10R10_UNORM_PACK32", 4, 4, 0, kUnorm, 11, "rgb10_a2", {{10, 10, 10, 2}, {0, 10, 20, 30}}},
    {Format::A2B10G10R10_UINT_PACK32, "A2B10G10R10_UINT_PACK32", 4, 4, 0, kUint, 34, "rgb10_a2ui", {{10, 10, 10, 2}, {0, 10, 20, 30}}},
    {Format::R16_UNORM, "R16_UNORM", 2, 1, 16, kUnorm, 14, "r16", inOrder(1, 16)},
    {Format::R16_SNORM, "R16_SNORM", 2, 1, 16, kSnorm, 19, "r16_snorm", inOrder(1, 16)},
    {Format::R16_UINT, "R16_UINT", 2, 1, 16, kUint, 38, "r16ui", inOrder(1, 16)},
    {Format::R16_SINT, "R16_SINT", 2, 1, 16, kSint, 28, "r16i", inOrder(1, 16)},
    {Format::R16_SFLOAT, "R16_SFLOAT", 2, 1, 16, kSfloat, 9, "r16f", inOrder(1, 16)},
    {Format::R16G16_UNORM, "R16G16_UNORM", 4, 2, 16, kUnorm, 12, "rg16", inOrder(2, 16)},
    {Format::R16G16_SNORM, "R16G16_SNORM", 4, 2, 16, kSnorm, 17, "rg16_snorm", inOrder(2, 16)},
    {Format::R16G16_UINT, "R16G16_UINT", 4, 2, 16, kUint, 36, "rg16ui", inOrder(2, 16)},
    {Format::R16G16_SINT, "R16G16_SINT", 4, 2, 16, kSint, 26, "rg16i", inOrder(2, 16)},
    {Format::R16G16_SFLOAT, "R16G16_SFLOAT", 4, 2, 16, kSfloat, 7, "rg16f", inOrder(2, 16)},
    {Format::R16G16B16A16_UNORM, "R16G16B16A16_UNORM", 8, 4, 16, kUnorm, 10, "rgba16", inOrder(4, 16)},
    {Format::R16G16B16A16_SNORM, "R16G16B16A16_SNORM", 8, 4, 16, kSnorm, 16, "rgba16_snorm", inOrder(4, 16)},
    {Format::R16G16B16A16_UINT, "R16G16B16A16_UINT", 8, 4, 16, kUint, 31, "rgba16ui", inOrder(4, 16)},
    {Format::R16G16B16A16_SINT, "R16G16B16A16_SINT", 8, 4, 16, kSint, 22, "rgba16i", inOrder(4, 16)},
    {Format::R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 8, 4, 16, kSfloat, 2, "rgba16f", inOrder(4, 16)},
    {Format::R32_UINT, "R32_UINT", 4, 1, 32, kUint, 33, "r32ui", inOrder(1, 32)},
    {Format::R32_SINT, "R32_SINT", 4, 1, 32, kSint, 24, "r32i", inOrder(1, 32)},
    {Format::R32_SFLOAT, "R32_SFLOAT", 4, 1, 32, kSfloat, 3, "r32f", inOrder(1, 32)},
    {Format::R32G32_UINT, "R32G32_UINT", 8, 2, 32, kUint, 35, "rg32ui", inOrder(2, 32)},
    {Format::R32G32_SINT, "R32G32_SINT", 8, 2, 32, kSint, 25, "rg32i", inOrder(2, 32)},
    {Format::R32G32_SFLOAT, "R32G32_SFLOAT", 8, 2, 32, kSfloat, 6, "rg32f", inOrder(2, 32)},
    {Format::R32G32B32A32_UINT, "R32G32B32A32_UINT", 16, 4, 32, kUint, 30, "rgba32ui", inOrder(4, 32)},
    {Format::R32G32B32A32_SINT, "R32G32B32A32_SINT", 16, 4, 32, kSint, 21, "rgba32i", inOrder(4, 32)},
    {Format::R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 16, 4, 32, kSfloat, 1, "rgba32f", inOrder(4, 32)},
    {Format::R64_UINT, "R64_UINT", 8, 1, 64, kUint, 40, "r64ui", inOrder(1, 64)},
    {Format::R64_SINT, "R64_SINT", 8, 1, 64, kSint, 41, "r64i", inOrder(1, 64)},
    {Format::B10G11R11_UFLOAT_PACK32, "B10G11R11_UFLOAT_PACK32", 4, 3, 0, kUfloat, 8, "r11f_g11f_b10f", {{11, 11, 10, 0}, {0, 11, 22, 0}}},
    {Format::E5B9G9R9_UFLOAT_PACK32, "E5B9G9R9_UFLOAT_PACK32", 4, 3, 0, kSharedExponent, 0, "", inOrder(3, 9)},
    {Format::D16_UNORM, "D16_UNORM", 2, 1, 16, kUnorm, 0, "", inOrder(1, 16)},
    {Format::D32_SFLOAT, "D32_SFLOAT", 4, 1, 32, kSfloat, 0, "", inOrder(1, 32)},
    {Format::A4R4G4B4_UNORM_PACK16, "A4R4G4B4_UNORM_PACK16", 2, 4, 4, kUnorm, 0, "", {{4, 4, 4, 4}, {8, 4, 0, 12}}},
    {Format::A4B4G4R4_UNORM_PACK16, "A4B4G4R4_UNORM_PACK16", 2, 4, 4, kUnorm, 0, "", inOrder(4, 4)},
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
