// See sampler.h.
#include "model/contract/sampler.h"

#include <array>
#include <bit>
#include <charconv>

namespace lanewise {
namespace {

using namespace std::string_view_literals;

constexpr std::array kFilters = {"nearest"sv, "linear"sv};
constexpr std::array kModes = {"repeat"sv, "mirrored-repeat"sv, "clamp-to-edge"sv, "clamp-to-border"sv, "mirror-clamp-to-edge"sv};
constexpr std::array kCompares = {"never"sv, "less"sv, "equal"sv, "less-or-equal"sv, "greater"sv, "not-equal"sv, "greater-or-equal"sv,
                                  "always"sv};
constexpr std::array kReductions = {"weighted-average"sv, "min"sv, "max"sv};

// The enumerator whose name is `word`.
template <class E, std::size_t N>
bool pick(const std::array<std::string_view, N>& names, std::string_view word, E& out) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == word) {
      out = static_cast<E>(i);
      return true;
    }
  return false;
}

template <class T>
bool number(std::string_view word, T& out) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc{} && end == word.data() + word.size();
}

bool border(std::string_view text, bool integer, SamplerState& s) {
  s.integerBorder = integer;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t slash = text.find('/');
    if ((slash == text.npos) != (i == 3)) return false;
    const std::string_view part = text.substr(0, slash);
    text.remove_prefix(slash == text.npos ? text.size() : slash + 1);
    float real = 0;
    std::int64_t whole = 0;
    if (integer ? !number(part, whole) : !number(part, real)) return false;
    s.border[i] = integer ? static_cast<std::uint32_t>(whole) : std::bit_cast<std::uint32_t>(real);
  }
  return true;
}

bool plainWord(std::string_view word, SamplerState& s) {
  if (pick(kFilters, word, s.mag)) {
    s.min = s.mag;
  } else if (pick(kModes, word, s.u)) {
    s.v = s.w = s.u;
  } else if (word == "unnormalized") {
    s.unnormalized = true;
  } else {
    return false;
  }
  return true;
}

bool namedWord(std::string_view name, std::string_view value, SamplerState& s) {
  if (name == "mag") return pick(kFilters, value, s.mag);
  if (name == "min") return pick(kFilters, value, s.min);
  if (name == "mip") return pick(kFilters, value, s.mip);
  if (name == "u") return pick(kModes, value, s.u);
  if (name == "v") return pick(kModes, value, s.v);
  if (name == "w") return pick(kModes, value, s.w);
  if (name == "border") return border(value, false, s);
  if (name == "int-border") return border(value, true, s);
  if (name == "lod-bias") return number(value, s.lodBias);
  if (name == "min-lod") return number(value, s.minLod);
  if (name == "max-lod") return number(value, s.maxLod);
  if (name == "reduction") return pick(kReductions, value, s.reduction);
  s.compare = name == "compare";
  return s.compare && pick(kCompares, value, s.compareOp);
}

// The shortest text that reads back as the same number.
template <class T>
std::string numberText(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

Expected<SamplerState> samplerByText(std::string_view text) {
  SamplerState s;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(", "), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (equals == word.npos ? plainWord(word, s) : namedWord(word.substr(0, equals), word.substr(equals + 1), s)) continue;
    return Error{Outcome::kBadInput, "a sampler cannot be '" + std::string(word) + "'", "",
                 "write, for example, linear,repeat,mip=linear,border=0/0/0/1,compare=less"};
  }
  return s;
}

std::string samplerText(const SamplerState& s) {
  std::string out;
  const SamplerState plain;
  const auto add = [&out](std::string_view name, std::string_view value) {
    out += out.empty() ? "" : ",";
    out.append(name).append(value);
  };
  if (s.mag == s.min) {
    if (s.mag != plain.mag) add("", kFilters[static_cast<std::size_t>(s.mag)]);
  } else {
    add(s.mag == Filter::kLinear ? "mag=" : "min=", "linear");
  }
  if (s.mip != plain.mip) add("mip=", kFilters[static_cast<std::size_t>(s.mip)]);
  const AddressMode modes[] = {s.u, s.v, s.w};
  const bool one = s.u == s.v && s.u == s.w;
  for (std::size_t i = 0; i < (one ? 1 : 3); ++i)
    if (modes[i] != plain.u) add(one ? "" : i == 0 ? "u=" : i == 1 ? "v=" : "w=", kModes[static_cast<std::size_t>(modes[i])]);
  if (s.border != plain.border || s.integerBorder) {
    std::string colour;
    for (const std::uint32_t c : s.border) {
      if (!colour.empty()) colour += '/';
      colour += s.integerBorder ? numberText(static_cast<std::int32_t>(c)) : numberText(std::bit_cast<float>(c));
    }
    add(s.integerBorder ? "int-border=" : "border=", colour);
  }
  if (s.compare) add("compare=", kCompares[static_cast<std::size_t>(s.compareOp)]);
  if (s.unnormalized) add("", "unnormalized");
  if (s.lodBias != plain.lodBias) add("lod-bias=", numberText(s.lodBias));
  if (s.minLod != plain.minLod) add("min-lod=", numberText(s.minLod));
  if (s.maxLod != plain.maxLod) add("max-lod=", numberText(s.maxLod));
  if (s.reduction != plain.reduction) add("reduction=", kReductions[static_cast<std::size_t>(s.reduction)]);
  return out.empty() ? "nearest" : out;
}

}  // namespace lanewise
