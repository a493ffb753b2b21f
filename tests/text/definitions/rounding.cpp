#include "tests/text/definitions/rounding.h"

#include <cmath>

namespace lanewise::text::definitions {

// From 2^52 on every double is whole.
double towardsZero(double x) {
  return std::abs(x) < 4503599627370496.0 ? std::copysign(static_cast<double>(static_cast<i64>(x)), x) : x;
}

double below(double x) {
  const double t = towardsZero(x);
  return t > x ? t - 1 : t;
}

double above(double x) {
  return -below(-x);
}

double nearest(double x) {
  const double down = below(x), half = x - down;
  const bool odd = down / 2 != below(down / 2);
  return std::copysign(half > 0.5 || (half == 0.5 && odd) ? down + 1 : down, x);
}

u32 half(double x) {
  if (std::isnan(x)) return 0x7e00;
  const u32 sign = std::signbit(x) ? 0x8000 : 0;
  const double size = std::abs(x);
  if (size >= 65520) return sign + 0x7c00;
  double step = 1.0 / 16777216;
  u32 exponent = 0;
  for (; size >= step * 2048; step *= 2) ++exponent;
  // A number of 2^10 steps or more is normal; its leading one adds one to the exponent's field.
  return sign + exponent * 1024 + static_cast<u32>(nearest(size / step));
}

double halfValue(u32 bits) {
  const u32 exponent = bits / 1024 % 32, fraction = bits % 1024;
  double value = exponent == 0 ? fraction : fraction + 1024;
  for (u32 i = 1; i < exponent; ++i) value *= 2;
  const double size = exponent == 31 ? HUGE_VAL : value / 16777216;
  return bits >= 0x8000 ? -size : size;
}

}  // namespace lanewise::text::definitions
