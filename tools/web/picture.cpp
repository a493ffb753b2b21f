#include "tools/web/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/memory/texel_access.h"
#include "model/state/variables.h"

namespace lanewise::web {
namespace {

double valueOf(const FormatInfo& format, std::uint64_t bits, bool isAlpha) {
  switch (format.numeric) {
    case NumericFormat::kUint:
      return static_cast<double>(bits);
    case NumericFormat::kSint:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case NumericFormat::kSrgb: {
      const double v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return isAlpha ? v : v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    }
    default:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
}

struct Range {
  double low = 0, high = 1;
};

Range usualRange(const FormatInfo& format, const std::vector<double>& values) {
  const bool isSigned = format.numeric == NumericFormat::kSint, isInteger = isSigned || format.numeric == NumericFormat::kUint;
  if (format.numeric == NumericFormat::kUnorm || format.numeric == NumericFormat::kSrgb) return {0, 1};
  if (format.numeric == NumericFormat::kSnorm) return {-1, 1};
  if (isInteger && format.componentBits == 8) return isSigned ? Range{-128, 127} : Range{0, 255};
  Range r{INFINITY, -INFINITY};
  for (const double v : values)
    if (std::isfinite(v)) r = {std::min(r.low, v), std::max(r.high, v)};
  if (r.low > r.high || (!isInteger && r.low >= 0 && r.high <= 1)) return {0, 1};
  return r.low == r.high ? Range{r.low, r.low + 1} : r;
}

// Which components make red, green and blue; -1: none.
std::array<int, 3> shownOf(const FormatInfo& format, std::optional<std::uint32_t> grey) {
  if (grey) return {static_cast<int>(*grey), static_cast<int>(*grey), static_cast<int>(*grey)};
  if (format.components == 1) return {0, 0, 0};
  return {0, 1, format.components > 2 ? 2 : -1};
}

Error bad(std::string what) {
  return {Outcome::kBadInput, std::move(what), "", ""};
}

}  // namespace

Expected<Painted> paint(const Resource& resource, const View& v, const TexelRules& rules) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (!image) return bad(fmt::format("'{}' is no image", resource.name));
  const FormatInfo& format = *formatInfo(image->format);
  if (v.grey.value_or(0) > 3) return bad("a texel has four components");
  const std::array<int, 3> shown = shownOf(format, v.grey);
  if (v.level >= image->levels) return bad(fmt::format("there is no level {}", v.level));
  const Extent3 e = image->levelExtent(v.level);
  const std::uint32_t slices = image->dimensions == 3 ? e.z : image->layers * image->samples;
  if (v.slice >= slices || v.x >= e.x || v.y >= e.y || v.step == 0 || v.width == 0 || v.height == 0) return bad("no texel is there");
  const auto sampled = [&](std::uint32_t size, std::uint32_t most) { return (std::min(size, most) - 1) / v.step + 1; };
  Painted out;
  out.width = sampled(v.width, e.x - v.x);
  out.height = sampled(v.height, e.y - v.y);
  const std::uint64_t count = std::uint64_t{out.width} * out.height;
  if (count > kMostTexels) return bad(fmt::format("{} texels at once: at most {}", count, kMostTexels));

  const std::byte* const bytes = image->bytes.data() + image->levelOffset(v.level);
  std::vector<double> values;
  values.reserve(count * 3);
  out.bytes.assign(count * 4, '\xff');
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t x = v.x + i % out.width * v.step, y = v.y + i / out.width * v.step;
    const std::byte* const texel = bytes + ((std::uint64_t{v.slice} * e.y + y) * e.x + x) * format.texelBytes;
    if (resource.undefined && isPoison({texel, format.texelBytes})) {
      out.bytes[i * 4 + 3] = 0;
      values.insert(values.end(), 3, NAN);
      continue;
    }
    std::uint64_t parts[4];
    decodeTexel(format, rules, texel, parts);
    for (const int c : shown) values.push_back(c < 0 ? NAN : valueOf(format, parts[c], c == 3));
  }
  const Range usual = usualRange(format, values);
  out.low = v.low.value_or(usual.low);
  out.high = v.high.value_or(usual.high);
  const double scale = out.high == out.low ? 0 : 255 / (out.high - out.low);
  for (std::uint64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double value = values[i * 3 + k];
      const bool isPoisoned = out.bytes[i * 4 + 3] == 0, isNan = std::isnan(value) && shown[k] >= 0 && !isPoisoned;
      const double level = isNan ? (k == 1 ? 0 : 255) : std::isnan(value) ? 0 : std::clamp((value - out.low) * scale, 0.0, 255.0);
      out.bytes[i * 4 + k] = static_cast<char>(static_cast<unsigned char>(std::lround(level)));
    }
  return out;
}

}  // namespace lanewise::web
