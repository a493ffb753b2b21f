#include "tools/run/pictures.h"

#include "model/base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "golden/image/half.h"
#include "model/memory/texel_access.h"

namespace lanewise {
namespace {

using golden::Component;

bool isInteger(NumericFormat n) {
  return n == NumericFormat::kUint || n == NumericFormat::kSint;
}

// The greatest integer of a picture's component; 0 for floats.
double greatest(Component c) {
  return c == Component::kU8 ? 255.0 : c == Component::kU16 ? 65535.0 : c == Component::kU32 ? 4294967295.0 : 0.0;
}

// Whether the image keeps the picture's codes.
bool keepsCodes(const FormatInfo& f, Component c) {
  if (f.numeric != NumericFormat::kUnorm && f.numeric != NumericFormat::kSrgb) return false;
  return (f.componentBits == 8 && c == Component::kU8) || (f.componentBits == 16 && c == Component::kU16);
}

// One texel of the picture, as four components of the picture's type.
void readTexel(const golden::Image& p, std::size_t offset, std::uint64_t out[4]) {
  const std::size_t size = golden::componentBytes(p.component);
  const auto channel = [&](std::uint32_t i) { return golden::bitsAt(p, offset + i * size); };
  const bool grey = p.channels < 3;
  const std::uint64_t opaque = p.component == Component::kF32   ? std::bit_cast<std::uint32_t>(1.0f)
                               : p.component == Component::kF16 ? 0x3c00u
                                                                : static_cast<std::uint64_t>(greatest(p.component));
  for (std::uint32_t i = 0; i < 3; ++i) out[i] = channel(grey ? 0 : i);
  out[3] = p.channels == 2 ? channel(1) : p.channels >= 4 ? channel(3) : opaque;
}

struct Converter {
  const FormatInfo& format;
  Component from;
  bool codes;
  bool cut = false;

  // A component in the form that the texel's encoder takes.
  std::uint64_t operator()(std::uint64_t bits) {
    const double value = golden::valueOf(from, bits);
    if (isInteger(format.numeric)) {
      const int width = std::max<int>({format.layout.bits[0], format.layout.bits[1], format.layout.bits[2]});
      const bool isSigned = format.numeric == NumericFormat::kSint;
      const double most = std::ldexp(1.0, isSigned ? width - 1 : width) - 1, least = isSigned ? -most - 1 : 0;
      const double rounded = std::isnan(value) ? 0 : std::nearbyint(value);
      if (rounded < least || rounded > most || std::isnan(value)) cut = true;
      return rounded < least   ? static_cast<std::uint64_t>(static_cast<std::int64_t>(least))
             : rounded >= most ? (width == 64 ? (isSigned ? ~std::uint64_t{0} >> 1 : ~std::uint64_t{0}) : static_cast<std::uint64_t>(most))
             : rounded < 0     ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded))
                               : static_cast<std::uint64_t>(rounded);
    }
    const double scale = greatest(from);
    return std::bit_cast<std::uint32_t>(static_cast<float>(scale != 0 ? value / scale : value));
  }
};

// Writes the codes themselves into the texel.
void storeCodes(const FormatInfo& f, const std::uint64_t code[4], std::byte* texel) {
  std::uint64_t words[2] = {0, 0};
  for (std::size_t i = 0; i < 4; ++i)
    if (f.layout.bits[i] != 0) words[f.layout.shift[i] / 64] |= code[i] << (f.layout.shift[i] % 64);
  std::memcpy(texel, words, f.texelBytes);
}

std::uint64_t codeAt(const FormatInfo& f, const std::byte* texel, std::size_t i) {
  std::uint64_t words[2] = {0, 0};
  std::memcpy(words, texel, f.texelBytes);
  const std::uint64_t mask = f.layout.bits[i] >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.layout.bits[i]) - 1;
  return words[f.layout.shift[i] / 64] >> (f.layout.shift[i] % 64) & mask;
}

// The type of components of a picture made from this image.
Component pictureComponent(const FormatInfo& f, bool floats) {
  const int width = f.componentBits;
  if (f.numeric == NumericFormat::kUint && width <= 32)
    return floats || width > 16 ? (floats && width <= 16 ? Component::kF32 : Component::kU32)
           : width == 8         ? Component::kU8
                                : Component::kU16;
  if (!floats && (f.numeric == NumericFormat::kUnorm || f.numeric == NumericFormat::kSrgb)) {
    if (width == 8) return Component::kU8;
    if (width == 16) return Component::kU16;
  }
  return f.numeric == NumericFormat::kSfloat && width == 16 ? Component::kF16 : Component::kF32;
}

}  // namespace

