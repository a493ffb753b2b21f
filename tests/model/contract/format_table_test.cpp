// The format table against Vulkan's own headers: numbers, sizes, component order, widths and numeric formats.
#include <vulkan/vulkan_format_traits.hpp>

#include "model/contract/format.h"

namespace lanewise {
namespace {

// Every enumerator of Format, found by name: whatever Vulkan calls a format, at its number.
std::vector<std::pair<Format, const FormatInfo*>> rows() {
  std::vector<std::pair<Format, const FormatInfo*>> out;
  for (std::uint32_t n = 0; n < 200; ++n)
    if (const FormatInfo* info = formatInfo(Format{n})) out.emplace_back(Format{n}, info);
  for (std::uint32_t n = 1000340000; n < 1000340002; ++n)
    if (const FormatInfo* info = formatInfo(Format{n})) out.emplace_back(Format{n}, info);
  return out;
}

std::string numericName(const FormatInfo& info) {
  switch (info.numeric) {
    case NumericFormat::kUnorm:
      return "UNORM";
    case NumericFormat::kSnorm:
      return "SNORM";
    case NumericFormat::kUint:
      return "UINT";
    case NumericFormat::kSint:
      return "SINT";
    case NumericFormat::kSfloat:
      return "SFLOAT";
    case NumericFormat::kUfloat:
    case NumericFormat::kSharedExponent:
      return "UFLOAT";
    case NumericFormat::kSrgb:
      return "SRGB";
  }
  return "?";
}

TEST(FormatTable, AgreesWithVulkansHeaders) {
  EXPECT_EQ(rows().size(), 68u);
  for (const auto& [format, info] : rows()) {
    // Two rows where Vulkan-Hpp 1.3.239 contradicts the specification (and the format's name): 10 bits of red, and red before green.
    if (format == Format::B10G11R11_UFLOAT_PACK32 || format == Format::B5G5R5A1_UNORM_PACK16) continue;
    const auto vk = static_cast<vk::Format>(format);
    std::string name = vk::to_string(vk);  // "R8G8B8A8Unorm"
    std::string ours(info->name);
    const auto plain = [](std::string text) {
      std::erase(text, '_');
      for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return text;
    };
    EXPECT_EQ(plain(ours), plain(name));
    EXPECT_EQ(info->texelBytes, vk::blockSize(vk)) << ours;
    EXPECT_EQ(formatByName(info->name), format);
    const bool packed = vk::packed(vk) != 0;
    unsigned offset = 0;
    const unsigned count = vk::componentCount(vk);
    std::array<bool, 4> seen{};
    for (unsigned step = 0; step < count; ++step) {
      const auto i = static_cast<std::uint8_t>(packed ? count - 1 - step : step);  // packed names begin at the highest bits
      const std::string letter = vk::componentName(vk, i);
      const std::size_t at = letter == "D" ? 0 : std::string("RGBA").find(letter);
      const unsigned bits = vk::componentBits(vk, i);
      if (at < 4) {
        seen[at] = true;
        EXPECT_EQ(info->layout.bits[at], bits) << ours << " " << letter;
        EXPECT_EQ(info->layout.shift[at], offset) << ours << " " << letter;
        EXPECT_EQ(numericName(*info), vk::componentNumericFormat(vk, i)) << ours << " " << letter;
      }
      offset += bits;
    }
    EXPECT_EQ(info->components, std::count(seen.begin(), seen.end(), true)) << ours;
    for (std::size_t c = 0; c < 4; ++c)
      if (!seen[c]) {
        EXPECT_EQ(info->layout.bits[c], 0) << ours;
      }
  }
}

TEST(FormatTable, HasEverySpirvImageFormatOnce) {
  std::map<std::uint32_t, int> count;
  for (const auto& [format, info] : rows())
    if (info->spirv != 0) {
      ++count[info->spirv];
      EXPECT_EQ(formatBySpirv(info->spirv), format);
      EXPECT_EQ(formatByName(info->glsl), format);
    }
  EXPECT_EQ(count.size(), 41u);
  for (const auto& [spirv, n] : count) EXPECT_TRUE(n == 1 && spirv <= 41) << spirv;
}

}  // namespace
}  // namespace lanewise
