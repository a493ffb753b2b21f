#include "golden/pictures/picture.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "golden/image/half.h"

namespace lanewise::golden {
namespace {

constexpr Component kByte = Component::kU8;

std::uint8_t byteFrom16(std::uint64_t v) {
  return static_cast<std::uint8_t>((2 * v + 257) / 514);
}
std::uint8_t byteFromFloat(double v) {
  if (!(v > 0)) return 0;  // negative and NaN
  return v >= 1 ? 255 : static_cast<std::uint8_t>(std::floor(255.0 * v + 0.5));
}

// The file's channel for channel i of RGBA; none: an opaque alpha.
std::optional<std::uint32_t> channelFor(const Image& stored, std::uint32_t i) {
  if (i == 3) return stored.channels == 2 ? std::optional(1u) : stored.channels >= 4 ? std::optional(3u) : std::nullopt;
  return stored.channels < 3 ? 0 : i;
}

class Reader {
 public:
  explicit Reader(const Image& stored) : stored_(stored), step_(componentBytes(stored.component)) {}

  std::uint8_t byte(std::size_t texel, std::uint32_t channel) const {
    const auto from = channelFor(stored_, channel);
    if (!from) return 255;
    const std::uint64_t bits = bitsOf(texel, *from);
    if (stored_.component == kByte) return static_cast<std::uint8_t>(bits);
    return stored_.component == Component::kU16 ? byteFrom16(bits) : byteFromFloat(valueOf(stored_.component, bits));
  }

  double value(std::size_t texel, std::uint32_t channel) const {
    const auto from = channelFor(stored_, channel);
    if (!from) return 1;
    const double v = valueOf(stored_.component, bitsOf(texel, *from));
    return stored_.component == kByte ? v / 255 : stored_.component == Component::kU16 ? v / 65535 : v;
  }

  double grey(std::size_t texel) const {
    if (stored_.channels < 3) return value(texel, 0);
    const unsigned sum = 299u * byte(texel, 0) + 587u * byte(texel, 1) + 114u * byte(texel, 2);
    return (sum + 500) / 1000 / 255.0;
  }

 private:
  std::uint64_t bitsOf(std::size_t texel, std::uint32_t channel) const {
    return bitsAt(stored_, (texel * stored_.channels + channel) * step_);
  }
  const Image& stored_;
  const std::size_t step_;
};

std::string valuesName(Component component) {
  return component == Component::kU16 ? "16-bit values" : component == Component::kF16 ? "half floats" : "floats";
}

}  // namespace

Expected<Image> pictureAs(const Picture& picture, std::uint32_t channels, Component component) {
  const Image& stored = picture.stored;
  const Reader reader(stored);
  Image out = makeImage(stored.extent, channels, component);
  const std::size_t size = componentBytes(component), texels = std::size_t{stored.extent.width} * stored.extent.height;
  for (std::size_t i = 0; i < texels * channels; ++i) {
    const std::size_t texel = i / channels;
    const auto channel = static_cast<std::uint32_t>(i % channels);
    if (component == kByte) {
      out.bytes[i] = std::byte{reader.byte(texel, channel)};
      continue;
    }
    const double value = channels == 1 ? reader.grey(texel) : reader.value(texel, channel);
    const std::uint32_t bits =
        component == Component::kF16 ? halfFromDouble(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (!std::isfinite(valueOf(component, bits)))
      return Error{Outcome::kBadInput,
                   fmt::format("texel ({}, {}) holds {}, which is no finite {}", texel % stored.extent.width, texel / stored.extent.width,
                               value, component == Component::kF16 ? "half float" : "float"),
                   "", ""};
    std::memcpy(out.bytes.data() + i * size, &bits, size);
  }
  return out;
}

std::vector<std::string> conversionNotes(const Picture& picture, std::uint32_t channels, Component component) {
  const Image& stored = picture.stored;
  const bool grey = stored.channels < 3;
  std::vector<std::string> notes;
  if (component == kByte) {
    if (stored.component != kByte) notes.push_back(valuesName(stored.component) + " rounded to 8 bits");
    if (grey) notes.push_back("grey copied to three channels");
    if (!channelFor(stored, 3)) notes.push_back("no alpha: 255");
    return notes;
  }
  const std::string kind = valuesName(component);
  if (channels == 1 && !grey) return {fmt::format("as {}: luma of 8 bits, divided by 255", kind)};
  if (!isFloat(stored.component)) notes.push_back(fmt::format("as {}: divided by {}", kind, stored.component == kByte ? 255 : 65535));
  if (stored.component == Component::kF32 && component == Component::kF16) notes.push_back("rounded to half floats");
  if (channels != 1 && grey) notes.push_back(fmt::format("as {}: grey copied to three channels", kind));
  if (channels != 1 && !channelFor(stored, 3)) notes.push_back(fmt::format("as {}: no alpha: 1", kind));
  return notes;
}

}  // namespace lanewise::golden
