// What only looks at bits: comparisons of integers, booleans, selection, casts, scalars joined and taken apart, lane masks, addresses.
//
// Promise: floats are moved as bits, so that a NaN keeps its payload. Source: SPIR-V 1.6, 3.52 "Conversion", "Bit", "Relational and
// Logical"; the addresses are the model's own (ir.h, kAddress, kOffset, kIndex64).
#pragma once

#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

#include "model/scalar/integer.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

template <class T>
constexpr T bitwiseAnd(T a, T b) noexcept {
  return static_cast<T>(a & b);
}
template <class T>
constexpr T bitwiseOr(T a, T b) noexcept {
  return static_cast<T>(a | b);
}
template <class T>
constexpr T bitwiseXor(T a, T b) noexcept {
  return static_cast<T>(a ^ b);
}
template <class T>
constexpr T bitwiseNot(T a) noexcept {
  return static_cast<T>(~a);
}

// Signed or unsigned as T is; OpIEqual and OpINotEqual, OpLogicalEqual and OpLogicalNotEqual do not care.
template <class T>
constexpr bool equal(T a, T b) noexcept {
  return a == b;
}
template <class T>
constexpr bool notEqual(T a, T b) noexcept {
  return a != b;
}
template <class T>
constexpr bool greaterThan(T a, T b) noexcept {
  return a > b;
}
template <class T>
constexpr bool greaterThanEqual(T a, T b) noexcept {
  return a >= b;
}
template <class T>
constexpr bool lessThan(T a, T b) noexcept {
  return a < b;
}
template <class T>
constexpr bool lessThanEqual(T a, T b) noexcept {
  return a <= b;
}

constexpr bool logicalOr(bool a, bool b) noexcept {
  return a || b;
}
constexpr bool logicalAnd(bool a, bool b) noexcept {
  return a && b;
}
constexpr bool logicalNot(bool a) noexcept {
  return !a;
}

namespace detail {

template <class T>
constexpr auto rawBits(T x) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<Unsigned<T>>(x);
  } else {
    return bitsOf(x);
  }
}

}  // namespace detail

// OpSelect.
template <class T>
constexpr T select(bool condition, T a, T b) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return (condition & a) | (!condition & b);  // without a branch
  } else {
    return std::bit_cast<T>(condition ? detail::rawBits(a) : detail::rawBits(b));
  }
}

// OpBitcast of one scalar to another of its width.
template <class R, class T>
constexpr R bitcast(T x) noexcept {
  return std::bit_cast<R>(x);
}

// OpBitcast of several narrow scalars to a wide one, the first in the low bits.
template <class R, class... T>
constexpr R join(T... parts) noexcept {
  using Bits = decltype(detail::rawBits(R{}));
  Bits bits = 0;
  unsigned at = 0;
  const auto add = [&](auto part) {
    bits = static_cast<Bits>(bits | static_cast<Bits>(static_cast<Bits>(detail::rawBits(part)) << at));
    at += static_cast<unsigned>(sizeof(part) * 8);
  };
  (add(parts), ...);
  return std::bit_cast<R>(bits);
}
// Part `index` of a wide one; the lowest again behind the last.
template <class R, class T>
constexpr R part(T wide, std::uint32_t index) noexcept {
  using Bits = decltype(detail::rawBits(R{}));
  return std::bit_cast<R>(static_cast<Bits>(detail::rawBits(wide) >> (index % (sizeof(T) / sizeof(R)) * (sizeof(R) * 8))));
}

// OpUConvert and OpSConvert, by the signedness of T: the low bits, or extended.
template <class R, class T>
constexpr R convertInteger(T x) noexcept {
  return static_cast<R>(x);
}

// One word of SubgroupEqMask and its kin, in a subgroup of any size: which lanes stand in the relation to this one.
constexpr std::uint32_t subgroupMask(std::uint32_t lane, std::uint32_t builtinNumber, std::uint32_t word) noexcept {
  const auto builtin = static_cast<spv::BuiltIn>(builtinNumber);
  std::uint32_t mask = 0;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t other = word * 32 + bit;
    const bool in = builtin == spv::BuiltIn::SubgroupEqMask   ? other == lane
                    : builtin == spv::BuiltIn::SubgroupGeMask ? other >= lane
                    : builtin == spv::BuiltIn::SubgroupGtMask ? other > lane
                    : builtin == spv::BuiltIn::SubgroupLeMask ? other <= lane
                                                              : other < lane;
    mask |= static_cast<std::uint32_t>(in) << bit;
  }
  return mask;
}

// index * stride + base, sticking at the top: an index out of range never wraps into range.
constexpr std::uint32_t address(std::uint32_t index, std::uint32_t stride, std::uint32_t base) noexcept {
  const std::uint64_t sum = std::uint64_t{index} * stride + base;
  return sum > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(sum);
}
// The same, signed, within one object: 3 GiB and more stand for an offset below 0.
constexpr std::uint32_t offset(std::uint32_t index, std::uint32_t stride, std::uint32_t base) noexcept {
  const std::int64_t from = base >= 0xc0000000u ? std::int64_t{base} - (std::int64_t{1} << 32) : std::int64_t{base};
  const std::int64_t sum = from + std::int64_t{static_cast<std::int32_t>(index)} * stride;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(sum, -(std::int64_t{1} << 30), 0xbfffffff));
}
// As an index of 32 bits: 2^32 - 1 where it does not fit.
constexpr std::uint32_t index64(std::uint64_t index) noexcept {
  return index > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(index);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