bool isPictureFile(const std::string& file) {
  const std::string ending = endingOf(file);
  for (const char* known : {".png", ".exr", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".tga", ".hdr", ".pnm", ".ppm", ".pgm", ".webp", ".dds"})
    if (ending == known) return true;
  return false;
}

Format formatOfPicture(const golden::Image& picture, bool integers) {
  const Component c = picture.component;
  if (integers)
    return c == Component::kU8 ? Format::R8G8B8A8_UINT : c == Component::kU16 ? Format::R16G16B16A16_UINT : Format::R32G32B32A32_UINT;
  if (c == Component::kU8) return Format::R8G8B8A8_UNORM;
  if (c == Component::kU16) return Format::R16G16B16A16_UNORM;
  return c == Component::kF16 ? Format::R16G16B16A16_SFLOAT : Format::R32G32B32A32_SFLOAT;
}

Status pictureToImage(const golden::Image& picture, ImageData& image, std::vector<std::string>& notes) {
  const FormatInfo& format = *formatInfo(image.format);
  if (picture.extent.width != image.extent.x || picture.extent.height != image.extent.y)
    return Error{Outcome::kBadInput,
                 fmt::format("the picture has {}x{} texels, the image {}x{}", picture.extent.width, picture.extent.height, image.extent.x,
                             image.extent.y),
                 "", ""};
  Converter convert{format, picture.component, keepsCodes(format, picture.component)};
  for (std::uint32_t level = 0; level < std::min(picture.levels, image.levels); ++level) {
    std::byte* to = image.bytes.data() + image.levelOffset(level);
    const std::size_t texels = picture.levelBytes(level) / picture.texelBytes();
    for (std::size_t i = 0; i < texels; ++i, to += format.texelBytes) {
      std::uint64_t component[4];
      readTexel(picture, picture.levelOffset(level) + i * picture.texelBytes(), component);
      if (convert.codes) {
        storeCodes(format, component, to);
        continue;
      }
      for (std::uint64_t& c : component) c = convert(c);
      encodeTexel(format, TexelRules{}, component, to);
    }
  }
  if (convert.cut) notes.push_back(fmt::format("values outside the range of {} were clamped", format.name));
  if (picture.levels > image.levels) notes.push_back(fmt::format("only the first of {} levels of the picture", picture.levels));
  return std::nullopt;
}

Expected<golden::Image> imageToPicture(const ImageData& image, bool floats) {
  const FormatInfo& format = *formatInfo(image.format);
  if (image.extent.z > 1 || image.layers > 1)
    return Error{Outcome::kBadInput, fmt::format("an image of {} layers and {} slices is no picture", image.layers, image.extent.z), "",
                 "write it as .bin, .txt or .json"};
  const Component component = pictureComponent(format, floats);
  golden::Image out = golden::makeImage({image.extent.x, image.extent.y}, format.components, component, image.levels);
  const std::size_t size = golden::componentBytes(component);
  const bool codes = keepsCodes(format, component);
  std::byte* to = out.bytes.data();
  for (std::size_t at = 0; at + format.texelBytes <= image.bytes.size(); at += format.texelBytes) {
    std::uint64_t value[4];
    decodeTexel(format, TexelRules{}, image.bytes.data() + at, value);
    for (std::size_t i = 0; i < format.components; ++i, to += size) {
      std::uint64_t bits = codes ? codeAt(format, image.bytes.data() + at, i) : value[i];
      if (component == Component::kF16) bits = codeAt(format, image.bytes.data() + at, i);
      if (component == Component::kF32 && isInteger(format.numeric))
        bits = std::bit_cast<std::uint32_t>(format.numeric == NumericFormat::kSint ? static_cast<float>(static_cast<std::int64_t>(value[i]))
                                                                                   : static_cast<float>(value[i]));
      std::memcpy(to, &bits, size);
    }
  }
  return out;
}

std::string texelText(const FormatInfo& format, const std::byte* texel, const TexelRules& rules) {
  std::uint64_t value[4];
  decodeTexel(format, rules, texel, value);
  std::string out;
  for (std::size_t i = 0; i < format.components; ++i) {
    if (i != 0) out += ' ';
    if (format.numeric == NumericFormat::kSint)
      out += fmt::format("{}", static_cast<std::int64_t>(value[i]));
    else if (format.numeric == NumericFormat::kUint)
      out += fmt::format("{}", value[i]);
    else
      out += fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value[i])));
  }
  return out;
}

}  // namespace lanewise
