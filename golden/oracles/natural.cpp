#include "golden/oracles/natural.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanewise::golden {

Natural::Natural(std::uint64_t value) : limbs_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {
  trim();
}

void Natural::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

int Natural::bits() const {
  return limbs_.empty() ? 0 : 32 * static_cast<int>(limbs_.size()) - std::countl_zero(limbs_.back());
}

std::uint64_t Natural::low64() const {
  return (limbs_.empty() ? 0 : limbs_[0]) | (limbs_.size() < 2 ? 0 : std::uint64_t{limbs_[1]} << 32);
}

Natural operator+(const Natural& a, const Natural& b) {
  Natural sum;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < std::max(a.limbs_.size(), b.limbs_.size()) || carry != 0; ++i) {
    carry += (i < a.limbs_.size() ? a.limbs_[i] : 0);
    carry += (i < b.limbs_.size() ? b.limbs_[i] : 0);
    sum.limbs_.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  return sum;
}

Natural operator-(const Natural& a, const Natural& b) {
  Natural difference = a;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    const std::uint64_t take = borrow + (i < b.limbs_.size() ? b.limbs_[i] : 0);
    borrow = a.limbs_[i] < take ? 1 : 0;
    difference.limbs_[i] = static_cast<std::uint32_t>(a.limbs_[i] - take);
  }
  difference.trim();
  return difference;
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural product;
  product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
      carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product.limbs_[i + j];
      product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product.limbs_[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  product.trim();
  return product;
}

Natural operator<<(const Natural& a, int bits) {
  if (a.isZero()) return a;
  const int rest = bits % 32;
  Natural shifted;
  shifted.limbs_.assign(static_cast<std::size_t>(bits / 32), 0);
  std::uint64_t carry = 0;
  for (std::uint32_t limb : a.limbs_) {
    carry |= std::uint64_t{limb} << rest;
    shifted.limbs_.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  shifted.limbs_.push_back(static_cast<std::uint32_t>(carry));
  shifted.trim();
  return shifted;
}

Natural operator>>(const Natural& a, int bits) {
  const auto whole = static_cast<std::size_t>(bits / 32);
  if (whole >= a.limbs_.size()) return {};
  Natural shifted;
  for (std::size_t i = whole; i < a.limbs_.size(); ++i) {
    const std::uint64_t two = a.limbs_[i] | (i + 1 < a.limbs_.size() ? std::uint64_t{a.limbs_[i + 1]} << 32 : 0);
    shifted.limbs_.push_back(static_cast<std::uint32_t>(two >> (bits % 32)));
  }
  shifted.trim();
  return shifted;
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
  if (a.limbs_.size() != b.limbs_.size()) return a.limbs_.size() <=> b.limbs_.size();
  return std::lexicographical_compare_three_way(a.limbs_.rbegin(), a.limbs_.rend(), b.limbs_.rbegin(), b.limbs_.rend());
}

Division divide(const Natural& a, const Natural& b) {
  Division d;
  d.remainder = a;
  for (int shift = std::max(0, a.bits() - b.bits()); shift >= 0; --shift) {
    const Natural part = b << shift;
    if (part > d.remainder) continue;
    d.remainder = d.remainder - part;
    d.quotient = d.quotient + (Natural(1) << shift);
  }
  return d;
}

Natural squareRoot(const Natural& a) {
  Natural root;
  for (int bit = (a.bits() + 1) / 2; bit >= 0; --bit) {
    const Natural tried = root + (Natural(1) << bit);
    if (tried * tried <= a) root = tried;
  }
  return root;
}

namespace {

// floor(value * 2^scale), and whether that is exact.
std::pair<Natural, bool> scaled(const Ratio& value, int scale) {
  const Division d =
      scale >= 0 ? divide(value.numerator << scale, value.denominator) : divide(value.numerator, value.denominator << -scale);
  return {d.quotient, d.remainder.isZero()};
}

constexpr int kPrecision = 24;  // of a float

// Rounds an integer to the nearest float and multiplies by 2^-scale. The integer has more bits than a float. `exact`: no digits
// below it were cut off.
float rounded(const Natural& value, bool exact, int scale) {
  const int drop = value.bits() - kPrecision;
  const Natural kept = value >> drop;
  const Natural rest = value - (kept << drop), half = Natural(1) << (drop - 1);
  const bool up = rest > half || (rest == half && (!exact || kept.low64() % 2 == 1));
  return static_cast<float>(std::ldexp(static_cast<double>(kept.low64() + (up ? 1 : 0)), drop - scale));
}

}  // namespace

float nearestFloat(const Ratio& value) {
  if (value.numerator.isZero()) return 0;
  // At least kPrecision + 2 bits of quotient.
  const int scale = kPrecision + 3 + value.denominator.bits() - value.numerator.bits();
  const auto [quotient, exact] = scaled(value, scale);
  return rounded(quotient, exact, scale);
}

float nearestFloatSqrt(const Ratio& value) {
  if (value.numerator.isZero()) return 0;
  int scale = 2 * (kPrecision + 3) + value.denominator.bits() - value.numerator.bits();
  scale += scale & 1;
  const auto [quotient, exact] = scaled(value, scale);
  const Natural root = squareRoot(quotient);
  return rounded(root, exact && root * root == quotient, scale / 2);
}

}  // namespace lanewise::golden
