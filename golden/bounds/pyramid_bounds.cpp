#include "golden/bounds/pyramid_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "golden/bounds/filter_bounds.h"
#include "golden/image/half.h"
#include "golden/oracles/levels.h"

namespace lanewise::golden {
namespace {

constexpr double kOwnRounding = 0x1p-45;
constexpr double kMaxMagnitude = 16384;

struct Interval {
  double low = 0, high = 0;
  double magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }
  void widen(double by) {
    low -= by;
    high += by;
  }
};

double decode(double s) {
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}
double encode(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

// The stored neighbour of a value, down or up.
float floatBeside(double value, bool up) {
  const float nearest = static_cast<float>(value);
  if (up) return nearest < value ? std::nextafter(nearest, INFINITY) : nearest;
  return nearest > value ? std::nextafter(nearest, -INFINITY) : nearest;
}

std::uint16_t halfBeside(double value, bool up) {
  const std::uint16_t nearest = halfFromDouble(value);
  const double back = halfToDouble(nearest);
  if (up ? back >= value : back <= value) return nearest;
  const bool negative = (nearest & 0x8000) != 0 && back != 0;
  if (back == 0) return static_cast<std::uint16_t>(up ? 0x0001 : 0x8001);
  return static_cast<std::uint16_t>(nearest + (negative == up ? -1 : 1));
}

class Chain {
 public:
  Chain(const PyramidFloatForm& form, const Image& base, std::uint32_t levels)
      : form_(form), component_(base.component), channels_(base.channels) {
    bounds_.low = bounds_.high = makeImage(base.extent, base.channels, base.component, levels);
    std::copy(base.bytes.begin(), base.bytes.end(), bounds_.low.bytes.begin());
    std::copy(base.bytes.begin(), base.bytes.end(), bounds_.high.bytes.begin());
  }

  // Levels first + 1 to first + count, from what is stored of level `first`.
  void dispatch(std::uint32_t first, std::uint32_t count, bool filtered) {
    std::vector<Interval> values = load(first);
    for (std::uint32_t l = first + 1; l <= first + count; ++l) values = nextLevel(l, values, filtered && l == first + 1);
  }

  Bounds take() { return std::move(bounds_); }

 private:
  double unit() const { return std::ldexp(1.0, -form_.bits); }
  bool srgb(std::uint32_t channel) const { return form_.encoding == Encoding::kSrgb && channel < 3; }
  static double leastNormal(int bits) { return bits <= 11 ? 0x1p-14 : 0x1p-126; }
  // A denormal of the image's format may have become 0.
  Interval flushed(Interval v) const {
    const double least = leastNormal(component_ == Component::kF16 ? 11 : 24);
    if (v.low > 0 && v.low < least) v.low = 0;
    if (v.high < 0 && v.high > -least) v.high = 0;
    return v;
  }

  double stored(const Image& image, std::size_t at, std::uint32_t channel) const {
    const std::uint64_t bits = bitsAt(image, at);
    const double value = valueOf(component_, bits);
    if (isFloat(component_)) return value;
    const double code = value / 255;
    return srgb(channel) ? decode(code) : code;
  }

  std::vector<Interval> load(std::uint32_t level) const {
    const std::size_t size = componentBytes(component_), begin = bounds_.low.levelOffset(level);
    std::vector<Interval> values(bounds_.low.levelBytes(level) / size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto channel = static_cast<std::uint32_t>(i % channels_);
      values[i] = flushed({stored(bounds_.low, begin + i * size, channel), stored(bounds_.high, begin + i * size, channel)});
      values[i].widen(2 * unit() * values[i].magnitude() + form_.loadError + kOwnRounding);
    }
    return values;
  }

  std::vector<Interval> nextLevel(std::uint32_t level, const std::vector<Interval>& from, bool filtered) {
    const Extent below = bounds_.low.size(level - 1), size = bounds_.low.size(level);
    std::vector<Interval> values(std::size_t{size.width} * size.height * channels_);
    std::size_t at = 0;
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x) {
        const Taps tx = pyramidTaps(form_.kernel, x, below.width), ty = pyramidTaps(form_.kernel, y, below.height);
        for (std::uint32_t c = 0; c < channels_; ++c, ++at) {
          values[at] = mean(windowOf(from, below.width, tx, ty, channels_, c), tx, ty);
          if (filtered) {
            const Taps wx = reached(tx, below.width), wy = reached(ty, below.height);
            values[at].widen(filterError(windowOf(from, below.width, wx, wy, channels_, c), below, tx, ty));
          }
          store(level, at, c, values[at]);
        }
      }
    return values;
  }

  // The texels under one texel of the next level, row after row; their range, and their greatest magnitude.
  struct Texels {
    Interval value[16];
    Interval range;
    double greatest = 0;
  };
  static Texels windowOf(const std::vector<Interval>& from, std::uint32_t width, const Taps& tx, const Taps& ty, std::uint32_t channels,
                         std::uint32_t channel) {
    Texels all;
    std::size_t n = 0;
    for (std::uint32_t j = 0; j < ty.count; ++j)
      for (std::uint32_t i = 0; i < tx.count; ++i) {
        const Interval& v = from[(std::size_t{ty.first + j} * width + tx.first + i) * channels + channel];
        all.range = n == 0 ? v : Interval{std::min(all.range.low, v.low), std::max(all.range.high, v.high)};
        all.greatest = std::max(all.greatest, v.magnitude());
        all.value[n++] = v;
      }
    return all;
  }

  // What a filter may read whose place is off: between two texels it moves on to the next pair.
  Taps reached(Taps taps, std::uint32_t size) const {
    if (form_.kernel != PyramidKernel::kFilter || size % 2 == 0 || size == 1) return taps;
    const std::uint32_t first = taps.first == 0 ? 0 : taps.first - 1, end = std::min(size, taps.first + taps.count + 1);
    taps.first = first;
    taps.count = end - first;
    return taps;
  }

  Interval mean(const Texels& texels, const Taps& tx, const Taps& ty) const {
    Interval sum;
    for (std::uint32_t j = 0; j < ty.count; ++j)
      for (std::uint32_t i = 0; i < tx.count; ++i) {
        const Interval& v = texels.value[j * tx.count + i];
        const double weight = static_cast<double>(tx.weight[i] * ty.weight[j]) / static_cast<double>(tx.sum * ty.sum);
        sum.low += weight * v.low;
        sum.high += weight * v.high;
      }
    const auto axis = [](const Taps& t) { return t.count == 1 ? 0.0 : t.count == 2 ? 2.0 : 18.0; };
    const double arithmetic = (axis(tx) + axis(ty)) * unit() * (1 + 64 * unit()), waiting = std::ldexp(2.0, -form_.sharedBits);
    sum.widen(texels.greatest * (arithmetic + waiting + kOwnRounding) + 10 * leastNormal(form_.bits) + leastNormal(form_.sharedBits));
    return sum;
  }

  double filterError(const Texels& texels, Extent below, const Taps& tx, const Taps& ty) const {
    const double differ = texels.range.high - texels.range.low, full = form_.filteredTexels == Component::kU8 ? 1 : texels.greatest;
    double error = 0;
    for (const auto& [taps, size] : {std::pair{&tx, below.width}, std::pair{&ty, below.height}})
      if (taps->count > 1) error += filterWeightError(size) * differ + filterStageError(form_.filteredTexels) * full;
    return error;
  }

  // Stores the interval's ends; with packed memory the value may go on as the code it was rounded to.
  void store(std::uint32_t level, std::size_t index, std::uint32_t channel, Interval& value) {
    const std::size_t size = componentBytes(component_), at = bounds_.low.levelOffset(level) + index * size;
    const auto put = [&](Image& image, std::uint64_t bits) { std::memcpy(image.bytes.data() + at, &bits, size); };
    const Interval kept = flushed(value);
    if (component_ == Component::kF32) {
      put(bounds_.low, std::bit_cast<std::uint32_t>(floatBeside(kept.low, false)));
      put(bounds_.high, std::bit_cast<std::uint32_t>(floatBeside(kept.high, true)));
    } else if (component_ == Component::kF16) {
      put(bounds_.low, halfBeside(kept.low, false));
      put(bounds_.high, halfBeside(kept.high, true));
    } else {
      put(bounds_.low, code(value.low, channel, -1));
      put(bounds_.high, code(value.high, channel, 1));
    }
    if (!form_.packedShared) return;
    value.low = std::min(value.low, stored(bounds_.low, at, channel));
    value.high = std::max(value.high, stored(bounds_.high, at, channel));
  }

  std::uint64_t code(double value, std::uint32_t channel, double direction) const {
    const double light = std::clamp(value, 0.0, 1.0);
    const double exact = 255 * (srgb(channel) ? encode(light) : light);
    const double error = 768 * unit() + (srgb(channel) ? form_.encodeError : 0) + 256 * kOwnRounding;
    return static_cast<std::uint64_t>(std::clamp(std::floor(exact + direction * error + 0.5), 0.0, 255.0));
  }

  const PyramidFloatForm& form_;
  Component component_;
  std::uint32_t channels_;
  Bounds bounds_;
};

Status check(const PyramidFloatForm& form, const Image& base, std::uint64_t levels) {
  const auto bad = [&](std::string what) { return Error{Outcome::kBadInput, std::move(what), shapeText(base), ""}; };
  const bool floats = isFloat(base.component);
  if ((!floats && base.component != Component::kU8) || base.levels != 1 || base.channels > 4 || !base.wellFormed())
    return bad("a mean pyramid takes u8, f16 or f32 and one level");
  if (floats && (form.encoding == Encoding::kSrgb || form.packedShared)) return bad("floats are not sRGB codes");
  if (form.bits < 8 || form.bits > 24 || form.sharedBits < 8) return bad("a precision of 8 to 24 bits");
  const std::uint32_t side = std::max(base.extent.width, base.extent.height);
  if (side > 65535) return bad("a pyramid's side is at most 65535");
  if (form.kernel == PyramidKernel::kEnergy && side > (1u << form.bits)) return bad("sides beyond what the precision holds exactly");
  if (levels > levelCount(base.extent, LevelCount::kFull)) return bad(fmt::format("there is no pyramid of {} levels", levels));
  if (!floats) return std::nullopt;
  const std::size_t size = componentBytes(base.component);
  for (std::size_t at = 0; at < base.bytes.size(); at += size) {
    const std::uint64_t bits = bitsAt(base, at);
    const double value =
        size == 2 ? halfToDouble(static_cast<std::uint16_t>(bits)) : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    if (!(std::fabs(value) <= kMaxMagnitude))
      return bad(fmt::format("a value beyond {} at texel {}", kMaxMagnitude, at / base.texelBytes()));
  }
  return std::nullopt;
}

}  // namespace

Expected<Bounds> pyramidBounds(const PyramidFloatForm& form, const Image& base, std::span<const std::uint32_t> schedule) {
  std::uint64_t levels = 1;
  for (std::uint32_t count : schedule) levels += count;
  if (Status bad = check(form, base, levels)) return *bad;
  Chain chain(form, base, static_cast<std::uint32_t>(levels));
  std::uint32_t first = 0, number = 0;
  for (std::uint32_t count : schedule) {
    chain.dispatch(first, count, (form.filtered >> number++ & 1) != 0);
    first += count;
  }
  return chain.take();
}

}  // namespace lanewise::golden
