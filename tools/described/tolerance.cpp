#include "tools/described/tolerance.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "golden/image/half.h"

namespace lanewise {
namespace {

using golden::Component;

struct Bits {
  std::uint64_t low, high;
};

// Floats in the order of their values: -0 is -1, +0 is 0.
std::int64_t rankOf(std::uint64_t bits, std::uint64_t sign) {
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -1 - magnitude : magnitude;
}
std::uint64_t bitsOfRank(std::int64_t rank, std::uint64_t sign) {
  return rank < 0 ? sign | static_cast<std::uint64_t>(-1 - rank) : static_cast<std::uint64_t>(rank);
}

// The nearest value of the type.
std::uint64_t floatBits(Component component, double value) {
  return component == Component::kF16 ? golden::halfFromDouble(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

Bits floatRange(Component component, std::uint64_t bits, const Tolerance& t) {
  const double value = golden::valueOf(component, bits);
  if (!std::isfinite(value)) return {bits, bits};
  const std::uint64_t sign = component == Component::kF16 ? 0x8000 : 0x80000000;
  const std::int64_t infinity = component == Component::kF16 ? 0x7C00 : 0x7F800000;
  const std::int64_t rank = rankOf(bits, sign);
  const auto steps = static_cast<std::int64_t>(std::min<std::uint64_t>(t.ulp, static_cast<std::uint64_t>(infinity)));
  std::int64_t low = std::max(rank - steps, -1 - infinity), high = std::min(rank + steps, infinity);
  if (const double most = std::max(t.absolute, t.relative * std::abs(value)); most > 0) {
    // A value rounded to outside of the range is one step too far.
    std::int64_t least = rankOf(floatBits(component, value - most), sign), greatest = rankOf(floatBits(component, value + most), sign);
    if (golden::valueOf(component, bitsOfRank(least, sign)) < value - most) ++least;
    if (golden::valueOf(component, bitsOfRank(greatest, sign)) > value + most) --greatest;
    low = std::min(low, least);
    high = std::max(high, greatest);
  }
  return {bitsOfRank(low, sign), bitsOfRank(high, sign)};
}

Bits integerRange(std::uint64_t bits, std::uint64_t greatest, const Tolerance& t) {
  const double most = std::floor(std::max(t.absolute, t.relative * static_cast<double>(bits)));
  const std::uint64_t step = std::max(t.ulp, most >= 0x1p63 ? greatest : static_cast<std::uint64_t>(most));
  return {bits - std::min(bits, step), bits + std::min(greatest - bits, step)};
}

// Every value; NaN is none.
Bits everything(Component component, std::uint64_t greatest) {
  if (component == Component::kF16) return {0xFC00, 0x7C00};
  if (component == Component::kF32) return {0xFF800000, 0x7F800000};
  return {0, greatest};
}

const Tolerance* toleranceOf(std::uint32_t channel, const golden::Image& image, const std::vector<const Tolerance*>& all) {
  const Tolerance* found = nullptr;
  for (const Tolerance* t : all) {
    const std::optional<std::uint32_t> number = channelNumber(t->channel, image);
    if (number == channel) return t;
    if (t->channel == "all") found = t;
  }
  return found;
}

}  // namespace

std::optional<std::uint32_t> channelNumber(const std::string& channel, const golden::Image& image) {
  // One component is named after its format, R32_SFLOAT, whatever pictures call it.
  if (channel == "r" && image.channels == 1) return 0;
  const std::string_view letters = golden::channelLetters(image);
  if (channel.size() == 1 && letters.find(channel[0]) != std::string_view::npos)
    return static_cast<std::uint32_t>(letters.find(channel[0]));
  if (channel.size() == 1 && channel[0] >= '0' && channel[0] <= '9' && static_cast<std::uint32_t>(channel[0] - '0') < image.channels)
    return static_cast<std::uint32_t>(channel[0] - '0');
  return {};
}

golden::Bounds boundsOf(const golden::Image& expected, const std::vector<const Tolerance*>& tolerances) {
  golden::Bounds out{expected, expected, expected};
  const std::size_t size = golden::componentBytes(expected.component);
  const std::uint64_t greatest = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
  std::vector<const Tolerance*> of;
  for (std::uint32_t c = 0; c < expected.channels; ++c) of.push_back(toleranceOf(c, expected, tolerances));
  for (std::size_t at = 0, c = 0; at + size <= expected.bytes.size(); at += size, c = c + 1 == expected.channels ? 0 : c + 1) {
    if (of[c] == nullptr) continue;
    const std::uint64_t bits = golden::bitsAt(expected, at);
    const bool free = of[c]->rmse && !of[c]->values;
    const Bits range = free                                  ? everything(expected.component, greatest)
                       : golden::isFloat(expected.component) ? floatRange(expected.component, bits, *of[c])
                                                             : integerRange(bits, greatest, *of[c]);
    const bool nan = free && std::isnan(golden::valueOf(expected.component, bits));
    std::memcpy(out.low.bytes.data() + at, nan ? &bits : &range.low, size);
    std::memcpy(out.high.bytes.data() + at, nan ? &bits : &range.high, size);
  }
  return out;
}

std::string tolerancesText(const std::vector<Tolerance>& tolerances) {
  std::string out;
  for (const Tolerance& t : tolerances) {
    std::vector<std::string> limits;
    if (t.ulp != 0) limits.push_back(fmt::format("{} ULP", t.ulp));
    if (t.absolute != 0) limits.push_back(fmt::format("{} absolute", t.absolute));
    if (t.relative != 0) limits.push_back(fmt::format("{} relative", t.relative));
    std::string allowed = limits.empty() ? "" : fmt::format("at most {}", fmt::join(limits, " or "));
    if (t.rmse) allowed += fmt::format("{}a root mean square difference of at most {}", allowed.empty() ? "" : " and ", *t.rmse);
    out += fmt::format("{}{}{} {}, because {}", out.empty() ? "" : "; ", t.output, t.channel == "all" ? "" : " " + t.channel,
                       allowed.empty() ? "exact" : allowed, t.reason);
  }
  return out;
}

}  // namespace lanewise
