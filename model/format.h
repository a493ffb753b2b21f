// Texel formats: one row each. The enumerators have the numeric value and the name of VkFormat (without VK_FORMAT_), so that a backend
// casts and a message prints what the specification prints.
//
// Source: Vulkan 1.3 specification, "Format Definition"; SPIR-V 1.6, 3.11 "Image Format".
#pragma once

#include <cstdint>
#include <string_view>

namespace lanewise {

enum class Format : std::uint32_t {
  UNDEFINED = 0,
  R8_UNORM = 9,
  R8_UINT = 13,
  R8G8B8A8_UNORM = 37,
  R8G8B8A8_UINT = 41,
  R8G8B8A8_SRGB = 43,
  B8G8R8A8_UNORM = 44,
  R16_SFLOAT = 76,
  R16G16B16A16_SFLOAT = 97,
  R32_UINT = 98,
  R32_SINT = 99,
  R32_SFLOAT = 100,
  R32G32B32A32_UINT = 107,
  R32G32B32A32_SINT = 108,
  R32G32B32A32_SFLOAT = 109,
};

// How the bits of a component are read (Vulkan, "Interpretation of Numeric Format").
enum class NumericFormat : std::uint8_t { kUnorm, kSnorm, kUint, kSint, kSfloat, kUfloat, kSrgb };

struct FormatInfo {
  Format format;
  std::string_view name;       // as in Vulkan, e.g. "R8G8B8A8_UINT"
  std::uint8_t texelBytes;     // bytes of one texel
  std::uint8_t components;     // 1 to 4
  std::uint8_t componentBits;  // of each component; 0 for packed formats of mixed widths
  NumericFormat numeric;
  std::uint32_t spirv;         // SPIR-V Image Format, 0 (Unknown) where SPIR-V has none
  std::string_view glsl;       // GLSL layout qualifier, e.g. "rgba8ui"; empty where GLSL has none
};

// The row of a format; nullptr for one that is not in the table.
const FormatInfo* formatInfo(Format format);
// By Vulkan's name or GLSL's qualifier; UNDEFINED if unknown.
Format formatByName(std::string_view name);
// By SPIR-V Image Format; UNDEFINED for 0 (Unknown) or one not in the table.
Format formatBySpirv(std::uint32_t imageFormat);

}  // namespace lanewise
