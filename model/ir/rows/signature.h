// The types that an operation takes and gives, written as a line of text that reads like its row: "f(f f)", "bool(u u)", "F(f)".
//
// A letter stands for a type of every width, the same width wherever it occurs: u and s integers read as unsigned and signed (8, 16, 32,
// 64 bits), f floats (16, 32, 64), h floats of 16 and 32 bits. U, S and F range over their widths on their own, for conversions. Types by
// name are themselves: bool, u8 .. u64, s8 .. s64, f16, f32, f64. Alternatives stand with | between them. A line that stands for no types
// does not compile: rows are read at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/scalar/type.h"

namespace lanewise::ir {

// A scalar type as an operation reads it.
struct OperandType {
  Scalar scalar = Scalar::kNone;
  bool isSigned = false;
  friend constexpr bool operator==(const OperandType&, const OperandType&) = default;
};

struct Signature {
  OperandType result;
  std::array<OperandType, 4> arguments{};
  std::uint8_t count = 0;  // of arguments
  friend constexpr bool operator==(const Signature&, const Signature&) = default;
};

struct Signatures {
  std::array<Signature, 24> all{};
  std::size_t count = 0;
  constexpr const Signature* begin() const { return all.data(); }
  constexpr const Signature* end() const { return all.data() + count; }
};

namespace detail {

constexpr Scalar integerOf(std::uint32_t width) {
  return width == 8 ? Scalar::kI8 : width == 16 ? Scalar::kI16 : width == 32 ? Scalar::kI32 : Scalar::kI64;
}
constexpr Scalar floatOf(std::uint32_t width) {
  return width == 16 ? Scalar::kF16 : width == 32 ? Scalar::kF32 : width == 64 ? Scalar::kF64 : Scalar::kNone;
}

// kNone: the type has no such width.
constexpr OperandType operandOf(std::string_view name, std::uint32_t width, std::uint32_t other) {
  if (name == "bool") return {Scalar::kBool, false};
  const bool capital = name[0] == 'U' || name[0] == 'S' || name[0] == 'F';
  const char kind = capital ? static_cast<char>(name[0] - 'A' + 'a') : name[0];
  std::uint32_t bits = capital ? other : width;
  if (name.size() > 1) {
    bits = 0;
    for (const char digit : name.substr(1)) bits = bits * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  switch (kind) {
    case 'u':
      return {integerOf(bits), false};
    case 's':
      return {integerOf(bits), true};
    case 'f':
      return {floatOf(bits), false};
    case 'h':
      return {bits == 64 ? Scalar::kNone : floatOf(bits), false};
    default:
      return {};
  }
}

// One alternative at one pair of widths; false where a type has none.
constexpr bool readSignature(std::string_view text, std::uint32_t width, std::uint32_t other, Signature& out) {
  out = {};
  bool first = true;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != '(' && text[end] != ')') ++end;
    if (end != 0) {
      const OperandType o = operandOf(text.substr(0, end), width, other);
      if (o.scalar == Scalar::kNone) return false;
      if (first)
        out.result = o;
      else
        out.arguments[out.count++] = o;
      first = false;
    }
    text.remove_prefix(end == text.size() ? end : end + 1);
  }
  return out.count != 0;
}

}  // namespace detail

// Every combination of types that the text stands for, each once.
constexpr Signatures signaturesOf(std::string_view text) {
  Signatures out;
  while (!text.empty()) {
    // Not find(): with UndefinedBehaviorSanitizer gcc takes its pointers for no constant.
    std::size_t bar = 0;
    while (bar < text.size() && text[bar] != '|') ++bar;
    const std::string_view one = text.substr(0, bar);
    text.remove_prefix(bar == text.size() ? bar : bar + 1);
    for (std::uint32_t width = 8; width <= 64; width *= 2)
      for (std::uint32_t other = 8; other <= 64; other *= 2) {
        Signature s;
        if (!detail::readSignature(one, width, other, s)) continue;
        bool known = false;
        for (std::size_t i = 0; i < out.count; ++i) known = known || out.all[i] == s;
        if (!known) out.all[out.count++] = s;
      }
  }
  return out;
}

// What all of them have in common: kNone where a type ranges.
constexpr Signature commonOf(const Signatures& list) {
  Signature out = list.all[0];
  const auto keep = [](OperandType& a, const OperandType& b) {
    if (!(a == b)) a = {};
  };
  for (std::size_t i = 1; i < list.count; ++i) {
    keep(out.result, list.all[i].result);
    for (std::size_t k = 0; k < out.arguments.size(); ++k) keep(out.arguments[k], list.all[i].arguments[k]);
  }
  return out;
}

}  // namespace lanewise::ir
