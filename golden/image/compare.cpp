#include "golden/image/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "golden/image/half.h"

namespace lanewise::golden {
namespace {

constexpr std::uint64_t kMaxUnits = std::numeric_limits<std::uint64_t>::max();

std::uint64_t unitsBetween(Component component, std::uint64_t a, std::uint64_t b, bool zerosEqual) {
  if (a == b) return 0;
  if (isNan(component, a) || isNan(component, b)) return kMaxUnits;
  std::uint64_t from = orderOf(component, a), to = orderOf(component, b);
  if (zerosEqual && isFloat(component)) {  // -0 becomes +0, and values below it move up by one
    const std::uint64_t zero = orderOf(component, 0);
    from += from < zero ? 1 : 0;
    to += to < zero ? 1 : 0;
  }
  return from > to ? from - to : to - from;
}

// Whether a lies below b; neither is a NaN.
bool below(Component component, std::uint64_t a, std::uint64_t b) {
  return orderOf(component, a) < orderOf(component, b);
}

// Of integers exact before it is rounded: large ones are no doubles.
double distance(Component component, std::uint64_t a, std::uint64_t b) {
  if (isFloat(component)) return valueOf(component, a) - valueOf(component, b);
  return static_cast<double>(unitsBetween(component, a, b, false));
}

double peakOf(Component component) {
  if (isFloat(component)) return 1.0;
  return std::ldexp(1.0, static_cast<int>(8 * componentBytes(component))) - 1.0;
}

Status checkShapes(const Image& expected, const Image& got) {
  if (!expected.wellFormed() || !got.wellFormed()) return Error{Outcome::kBadInput, "an image whose bytes do not fit its shape", "", ""};
  if (expected.extent != got.extent || expected.channels != got.channels || expected.component != got.component ||
      expected.levels != got.levels) {
    return Error{Outcome::kBadInput, fmt::format("images of different shapes: expected {}, got {}", shapeText(expected), shapeText(got)),
                 "", ""};
  }
  return std::nullopt;
}

// Collects the differences, component by component.
class Collector {
 public:
  Collector(const Image& expected, const Image& got, const Contract& contract, Diff& diff)
      : expected_(expected), got_(got), contract_(contract), diff_(diff) {}

  void texel(std::uint32_t level, std::uint32_t x, std::uint32_t y, std::size_t at) {
    const std::size_t texelSize = expected_.texelBytes(), size = componentBytes(expected_.component);
    if (std::memcmp(expected_.bytes.data() + at, got_.bytes.data() + at, texelSize) == 0) {
      equal_ += expected_.channels;
      return;
    }
    const bool undefined = allPoison(at);
    diff_.undefinedTexels += undefined ? 1 : 0;
    for (std::uint32_t c = 0; c < expected_.channels; ++c) {
      TexelDiff one{level, x, y, c, bitsAt(expected_, at + c * size), bitsAt(got_, at + c * size), 0, undefined};
      one.units = unitsBetween(expected_.component, one.expectedBits, one.gotBits, contract_.zerosEqual);
      component(one);
    }
  }

  void finish() {
    diff_.component = expected_.component;
    diff_.histogram[0] += equal_;
    for (std::uint64_t count : diff_.histogram) diff_.components += count;
    const double mean = squares_ / static_cast<double>(diff_.components);
    const double peak = peakOf(expected_.component);
    diff_.psnr = mean == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(peak * peak / mean);
  }

 private:
  bool allPoison(std::size_t at) const {
    if (!contract_.poison) return false;
    const std::byte* bytes = got_.bytes.data() + at;
    return std::all_of(bytes, bytes + got_.texelBytes(), [&](std::byte b) { return b == *contract_.poison; });
  }

  void component(const TexelDiff& one) {
    if (one.units == 0) {
      ++equal_;
      return;
    }
    const double difference = distance(expected_.component, one.expectedBits, one.gotBits);
    squares_ += difference * difference;
    ++diff_.differing;
    ++diff_.histogram[static_cast<std::size_t>(std::bit_width(one.units))];
    diff_.maximum = std::max(diff_.maximum, one.units);
    if (one.units > contract_.tolerance) {
      ++diff_.beyond;
      if (!diff_.first) diff_.first = one;
    }
    if (diff_.worst.size() == Diff::kWorst && diff_.worst.back().units >= one.units) return;
    const auto place =
        std::find_if(diff_.worst.begin(), diff_.worst.end(), [&](const TexelDiff& other) { return other.units < one.units; });
    diff_.worst.insert(place, one);
    if (diff_.worst.size() > Diff::kWorst) diff_.worst.pop_back();
  }

  const Image& expected_;
  const Image& got_;
  const Contract& contract_;
  Diff& diff_;
  std::uint64_t equal_ = 0;
  double squares_ = 0;
};

}  // namespace

Expected<Diff> compareImages(const Image& expected, const Image& got, const Contract& contract) {
  if (Status bad = checkShapes(expected, got)) return *bad;
  if (contract.tolerance != 0 && contract.proof.empty())
    return Error{Outcome::kBadInput, "a tolerance without the proof of a bound", contract.name, ""};
  Diff diff;
  Collector collector(expected, got, contract, diff);
  std::size_t at = 0;
  for (std::uint32_t level = 0; level < expected.levels; ++level) {
    const Extent size = expected.size(level);
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x, at += expected.texelBytes()) collector.texel(level, x, y, at);
  }
  collector.finish();
  return diff;
}

