#include "golden/image/inputs.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "golden/image/half.h"
#include "golden/image/random.h"

namespace lanewise::golden {
namespace {

using Kind = InputSpec::Kind;

constexpr const char* kForms = "inputs are impulse:X,Y, constant:V, ramp, checkerboard[:N], noise:SEED, extremes[:SEED] and list:V,V,..";
constexpr std::uint64_t kMaxTexels = std::uint64_t{1} << 34;
constexpr double kMaxExact = 9007199254740992.0;  // 2^53: integers up to here are exact in a double

Error badName(std::string_view name, std::string what) {
  return Error{Outcome::kBadInput, std::move(what), fmt::format("input '{}'", name), kForms};
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The numbers between commas; empty if one is not a finite number.
std::optional<std::vector<double>> numbers(std::string_view text) {
  std::vector<double> values;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto value = number<double>(text.substr(0, comma));
    if (!value || !std::isfinite(*value)) return std::nullopt;
    values.push_back(*value);
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

Expected<InputSpec> parseImpulse(std::string_view name, std::string_view rest) {
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return badName(name, "an impulse has two coordinates");
  const auto x = number<std::uint32_t>(rest.substr(0, comma)), y = number<std::uint32_t>(rest.substr(comma + 1));
  if (!x || !y) return badName(name, "an impulse has two whole coordinates");
  return InputSpec{.kind = Kind::kImpulse, .x = *x, .y = *y, .values = {}};
}

Expected<InputSpec> parseValues(std::string_view name, std::string_view rest, Kind kind) {
  auto values = numbers(rest);
  if (!values) return badName(name, "the values are numbers separated by commas");
  return InputSpec{.kind = kind, .values = std::move(*values)};
}

// The values that a component type can have, and how they are made. All values are raw bits, zero-extended.
struct Scale {
  Component component;

  std::uint64_t greatest() const {
    switch (component) {
      case Component::kF16:
        return 0x3C00;  // 1
      case Component::kF32:
        return 0x3F800000;  // 1
      case Component::kF64:
        return 0x3FF0000000000000;  // 1
      default:
        return ~std::uint64_t{0} >> (64 - 8 * componentBytes(component));
    }
  }
  std::uint64_t fromFloat(double value) const {
    if (component == Component::kF16) return halfFromDouble(value);
    if (component == Component::kF64) return std::bit_cast<std::uint64_t>(value);
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  // numerator / denominator of the greatest value, rounded down (floats: to nearest).
  std::uint64_t fraction(std::uint64_t numerator, std::uint64_t denominator) const {
    if (isFloat(component)) return fromFloat(static_cast<double>(numerator) / static_cast<double>(denominator));
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(greatest()) * numerator / denominator);
  }
  // A value of `constant` or `list`; empty if the component cannot have it.
  std::optional<std::uint64_t> fromNumber(double value) const {
    if (isFloat(component)) {
      const std::uint64_t bits = fromFloat(value);
      return std::isfinite(valueOf(component, bits)) ? std::optional(bits) : std::nullopt;
    }
    if (value != std::floor(value) || std::abs(value) > kMaxExact) return std::nullopt;
    const auto integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    if (value >= 0) return integer <= greatest() ? std::optional(integer) : std::nullopt;
    const std::uint64_t bits = integer & greatest();
    return isSigned(component) && valueOf(component, bits) == value ? std::optional(bits) : std::nullopt;
  }
  std::uint64_t noise(std::uint64_t random) const {
    if (component == Component::kF16) return fromFloat(std::ldexp(static_cast<double>(random >> 53), -11));
    if (component == Component::kF32) return fromFloat(std::ldexp(static_cast<double>(random >> 40), -24));
    if (component == Component::kF64) return fromFloat(std::ldexp(static_cast<double>(random >> 11), -53));
    return random >> (64 - 8 * componentBytes(component));
  }
  std::uint64_t extreme(std::uint64_t random) const {
    if (!isFloat(component)) return (random >> 63) != 0 ? greatest() : 0;
    //                                       -1, -0, +0, least normal, below 1, 1, greatest finite
    constexpr std::uint32_t kHalf[] = {0xBC00, 0x8000, 0, 0x0400, 0x3BFF, 0x3C00, 0x7BFF};
    constexpr std::uint32_t kFloat[] = {0xBF800000, 0x80000000, 0, 0x00800000, 0x3F7FFFFF, 0x3F800000, 0x7F7FFFFF};
    constexpr std::uint64_t kDouble[] = {0xBFF0000000000000, 0x8000000000000000, 0, 0x0010000000000000, 0x3FEFFFFFFFFFFFFF,
                                         0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF};
    const std::size_t which = static_cast<std::size_t>(((random >> 32) * 7) >> 32);
    if (component == Component::kF64) return kDouble[which];
    return component == Component::kF16 ? kHalf[which] : kFloat[which];
  }
};

struct Place {
  std::uint32_t x, y, channel;
  std::uint64_t index;  // of the component in the image
};

// One component of a checked spec.
std::uint64_t componentOf(const InputSpec& spec, const Scale& scale, const Image& image, const Place& at,
                          const std::vector<std::uint64_t>& values) {
  const std::uint64_t w = image.extent.width, h = image.extent.height;
  switch (spec.kind) {
    case Kind::kImpulse:
      return at.x == spec.x && at.y == spec.y ? scale.greatest() : 0;
    case Kind::kConstant:
      return values[values.size() == 1 ? 0 : at.channel];
    case Kind::kRamp: {
      const std::uint64_t dx = std::max<std::uint64_t>(1, w - 1), dy = std::max<std::uint64_t>(1, h - 1);
      if (at.channel == 0) return scale.fraction(at.x, dx);
      if (at.channel == 1) return scale.fraction(at.y, dy);
      if (at.channel == 2) return scale.fraction(std::uint64_t{at.x} + at.y, std::max<std::uint64_t>(1, w + h - 2));
      return scale.fraction(dx - at.x, dx);
    }
    case Kind::kCheckerboard: {
      const bool odd = ((at.x / spec.field + at.y / spec.field) % 2 != 0) != (at.channel == 3);
      return odd ? 0 : scale.greatest();
    }
    case Kind::kNoise:
      return scale.noise(splitMix64(spec.seed, at.index));
    case Kind::kExtremes:
      return scale.extreme(splitMix64(spec.seed, at.index));
    case Kind::kList:
      return values[values.size() == w * h ? at.index / image.channels : at.index];
  }
  return 0;
}

// All of a picture of noise, of which nothing but the index decides a component: in a quarter of the time of componentOf.
template <class T>
void fillNoise(Image& image, const Scale& scale, std::uint64_t seed) {
  const auto fill = [&](const auto& valueOf) {
    std::byte* const out = image.bytes.data();
    const std::size_t count = image.bytes.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = static_cast<T>(valueOf(splitMix64(seed, i)));
      std::memcpy(out + i * sizeof(T), &bits, sizeof(T));
    }
  };
  if (isFloat(scale.component)) return fill([&](std::uint64_t random) { return scale.noise(random); });
  fill([](std::uint64_t random) { return random >> (64 - 8 * sizeof(T)); });
}

Status checkShape(const InputSpec& spec, Extent extent, std::uint32_t channels) {
  const std::string name = fmt::format("input '{}' at {}x{}", inputName(spec), extent.width, extent.height);
  const std::uint64_t texels = std::uint64_t{extent.width} * extent.height;
  if (texels == 0 || channels == 0) return Error{Outcome::kBadInput, "an input has at least one texel and one channel", name, ""};
  if (channels > 4 || texels > kMaxTexels / channels)
    return Error{Outcome::kBadInput, "an input has at most 4 channels and 2^34 components", name, ""};
  if (spec.kind == Kind::kImpulse && (spec.x >= extent.width || spec.y >= extent.height))
    return Error{Outcome::kBadInput, "the impulse lies outside the picture", name, ""};
  if (spec.kind == Kind::kConstant && spec.values.size() != 1 && spec.values.size() != channels)
    return Error{Outcome::kBadInput, fmt::format("a constant has 1 or {} values, not {}", channels, spec.values.size()), name, ""};
  if (spec.kind == Kind::kList && spec.values.size() != texels && spec.values.size() != texels * channels)
    return Error{Outcome::kBadInput,
                 channels == 1 ? fmt::format("a list for it has {} values, not {}", texels, spec.values.size())
                               : fmt::format("a list for it has {} or {} values, not {}", texels, texels * channels, spec.values.size()),
                 name, ""};
  if (spec.kind == Kind::kCheckerboard && spec.field == 0) return Error{Outcome::kBadInput, "the fields are at least 1 wide", name, ""};
  return std::nullopt;
}

}  // namespace

Expected<InputSpec> parseInput(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  const bool hasRest = colon != std::string_view::npos;
  const std::string_view rest = hasRest ? name.substr(colon + 1) : std::string_view();
  if (kind == "impulse") return parseImpulse(name, rest);
  if (kind == "constant") return parseValues(name, rest, Kind::kConstant);
  if (kind == "list") return parseValues(name, rest, Kind::kList);
  if (kind == "ramp") {
    if (hasRest) return badName(name, "a ramp takes nothing more");
    return InputSpec{.kind = Kind::kRamp, .values = {}};
  }
  if (kind == "checkerboard") {
    const auto field = hasRest ? number<std::uint32_t>(rest) : 1u;
    if (!field || *field == 0) return badName(name, "the width of the fields is a whole number from 1");
    return InputSpec{.kind = Kind::kCheckerboard, .field = *field, .values = {}};
  }
  if (kind == "noise" || kind == "extremes") {
    const auto seed = hasRest || kind == "noise" ? number<std::uint64_t>(rest) : std::uint64_t{0};
    if (!seed) return badName(name, "the seed is a whole number");
    return InputSpec{.kind = kind == "noise" ? Kind::kNoise : Kind::kExtremes, .seed = *seed, .values = {}};
  }
  return badName(name, "no such input");
}

std::string inputName(const InputSpec& spec) {
  switch (spec.kind) {
    case Kind::kImpulse:
      return fmt::format("impulse:{},{}", spec.x, spec.y);
    case Kind::kConstant:
      return fmt::format("constant:{}", fmt::join(spec.values, ","));
    case Kind::kRamp:
      return "ramp";
    case Kind::kCheckerboard:
      return spec.field == 1 ? "checkerboard" : fmt::format("checkerboard:{}", spec.field);
    case Kind::kNoise:
      return fmt::format("noise:{}", spec.seed);
    case Kind::kExtremes:
      return spec.seed == 0 ? "extremes" : fmt::format("extremes:{}", spec.seed);
    case Kind::kList:
      return fmt::format("list:{}", fmt::join(spec.values, ","));
  }
  return "";
}

Expected<Image> makeInput(const InputSpec& spec, Extent extent, std::uint32_t channels, Component component) {
  if (Status bad = checkShape(spec, extent, channels)) return *bad;
  const Scale scale{component};
  std::vector<std::uint64_t> values;
  for (double value : spec.values) {
    const auto bits = scale.fromNumber(value);
    if (!bits) {
      return Error{Outcome::kBadInput, fmt::format("{} does not fit a component of {}", value, componentName(component)), inputName(spec),
                   ""};
    }
    values.push_back(*bits);
  }
  Image image = makeImage(extent, channels, component);
  const std::size_t size = componentBytes(component);
  if (spec.kind == Kind::kNoise && size <= 4) {
    size == 1   ? fillNoise<std::uint8_t>(image, scale, spec.seed)
    : size == 2 ? fillNoise<std::uint16_t>(image, scale, spec.seed)
                : fillNoise<std::uint32_t>(image, scale, spec.seed);
    return image;
  }
  std::uint64_t index = 0;
  for (std::uint32_t y = 0; y < extent.height; ++y)
    for (std::uint32_t x = 0; x < extent.width; ++x)
      for (std::uint32_t c = 0; c < channels; ++c, ++index) {
        const std::uint64_t bits = componentOf(spec, scale, image, {x, y, c, index}, values);
        std::memcpy(image.bytes.data() + index * size, &bits, size);
      }
  return image;
}

Expected<Image> makeInput(std::string_view name, Extent extent, std::uint32_t channels, Component component) {
  const Expected<InputSpec> spec = parseInput(name);
  if (!spec) return spec.error();
  return makeInput(*spec, extent, channels, component);
}

std::vector<InputSpec> impulsesEverywhere(Extent extent) {
  std::vector<InputSpec> all;
  for (std::uint32_t y = 0; y < extent.height; ++y)
    for (std::uint32_t x = 0; x < extent.width; ++x) all.push_back({.kind = Kind::kImpulse, .x = x, .y = y, .values = {}});
  return all;
}

}  // namespace lanewise::golden
