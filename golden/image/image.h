// The image type of the goldens: the result of an oracle, the input of the comparison, the content of a picture file. Plain bytes and their
// shape.
//
// Layout: level 0 first, then level 1, ...; level l has max(1, D >> l) texels per axis (docs/contracts.md, 4). Inside a level, one row
// after another without padding, x fastest, with the channels of a texel adjacent and little-endian. This is also the layout of images in
// the device contract with one layer, so bytes are passed on unchanged. Results that are not pictures are images too: n buckets are n x 1
// of one channel.
//
// Gaps: no layers and no 3D; the host must be little-endian (asserted when compiling).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::golden {

static_assert(std::endian::native == std::endian::little, "images are little-endian bytes");

// The type of one component. kF16 is IEEE binary16, kept as its bits. Capsules hold the numbers: new ones go to the end.
enum class Component : std::uint8_t { kU8, kU16, kU32, kU64, kF16, kF32, kF64, kI8, kI16, kI32, kI64 };
inline constexpr Component kLastComponent = Component::kI64;

std::size_t componentBytes(Component component);      // 1, 2, 4 or 8
std::string_view componentName(Component component);  // "u8", "u16", "u32", "u64", "f16", "f32", "f64", "i8", ..
std::optional<Component> componentNamed(std::string_view name);
bool isFloat(Component component);   // kF16, kF32, kF64
bool isSigned(Component component);  // an integer with a sign: kI8 to kI64
bool isNan(Component component, std::uint64_t bits);

struct Extent {
  std::uint32_t width = 1, height = 1;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// max(1, extent >> level) for each axis.
Extent levelExtent(Extent base, std::uint32_t level);

// A value type. If makeImage made it, the shape and the size of `bytes` agree. Code that fills it in itself calls wellFormed().
struct Image {
  Extent extent;  // of level 0, in texels, at least 1x1
  std::uint32_t channels = 4;
  Component component = Component::kU8;
  std::uint32_t levels = 1;
  bool blueFirst = false;  // channels 0 and 2 are blue and red, as in B8G8R8A8
  std::vector<std::byte> bytes;

  Extent size(std::uint32_t level) const { return levelExtent(extent, level); }
  // Bytes before level `level`; with level == levels, of the whole image.
  std::size_t levelOffset(std::uint32_t level) const;
  std::size_t levelBytes(std::uint32_t level) const { return levelOffset(level + 1) - levelOffset(level); }
  std::size_t texelBytes() const { return channels * componentBytes(component); }
  // The position of component (x, y, channel) of a level in `bytes`.
  std::size_t offset(std::uint32_t level, std::uint32_t x, std::uint32_t y, std::uint32_t channel = 0) const;
  bool wellFormed() const;

  // Reads or writes one component; T must be the component's type (std::uint16_t for kF16). No bounds check: the caller stays inside.
  template <class T>
  T get(std::uint32_t level, std::uint32_t x, std::uint32_t y, std::uint32_t channel = 0) const {
    T value;
    std::memcpy(&value, bytes.data() + offset(level, x, y, channel), sizeof(T));
    return value;
  }
  template <class T>
  void set(std::uint32_t level, std::uint32_t x, std::uint32_t y, std::uint32_t channel, T value) {
    std::memcpy(bytes.data() + offset(level, x, y, channel), &value, sizeof(T));
  }

  friend bool operator==(const Image&, const Image&) = default;
};

// An image of zeros. Extents and levels of 0 are taken as 1.
Image makeImage(Extent extent, std::uint32_t channels, Component component, std::uint32_t levels = 1);
// The same shape and order of channels, of zeros.
Image makeLike(const Image& image);
// The names of the channels, a letter each: "rgba", "bgra", "rg". Empty for one channel, and for more than four.
std::string_view channelLetters(const Image& image);
// Red and blue change places, in the bytes and in the names.
Image withRedAndBlueSwapped(Image image);
// One level alone, or all down to 1x1.
bool isWholeChain(const Image& image);
// One level of an image as an image of its own.
Image levelOf(const Image& image, std::uint32_t level);
// Sets the texels of a level from typed values.
template <class T>
void setValues(Image& image, std::uint32_t level, std::span<const T> values) {
  std::memcpy(image.bytes.data() + image.levelOffset(level), values.data(), values.size_bytes());
}

// The place of a value among all values of its type: a is less than b where its place is. Floats next to each other are one apart, also -0
// and +0; a NaN is beyond an infinity.
std::uint64_t orderOf(Component component, std::uint64_t bits);
// The bits of the value at a place.
std::uint64_t bitsOfOrder(Component component, std::uint64_t order);
// One component's value; for an integer its code.
double valueOf(Component component, std::uint64_t bits);
// The same as text: "255", "0.5 (0x3f000000)".
std::string valueText(Component component, std::uint64_t bits);
// The raw bits of a component, zero-extended.
std::uint64_t bitsAt(const Image& image, std::size_t byteOffset);
// "33x65 RGBA u8", "4x4 1 channel f32, 3 levels".
std::string shapeText(const Image& image);

}  // namespace lanewise::golden
