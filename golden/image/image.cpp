#include "golden/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "golden/image/half.h"

namespace lanewise::golden {
namespace {

struct ComponentRow {
  std::size_t bytes;
  std::string_view name;
  enum Kind : std::uint8_t { kUnsigned, kSigned, kFloat } kind;
};

// In the order of the enumeration.
using enum ComponentRow::Kind;
constexpr ComponentRow kComponents[] = {{1, "u8", kUnsigned}, {2, "u16", kUnsigned}, {4, "u32", kUnsigned}, {8, "u64", kUnsigned},
                                        {2, "f16", kFloat},   {4, "f32", kFloat},    {8, "f64", kFloat},    {1, "i8", kSigned},
                                        {2, "i16", kSigned},  {4, "i32", kSigned},   {8, "i64", kSigned}};
static_assert(std::size(kComponents) == static_cast<std::size_t>(kLastComponent) + 1);

const ComponentRow& row(Component component) {
  return kComponents[static_cast<std::size_t>(component)];
}

std::uint64_t signBit(Component component) {
  return std::uint64_t{1} << (8 * row(component).bytes - 1);
}

// Of a signed integer.
std::int64_t integerOf(Component component, std::uint64_t bits) {
  const std::uint64_t sign = signBit(component);
  return static_cast<std::int64_t>((bits ^ sign) - sign);
}

}  // namespace

std::size_t componentBytes(Component component) {
  return row(component).bytes;
}
std::string_view componentName(Component component) {
  return row(component).name;
}
std::optional<Component> componentNamed(std::string_view name) {
  const auto* found = std::ranges::find(kComponents, name, &ComponentRow::name);
  return found == std::end(kComponents) ? std::nullopt : std::optional(static_cast<Component>(found - kComponents));
}
bool isFloat(Component component) {
  return row(component).kind == kFloat;
}
bool isSigned(Component component) {
  return row(component).kind == kSigned;
}
bool isNan(Component component, std::uint64_t bits) {
  return isFloat(component) && std::isnan(valueOf(component, bits));
}

Extent levelExtent(Extent base, std::uint32_t level) {
  if (level > 31) return {1, 1};
  return {std::max(1u, base.width >> level), std::max(1u, base.height >> level)};
}

std::size_t Image::levelOffset(std::uint32_t level) const {
  std::size_t texels = 0;
  for (std::uint32_t l = 0; l < level; ++l) texels += std::size_t{size(l).width} * size(l).height;
  return texels * texelBytes();
}

std::size_t Image::offset(std::uint32_t level, std::uint32_t x, std::uint32_t y, std::uint32_t channel) const {
  const std::size_t texel = std::size_t{y} * size(level).width + x;
  return (level == 0 ? 0 : levelOffset(level)) + texel * texelBytes() + channel * componentBytes(component);
}

bool Image::wellFormed() const {
  return extent.width > 0 && extent.height > 0 && channels > 0 && levels > 0 && bytes.size() == levelOffset(levels);
}

Image makeImage(Extent extent, std::uint32_t channels, Component component, std::uint32_t levels) {
  Image image;
  image.extent = {std::max(1u, extent.width), std::max(1u, extent.height)};
  image.channels = channels;
  image.component = component;
  image.levels = std::max(1u, levels);
  image.bytes.resize(image.levelOffset(image.levels));
  return image;
}

Image makeLike(const Image& image) {
  Image like = makeImage(image.extent, image.channels, image.component, image.levels);
  like.blueFirst = image.blueFirst;
  return like;
}

std::string_view channelLetters(const Image& image) {
  if (image.channels < 2 || image.channels > 4) return {};
  return std::string_view(image.blueFirst ? "bgra" : "rgba").substr(0, image.channels);
}

Image withRedAndBlueSwapped(Image image) {
  image.blueFirst = !image.blueFirst;
  const std::size_t size = componentBytes(image.component), step = image.texelBytes();
  for (auto at = image.bytes.begin(); at != image.bytes.end(); at += static_cast<std::ptrdiff_t>(step))
    std::swap_ranges(at, at + static_cast<std::ptrdiff_t>(size), at + static_cast<std::ptrdiff_t>(2 * size));
  return image;
}

bool isWholeChain(const Image& image) {
  if (image.levels == 1) return true;
  return image.size(image.levels - 1) == Extent{1, 1} && image.size(image.levels - 2) != Extent{1, 1};
}

Image levelOf(const Image& image, std::uint32_t level) {
  Image one = makeImage(image.size(level), image.channels, image.component);
  one.blueFirst = image.blueFirst;
  std::memcpy(one.bytes.data(), image.bytes.data() + image.levelOffset(level), one.bytes.size());
  return one;
}

std::uint64_t orderOf(Component component, std::uint64_t bits) {
  const std::uint64_t sign = signBit(component);
  if (!isFloat(component)) return isSigned(component) ? bits ^ sign : bits;
  return (bits & sign) != 0 ? ~bits & (sign | (sign - 1)) : bits | sign;
}

std::uint64_t bitsOfOrder(Component component, std::uint64_t order) {
  const std::uint64_t sign = signBit(component);
  if (!isFloat(component)) return isSigned(component) ? order ^ sign : order;
  return (order & sign) != 0 ? order ^ sign : ~order & (sign | (sign - 1));
}

double valueOf(Component component, std::uint64_t bits) {
  if (component == Component::kF16) return halfToDouble(static_cast<std::uint16_t>(bits));
  if (component == Component::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (component == Component::kF64) return std::bit_cast<double>(bits);
  if (isSigned(component)) return static_cast<double>(integerOf(component, bits));
  return static_cast<double>(bits);
}

std::string valueText(Component component, std::uint64_t bits) {
  if (component == Component::kF16) return fmt::format("{} (0x{:04x})", halfToDouble(static_cast<std::uint16_t>(bits)), bits);
  if (component == Component::kF32) return fmt::format("{} (0x{:08x})", std::bit_cast<float>(static_cast<std::uint32_t>(bits)), bits);
  if (component == Component::kF64) return fmt::format("{} (0x{:016x})", std::bit_cast<double>(bits), bits);
  if (isSigned(component)) return fmt::format("{}", integerOf(component, bits));
  return fmt::format("{}", bits);
}

std::uint64_t bitsAt(const Image& image, std::size_t byteOffset) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, image.bytes.data() + byteOffset, componentBytes(image.component));
  return bits;
}

std::string shapeText(const Image& image) {
  std::string text = fmt::format("{}x{}, {} channel{} {}", image.extent.width, image.extent.height, image.channels,
                                 image.channels == 1 ? "" : "s", componentName(image.component));
  if (image.levels > 1) text += fmt::format(", {} levels", image.levels);
  return text;
}

}  // namespace lanewise::golden
