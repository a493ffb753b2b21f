// Whether an EXPECT holds. See run_script.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/amber/run_script.h"

namespace lanewise::amber {
namespace {

constexpr double kTexelTolerance = 0.002 * 255;  // the colours are codes; Amber allows 0.002 of their values

const char* nameOf(Comparator c) {
  constexpr const char* kNames[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  return kNames[static_cast<std::size_t>(c)];
}

bool within(double got, double expected, const Allowed& allowed) {
  const double limit = allowed.percent ? std::abs(expected) * allowed.value / 100 : allowed.value;
  return std::abs(got - expected) <= limit;  // false for a NaN
}

// Three numbers of the type of a field, as its order has them. 64-bit integers are exact.
std::partial_ordering compareAs(const Field& f, std::uint64_t a, std::uint64_t b) {
  if (f.kind == NumberKind::kFloat) return numberOf(f, a) <=> numberOf(f, b);
  if (f.kind != NumberKind::kSint && f.kind != NumberKind::kSnorm) return a <=> b;
  const auto extended = [&](std::uint64_t v) { return static_cast<std::int64_t>(v << (64 - f.bits)) >> (64 - f.bits); };
  return extended(a) <=> extended(b);
}

bool holds(const ExpectValues& e, std::size_t i, std::uint64_t got) {
  const Field& f = e.fields[i];
  if (!e.tolerances.empty()) {
    const std::size_t component = e.tolerances.size() == 1 ? 0 : f.component;
    const Allowed allowed = component < e.tolerances.size() ? e.tolerances[component] : Allowed{};
    if (within(numberOf(f, got), numberOf(f, e.bits[i]), allowed)) return true;
  }
  const std::partial_ordering order = compareAs(f, got, e.bits[i]);
  const bool bothNan = f.kind == NumberKind::kFloat && std::isnan(numberOf(f, got)) && std::isnan(numberOf(f, e.bits[i]));
  switch (e.comparator) {
    case Comparator::kEqual:
      return order == 0 || bothNan;
    case Comparator::kNotEqual:
      return order != 0 && !bothNan;
    case Comparator::kLess:
      return order < 0;
    case Comparator::kLessOrEqual:
      return order <= 0;
    case Comparator::kGreater:
      return order > 0;
    case Comparator::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

// The first wrong byte of a buffer.
Unmet unmetAt(const Buffer& b, std::span<const std::byte> bytes, std::uint64_t byte, std::string text) {
  return {std::move(text), fmt::format("{} {}", b.name, placeIn(resourceOf(b, {bytes.begin(), bytes.end()}), byte))};
}

Unmet check(const Script& script, const ExpectValues& e, std::span<const std::vector<std::byte>> bytes) {
  for (std::size_t i = 0; i < e.fields.size(); ++i) {
    const std::uint64_t got = readField(e.fields[i], bytes[e.buffer].data());
    if (holds(e, i, got)) continue;
    const std::string limit = e.tolerances.empty() ? "" : " within the tolerance";
    return unmetAt(script.buffers[e.buffer], bytes[e.buffer], e.fields[i].offset,
                   fmt::format("'{}' at byte {}: {} {}{} is expected, it is {}", script.buffers[e.buffer].name, e.fields[i].offset,
                               nameOf(e.comparator), numberText(e.fields[i], e.bits[i]), limit, numberText(e.fields[i], got)));
  }
  return {};
}

// From 0 to 255, as an expectation writes it; of an integer format the integer.
double colourOf(const Field& f, const std::byte* texel) {
  const std::uint64_t bits = readField(f, texel);
  const bool isInteger = f.kind == NumberKind::kUint || f.kind == NumberKind::kSint;
  return isInteger ? numberOf(f, bits) : valueOf(f, bits) * 255;
}

Unmet check(const Script& script, const ExpectTexels& e, std::span<const std::vector<std::byte>> bytes) {
  const Buffer& b = script.buffers[e.buffer];
  const std::uint64_t width = b.isImage ? b.extent.x : b.elements(), height = b.isImage ? b.extent.y : 1;
  if (std::uint64_t{e.x} + e.width > width || std::uint64_t{e.y} + e.height > height || bytes[e.buffer].empty())
    return {fmt::format("'{}' has {}x{} texels", b.name, width, height), ""};
  std::uint64_t wrong = 0;
  Unmet first;
  for (std::uint64_t y = e.y; y < std::uint64_t{e.y} + e.height; ++y)
    for (std::uint64_t x = e.x; x < std::uint64_t{e.x} + e.width; ++x) {
      const std::byte* texel = bytes[e.buffer].data() + (y * width + x) * b.layout.stride * (b.isImage ? b.samples : 1);
      std::array<double, 4> got{};
      bool right = true;
      for (const Field& f : b.layout.components()) {
        if (f.component >= e.colour.size()) continue;
        got[f.component] = colourOf(f, texel);
        const std::size_t t = e.tolerances.size() == 1 ? 0 : f.component;
        const Allowed allowed = t < e.tolerances.size() ? e.tolerances[t] : Allowed{kTexelTolerance};
        right = right && within(got[f.component], e.colour[f.component], allowed);
      }
      if (right) continue;
      if (wrong++ == 0)
        first = unmetAt(b, bytes[e.buffer], static_cast<std::uint64_t>(texel - bytes[e.buffer].data()),
                        fmt::format("'{}' at texel ({}, {}): {:g} is expected, it is {:g}", b.name, x, y, fmt::join(e.colour, " "),
                                    fmt::join(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(e.colour.size()), " ")));
    }
  if (wrong > 1) first.text += fmt::format("; {} texels differ", wrong);
  return first;
}

// The histogram of one component with 256 bins, of a component of 8 bits.
std::array<double, 256> histogram(const Field& f, const Buffer& b, const std::vector<std::byte>& bytes) {
  std::array<double, 256> out{};
  const std::uint64_t count = bytes.size() / b.layout.stride;
  for (std::uint64_t i = 0; i < count; ++i) out[readField(f, bytes.data() + i * b.layout.stride) & 0xff] += 1 / static_cast<double>(count);
  return out;
}

Unmet check(const Script& script, const ExpectBuffers& e, std::span<const std::vector<std::byte>> all) {
  const Buffer &a = script.buffers[e.first], &b = script.buffers[e.second];
  const std::vector<std::byte>&x = all[e.first], &y = all[e.second];
  if (x.size() != y.size()) return {fmt::format("'{}' has {} bytes, '{}' {}", a.name, x.size(), b.name, y.size()), ""};
  const std::uint64_t elements = x.size() / a.layout.stride;
  double sum = 0, most = 0;
  if (e.measure == Measure::kEarthMovers) {
    for (const Field& f : a.layout.components()) {
      if (f.bits != 8) return {fmt::format("EQ_HISTOGRAM_EMD_BUFFER compares components of 8 bits, '{}' has others", a.name), ""};
      const auto left = histogram(f, a, x), right = histogram(f, b, y);
      double carried = 0, moved = 0;
      for (std::size_t i = 0; i < left.size(); ++i) moved += std::abs(carried += left[i] - right[i]);
      most = std::max(most, moved / static_cast<double>(left.size()));
    }
    if (most <= e.most) return {};
    return {fmt::format("the histograms of '{}' and '{}' are {:g} apart, {:g} is allowed", a.name, b.name, most, e.most), ""};
  }
  for (std::uint64_t i = 0; i < elements; ++i)
    for (std::size_t k = 0; k < a.layout.components().size(); ++k) {
      Field f = a.layout.components()[k], g = b.layout.components()[k];
      f.offset += i * a.layout.stride;
      g.offset += i * b.layout.stride;
      const std::uint64_t p = readField(f, x.data()), q = readField(g, y.data());
      const double difference = numberOf(f, p) - numberOf(g, q);
      sum += difference * difference;
      if (e.measure == Measure::kEqual && p != q)
        return unmetAt(
            a, x, f.offset,
            fmt::format("'{}' and '{}' differ at byte {}: {} and {}", a.name, b.name, f.offset, numberText(f, p), numberText(g, q)));
    }
  if (e.measure == Measure::kEqual) return {};
  const double rmse = std::sqrt(sum / static_cast<double>(elements * a.layout.components().size()));
  if (rmse <= e.most) return {};
  return {fmt::format("the RMSE of '{}' and '{}' is {:g}, {:g} is allowed", a.name, b.name, rmse, e.most), ""};
}

}  // namespace

Unmet checkExpectation(const Script& script, const Command& command, std::span<const std::vector<std::byte>> bytes) {
  return std::visit(
      [&](const auto& c) -> Unmet {
        if constexpr (requires { check(script, c, bytes); })
          return check(script, c, bytes);
        else
          return {};
      },
      command);
}

}  // namespace lanewise::amber
