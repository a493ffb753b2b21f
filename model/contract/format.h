// Texel formats: one row each. The enumerators have the numeric value and the name of VkFormat (without VK_FORMAT_), so that a backend
// casts and a message prints what the specification prints.
//
// In the table: every format with a SPIR-V Image Format, and the common ones that are only sampled. Not there: three-component formats
// without padding, USCALED and SSCALED, stencil, compressed and multi-planar ones.
// Source: Vulkan 1.3 specification, "Format Definition"; SPIR-V 1.6, 3.11 "Image Format".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanewise {

enum class Format : std::uint32_t {
  UNDEFINED = 0,
  R4G4B4A4_UNORM_PACK16 = 2,
  B4G4R4A4_UNORM_PACK16 = 3,
  R5G6B5_UNORM_PACK16 = 4,
  B5G6R5_UNORM_PACK16 = 5,
  R5G5B5A1_UNORM_PACK16 = 6,
  B5G5R5A1_UNORM_PACK16 = 7,
  A1R5G5B5_UNORM_PACK16 = 8,
  R8_UNORM = 9,
  R8_SNORM = 10,
  R8_UINT = 13,
  R8_SINT = 14,
  R8_SRGB = 15,
  R8G8_UNORM = 16,
  R8G8_SNORM = 17,
  R8G8_UINT = 20,
  R8G8_SINT = 21,
  R8G8_SRGB = 22,
  R8G8B8A8_UNORM = 37,
  R8G8B8A8_SNORM = 38,
  R8G8B8A8_UINT = 41,
  R8G8B8A8_SINT = 42,
  R8G8B8A8_SRGB = 43,
  B8G8R8A8_UNORM = 44,
  B8G8R8A8_SNORM = 45,
  B8G8R8A8_UINT = 48,
  B8G8R8A8_SINT = 49,
  B8G8R8A8_SRGB = 50,
  A8B8G8R8_UNORM_PACK32 = 51,
  A8B8G8R8_SNORM_PACK32 = 52,
  A8B8G8R8_UINT_PACK32 = 55,
  A8B8G8R8_SINT_PACK32 = 56,
  A8B8G8R8_SRGB_PACK32 = 57,
  A2R10G10B10_UNORM_PACK32 = 58,
  A2R10G10B10_UINT_PACK32 = 62,
  A2B10G10R10_UNORM_PACK32 = 64,
  A2B10G10R10_UINT_PACK32 = 68,
  R16_UNORM = 70,
  R16_SNORM = 71,
  R16_UINT = 74,
  R16_SINT = 75,
  R16_SFLOAT = 76,
  R16G16_UNORM = 77,
  R16G16_SNORM = 78,
  R16G16_UINT = 81,
  R16G16_SINT = 82,
  R16G16_SFLOAT = 83,
  R16G16B16A16_UNORM = 91,
  R16G16B16A16_SNORM = 92,
  R16G16B16A16_UINT = 95,
  R16G16B16A16_SINT = 96,
  R16G16B16A16_SFLOAT = 97,
  R32_UINT = 98,
  R32_SINT = 99,
  R32_SFLOAT = 100,
  R32G32_UINT = 101,
  R32G32_SINT = 102,
  R32G32_SFLOAT = 103,
  R32G32B32A32_UINT = 107,
  R32G32B32A32_SINT = 108,
  R32G32B32A32_SFLOAT = 109,
  R64_UINT = 110,
  R64_SINT = 111,
  B10G11R11_UFLOAT_PACK32 = 122,
  E5B9G9R9_UFLOAT_PACK32 = 123,
  D16_UNORM = 124,
  D32_SFLOAT = 126,
  A4R4G4B4_UNORM_PACK16 = 1000340000,
  A4B4G4R4_UNORM_PACK16 = 1000340001,
};

// How the bits of a component are read (Vulkan, "Interpretation of Numeric Format"). kSrgb: red, green and blue by the sRGB curve, alpha
// linear. kSharedExponent: E5B9G9R9, in Vulkan also UFLOAT.
enum class NumericFormat : std::uint8_t { kUnorm, kSnorm, kUint, kSint, kSfloat, kUfloat, kSrgb, kSharedExponent };

// The positions of red, green, blue and alpha in a texel read as one little-endian integer: `bits` bits from bit `shift` on. 0 bits: the
// format does not have it.
struct TexelLayout {
  std::array<std::uint8_t, 4> bits;
  std::array<std::uint8_t, 4> shift;
};

struct FormatInfo {
  Format format;
  std::string_view name;       // as in Vulkan, e.g. "R8G8B8A8_UINT"
  std::uint8_t texelBytes;     // bytes of one texel
  std::uint8_t components;     // 1 to 4
  std::uint8_t componentBits;  // of each component; 0 for packed formats of mixed widths
  NumericFormat numeric;
  std::uint32_t spirv;    // SPIR-V Image Format, 0 (Unknown) where SPIR-V has none
  std::string_view glsl;  // GLSL layout qualifier, e.g. "rgba8ui"; empty where GLSL has none
  TexelLayout layout;
};

// The row of a format; nullptr if it is not in the table.
const FormatInfo* formatInfo(Format format);
// By Vulkan's name or GLSL's qualifier; UNDEFINED if unknown.
Format formatByName(std::string_view name);
// By SPIR-V Image Format; UNDEFINED for 0 (Unknown) or one not in the table.
Format formatBySpirv(std::uint32_t imageFormat);

}  // namespace lanewise
