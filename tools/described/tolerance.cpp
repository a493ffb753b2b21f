#include "tools/described/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
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

// The nearest value of the type.
std::uint64_t floatBits(Component component, double value) {
  if (component == Component::kF64) return std::bit_cast<std::uint64_t>(value);
  return component == Component::kF16 ? golden::halfFromDouble(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

// The place of the last value of the type that is not beyond `value + step`, seen from `value`.
std::uint64_t lastWithin(Component component, double value, double step) {
  const double sum = std::clamp(value + step, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  // What the rounded sum lacks, exactly (Knuth's TwoSum); nothing where the sum is cut off.
  const double part = sum - value, lacks = sum == value + step ? (value - (sum - part)) + (step - part) : 0;
  const std::uint64_t bits = floatBits(component, sum), at = golden::orderOf(component, bits);
  const double nearest = golden::valueOf(component, bits);
  if (step < 0) return nearest < sum || (nearest == sum && lacks > 0) ? at + 1 : at;
  return nearest > sum || (nearest == sum && lacks < 0) ? at - 1 : at;
}

// Of a NaN: any (golden::compareWithin).
Bits anyNan(Component component, std::uint64_t bits) {
  const std::uint64_t other = std::isnan(golden::valueOf(component, bits ^ 1)) ? bits ^ 1 : bits ^ 2;
  return {bits, other};
}

bool isExact(const Tolerance& t) {
  return t.ulp == 0 && t.absolute == 0 && t.relative == 0 && !t.rmse;
}

Bits floatRange(Component component, std::uint64_t bits, const Tolerance& t) {
  const double value = golden::valueOf(component, bits);
  if (std::isnan(value) && !isExact(t)) return anyNan(component, bits);
  if (!std::isfinite(value)) return {bits, bits};
  const double infinity = std::numeric_limits<double>::infinity();
  const std::uint64_t at = golden::orderOf(component, bits), least = golden::orderOf(component, floatBits(component, -infinity)),
                      greatest = golden::orderOf(component, floatBits(component, infinity));
  std::uint64_t low = at - std::min(at - least, t.ulp), high = at + std::min(greatest - at, t.ulp);
  if (const double most = std::max(t.absolute, t.relative * std::abs(value)); most > 0) {
    low = std::min(low, lastWithin(component, value, -most));
    high = std::max(high, lastWithin(component, value, most));
  }
  return {golden::bitsOfOrder(component, low), golden::bitsOfOrder(component, high)};
}

Bits integerRange(Component component, std::uint64_t bits, std::uint64_t greatest, const Tolerance& t) {
  const double most = std::floor(std::max(t.absolute, t.relative * std::abs(golden::valueOf(component, bits))));
  const std::uint64_t step = std::max(t.ulp, most >= 0x1p64 ? greatest : static_cast<std::uint64_t>(most));
  const std::uint64_t at = golden::orderOf(component, bits);
  return {golden::bitsOfOrder(component, at - std::min(at, step)), golden::bitsOfOrder(component, at + std::min(greatest - at, step))};
}

// Every value; NaN is none.
Bits everything(Component component, std::uint64_t greatest) {
  if (!golden::isFloat(component)) return {golden::bitsOfOrder(component, 0), golden::bitsOfOrder(component, greatest)};
  const double infinity = std::numeric_limits<double>::infinity();
  return {floatBits(component, -infinity), floatBits(component, infinity)};
}

const Tolerance* toleranceOf(std::uint32_t channel, const golden::Image& image, const std::vector<const Tolerance*>& all) {
  const Tolerance* found = nullptr;
  for (const Tolerance* t : all) {
    if (!t->channel)
      found = t;
    else if (channelNumber(*t->channel, image) == channel)
      return t;
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
    const bool isFloat = golden::isFloat(expected.component);
    const Bits range = free && !(isFloat && std::isnan(golden::valueOf(expected.component, bits)))
                           ? everything(expected.component, greatest)
                       : isFloat ? floatRange(expected.component, bits, *of[c])
                                 : integerRange(expected.component, bits, greatest, *of[c]);
    std::memcpy(out.low.bytes.data() + at, &range.low, size);
    std::memcpy(out.high.bytes.data() + at, &range.high, size);
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
    out += fmt::format("{}{}{} {}, because {}", out.empty() ? "" : "; ", t.output, t.channel ? " " + *t.channel : "",
                       allowed.empty() ? "exact" : allowed, t.reason);
  }
  return out;
}

}  // namespace lanewise