Expected<Diff> compareWithin(const Bounds& bounds, const Image& got, const Contract& contract) {
  if (Status bad = checkShapes(bounds.low, got)) return *bad;
  if (Status bad = checkShapes(bounds.high, got)) return *bad;
  const Component component = got.component;
  const std::size_t size = componentBytes(component);
  Image nearest = got;
  for (std::size_t at = 0; at < got.bytes.size(); at += size) {
    const std::uint64_t low = bitsAt(bounds.low, at), high = bitsAt(bounds.high, at), value = bitsAt(got, at);
    if (isNan(component, low) && isNan(component, high)) {
      const bool right = low == high ? value == low : isNan(component, value);
      if (!right) std::memcpy(nearest.bytes.data() + at, &low, size);
      continue;
    }
    if (isNan(component, low) || isNan(component, high) || below(component, high, low))
      return Error{Outcome::kBadInput, "bounds without a value between them", contract.name, ""};
    if (!isNan(component, value) && !below(component, value, low) && !below(component, high, value)) continue;
    const std::uint64_t inside = !isNan(component, value) && below(component, high, value) ? high : low;
    std::memcpy(nearest.bytes.data() + at, &inside, size);
  }
  Expected<Diff> diff = compareImages(nearest, got, contract);
  if (!diff) return diff;
  const auto range = [&](TexelDiff& t) {
    const std::size_t at = got.offset(t.level, t.x, t.y, t.channel);
    t.leastBits = bitsAt(bounds.low, at);
    t.greatestBits = bitsAt(bounds.high, at);
  };
  if (diff->first) range(*diff->first);
  std::ranges::for_each(diff->worst, range);
  return diff;
}

double rootMeanSquare(const Image& expected, const Image& got, std::optional<std::uint32_t> channel) {
  const std::size_t size = componentBytes(expected.component);
  double squares = 0, count = 0;
  for (std::size_t at = 0, c = 0; at + size <= expected.bytes.size(); at += size, c = c + 1 == expected.channels ? 0 : c + 1) {
    if (channel && c != *channel) continue;
    const std::uint64_t right = bitsAt(expected, at), value = bitsAt(got, at);
    const double difference = distance(expected.component, right, value);
    const bool bothNan = isNan(expected.component, right) && isNan(expected.component, value);
    if (!std::isfinite(difference) && right != value && !bothNan) return std::numeric_limits<double>::infinity();
    squares += std::isfinite(difference) ? difference * difference : 0;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(squares / count);
}

std::string histogramText(const Diff& diff) {
  std::string text = fmt::format("equal {}", diff.histogram[0]);
  for (std::size_t i = 1; i < Diff::kBuckets; ++i) {
    if (diff.histogram[i] == 0) continue;
    const std::uint64_t low = std::uint64_t{1} << (i - 1), high = low + (low - 1);
    text += low == high ? fmt::format(", {}: {}", low, diff.histogram[i]) : fmt::format(", {}-{}: {}", low, high, diff.histogram[i]);
  }
  return text;
}

Expected<DifferenceImage> differenceImage(const Image& expected, const Image& got, std::uint32_t level, std::uint64_t factor) {
  if (Status bad = checkShapes(expected, got)) return *bad;
  if (level >= expected.levels || expected.channels > 4)
    return Error{Outcome::kBadInput, "no such level, or too many channels for a picture", "", ""};
  const std::size_t size = componentBytes(expected.component), begin = expected.levelOffset(level);
  std::vector<std::uint64_t> units(expected.levelBytes(level) / size);
  for (std::size_t i = 0; i < units.size(); ++i)
    units[i] = unitsBetween(expected.component, bitsAt(expected, begin + i * size), bitsAt(got, begin + i * size), false);
  DifferenceImage result;
  const std::uint64_t greatest = *std::max_element(units.begin(), units.end());
  result.factor = factor != 0 ? factor : std::max<std::uint64_t>(1, greatest == 0 ? 1 : 255 / greatest);
  result.picture = makeImage(expected.size(level), expected.channels, Component::kU8);
  result.picture.blueFirst = expected.blueFirst;
  const std::uint32_t channels = expected.channels;
  const bool hasAlpha = channels == 2 || channels == 4;
  const auto shown = [&](std::uint64_t u) { return static_cast<unsigned>(u > 255 / result.factor ? 255 : u * result.factor); };
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::size_t texel = i / channels * channels;
    unsigned value = shown(units[i]);
    if (hasAlpha) value = i % channels == channels - 1 ? 255 : std::min(255u, value + shown(units[texel + channels - 1]));
    result.picture.bytes[i] = static_cast<std::byte>(value);
  }
  return result;
}

}  // namespace lanewise::golden
