// Several operations as one (model/ir/rows/joined.h): each is the operations of integer.h that it stands for, one after the other.
#pragma once

#include <bit>
#include <cstdint>

#include "model/scalar/integer.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

constexpr std::uint32_t rotateLeft(std::uint32_t base, std::uint32_t amount) noexcept {
  return std::rotl(base, static_cast<int>(amount & 31));
}
constexpr std::uint32_t rotateXor(std::uint32_t base, std::uint32_t amount, std::uint32_t other) noexcept {
  return rotateLeft(base, amount) ^ other;
}
constexpr std::uint32_t xorRotate(std::uint32_t a, std::uint32_t b, std::uint32_t amount) noexcept {
  return rotateLeft(a ^ b, amount);
}

// How a word is turned, above the amount: by a rotation to the left, a shift to the left, one to the right, or away.
enum Turn : std::uint32_t { kAround = 0, kUp = 32, kDown = 64, kAway = 96 };
// Of a word that is rotated to the left by so much, these bits.
constexpr std::uint32_t turnOf(std::uint32_t how) noexcept {
  return (how & kAway) == kDown ? (32 - how) & 31 : how & 31;
}
constexpr std::uint32_t turnMask(std::uint32_t how) noexcept {
  const std::uint32_t turn = how & kAway, amount = how & 31;
  return turn == kAround ? 0xffffffffu : turn == kUp ? 0xffffffffu << amount : turn == kDown ? 0xffffffffu >> amount : 0u;
}
constexpr std::uint32_t turnsXor(std::uint32_t base, std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
  const auto turned = [base](std::uint32_t how) { return rotateLeft(base, turnOf(how)) & turnMask(how); };
  return turned(a) ^ turned(b) ^ turned(c);
}

template <class T>
constexpr T addThree(T a, T b, T c) noexcept {
  return a + b + c;
}
template <class T>
constexpr T multiplyAdd(T a, T b, T c) noexcept {
  return a * b + c;
}
constexpr std::uint64_t multiplyLow(std::uint64_t a, std::uint64_t b) noexcept {
  return (a & 0xffffffff) * (b & 0xffffffff);
}

template <class T>
constexpr T andAdd(T a, T b, T c) noexcept {
  return (a & b) + c;
}
template <class T>
constexpr T leftAdd(T base, std::uint32_t amount, T other) noexcept {
  return shiftLeftLogical(base, amount) + other;
}
template <class T>
constexpr T leftOr(T base, std::uint32_t amount, T other) noexcept {
  return shiftLeftLogical(base, amount) | other;
}
template <class T>
constexpr T leftXor(T base, std::uint32_t amount, T other) noexcept {
  return shiftLeftLogical(base, amount) ^ other;
}
template <class T>
constexpr T rightAdd(T base, std::uint32_t amount, T other) noexcept {
  return shiftRightLogical(base, amount) + other;
}
template <class T>
constexpr T rightAnd(T base, std::uint32_t amount, T other) noexcept {
  return shiftRightLogical(base, amount) & other;
}
template <class T>
constexpr T rightXor(T base, std::uint32_t amount, T other) noexcept {
  return shiftRightLogical(base, amount) ^ other;
}

template <class T>
constexpr T selectEqual(T a, T b, T where, T otherwise) noexcept {
  return a == b ? where : otherwise;
}
template <class T>
constexpr T selectLess(T a, T b, T where, T otherwise) noexcept {
  return a < b ? where : otherwise;
}

// Bit 2 b + c of the table, for each bit.
template <class T>
constexpr T bitsOfTwo(T b, T c, unsigned table) noexcept {
  constexpr T none = 0, all = static_cast<T>(~none);
  switch (table & 15) {
    case 0:
      return none;
    case 1:
      return ~(b | c);
    case 2:
      return ~b & c;
    case 3:
      return ~b;
    case 4:
      return b & ~c;
    case 5:
      return ~c;
    case 6:
      return b ^ c;
    case 7:
      return ~(b & c);
    case 8:
      return b & c;
    case 9:
      return ~(b ^ c);
    case 10:
      return c;
    case 11:
      return ~b | c;
    case 12:
      return b;
    case 13:
      return b | ~c;
    case 14:
      return b | c;
    default:
      return all;
  }
}
// Bit 4 a + 2 b + c of the table, for each bit: what it is where a is 0, changed where a is 1.
template <class T>
constexpr T bitsOfThree(T a, T b, T c, std::uint32_t table) noexcept {
  return bitsOfTwo(b, c, table) ^ (a & bitsOfTwo(b, c, table ^ table >> 4));
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
