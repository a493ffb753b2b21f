// Floats whose results are exact, or one rounded operation of IEEE 754: whole numbers by counting, packing from the clauses of GLSL 8.4.
#include <bit>
#include <cmath>

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

// The whole number towards zero; from 2^52 on every double is whole.
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

// A half goes to the even neighbour.
double nearest(double x) {
  const double down = below(x), half = x - down;
  const bool odd = down / 2 != below(down / 2);
  return std::copysign(half > 0.5 || (half == 0.5 && odd) ? down + 1 : down, x);
}

template <class T>
T signOf(T x) {
  return x > 0 ? T{1} : x < 0 ? T{-1} : T{0};
}

struct Members {
  std::array<float, 3> p;
  std::array<float, 2> q;
  bool b;
  explicit Members(float x) : p{x, 2 * x, 3 * x}, q{x, -x}, b(x > 4) {}
};

Bytes composites(const Inputs& in) {
  const auto a = in.of<float>("0");
  std::vector<float> out;
  for (u32 l = 0; l < 8; ++l) {
    const Members s(a[l]), t(a[(l + 3) % 8]), c = l % 2 == 1 ? s : t;
    std::array<float, 4> v = {c.b ? 1.0f : 0.0f, c.q[1], c.p[1], c.p[2]};
    v[l % 4] += 0.5f;
    std::array<std::array<float, 3>, 4> m = {s.p, t.p, c.p, {1, 1, 1}};
    for (float& x : m[l % 4]) x *= 2;
    m[(l + 1) % 4][l % 3] = -1;
    const auto& column = m[l % 4];
    // The inputs rise but for the last three, and no two are the same.
    out.insert(out.end(), v.begin(), v.end());
    out.insert(out.end(), {column[0] + m[1][0], column[1] + m[1][1], column[2] + m[1][2], m[3][2]});
    out.insert(out.end(), {0.0f, 0.0f, l < 5 ? 1.0f : 0.0f, static_cast<float>(l)});
    const float added = s.p[0] > 5 ? 0 : 1;
    for (u32 i = 0; i < 3; ++i) out.push_back((s.p[i] > 5 ? t.p[i] : s.p[i]) + added);
    out.push_back(2 + added);
  }
  return bytesOf(out);
}

Bytes doubles(const Inputs& in) {
  const auto a = in.of<double>("0");
  std::vector<double> out;
  for (u32 l = 0; l < 8; ++l) {
    const double x = a[l], y = a[(l + 3) % 8];
    const double within = x > 100 ? 100 : x < -100 ? -100 : x, positive = y > 100 ? 100 : y < 0 ? 0 : y;
    // The words change places; zero of either sign is two words without a bit but that of the sign.
    const u64 bits = std::bit_cast<u64>(x), first = (bits >> 32) ^ 0x00f00000, second = bits % 0x100000000;
    const bool zero = first == 0 && second % 0x80000000 == 0;
    out.insert(out.end(),
               {x + y, x - y, x * y, x / y, x < y ? x : y, x < y ? y : x, below(x), -x,
                x < y ? towardsZero(y) : above(x), std::abs(x), towardsZero(within) + towardsZero(positive), zero ? 1 : signOf(y)});
  }
  return bytesOf(out);
}

// x = significand * 2^exponent, the significand in [1/2, 1).
struct Parts {
  double significand;
  i32 exponent = 0;
  explicit Parts(double x) : significand(x) {
    if (x == 0) return;
    for (; std::abs(significand) >= 1; ++exponent) significand /= 2;
    for (; std::abs(significand) < 0.5; --exponent) significand *= 2;
  }
};

Bytes glslExact(const Inputs& in) {
  const auto a = in.of<float>("0");
  std::vector<float> out;
  for (u32 l = 0; l < 24; ++l) {
    const double x = a[l], y = a[(l * 7 + 5) % 24];
    const bool infinite = std::abs(x) > 3.5e38;
    const Parts parts(infinite ? 0 : x);
    const double scale = l < 12 ? 1.0 / (1 << (12 - l)) : 1 << (l - 12);
    const double relations = x == y ? 2 + 4 : x < y ? 1 + 2 + 8 : 8;
    for (const double value : {below(x), above(x), towardsZero(x), nearest(x), std::abs(x), signOf(x), y < x ? 0.0 : 1.0,
                               infinite ? 2.0 : 3.0, relations, -x, infinite ? 0 : x * scale, infinite ? 0 : parts.significand,
                               static_cast<double>(parts.exponent), infinite ? 0 : std::abs(x) - towardsZero(std::abs(x)),
                               x < -1  ? -1
                               : x > 2 ? 2
                                       : x})
      out.push_back(static_cast<float>(value));
  }
  return bytesOf(out);
}

// Fields of `size` bits, the first the lowest: round(clamp(x, least, 1) * most).
u32 fields(std::span<const float> x, u32 size, double least, double most) {
  u32 out = 0;
  for (u32 i = 0; i < x.size(); ++i) {
    const double c = x[i] < least ? least : x[i] > 1 ? 1 : x[i];
    const auto field = static_cast<u32>(static_cast<i32>(nearest(c * most)));
    out |= (size == 8 ? field % 256 : field % 65536) << (size * i);
  }
  return out;
}

// The nearest number of 11 bits, steps of 2^-24 at least; 65520 and more are infinite.
u32 half(double x) {
  const u32 sign = std::signbit(x) ? 0x8000 : 0;
  const double size = std::abs(x);
  if (size >= 65520) return sign + 0x7c00;
  double step = 1.0 / 16777216;
  u32 exponent = 0;
  for (; size >= step * 2048; step *= 2) ++exponent;
  // A number of 2^10 steps or more is normal; its leading one adds one to the exponent's field.
  return sign + exponent * 1024 + static_cast<u32>(nearest(size / step));
}

float halfValue(u32 bits) {
  const u32 exponent = bits / 1024 % 32, fraction = bits % 1024;
  double value = exponent == 0 ? fraction : fraction + 1024;
  for (u32 i = 1; i < exponent; ++i) value *= 2;
  const double size = exponent == 31 ? HUGE_VAL : value / 16777216;
  return static_cast<float>(bits >= 0x8000 ? -size : size);
}

Bytes packing(const Inputs& in) {
  const auto a = in.of<float>("0");
  std::vector<u32> out;
  for (u32 l = 0; l < 4; ++l) {
    const std::span<const float> x(a.data() + 4 * l, 4);
    const u32 low = half(x[0]) + half(x[1]) * 65536;
    out.insert(out.end(),
               {fields(x, 8, 0, 255), fields(x, 8, -1, 127), fields(x.first(2), 16, 0, 65535), fields(x.last(2), 16, -1, 32767), low,
                half(x[2]) + half(x[3]) * 65536, std::bit_cast<u32>(halfValue(low % 65536)), std::bit_cast<u32>(halfValue(low / 65536))});
    const std::array<u32, 4> k = {0x7f + l, 0x01, 0xff, 0x80};  // unpacked and scaled back: themselves, but for -128, which is clamped
    for (const u32 byte : k) out.push_back(byte);
    for (const u32 byte : k) out.push_back(byte == 128 ? ~126u : byte > 128 ? byte - 256 : byte);
  }
  return bytesOf(out);
}

constexpr Definition kFloats[] = {
    {"composites.comp", "1 f32", composites},
    {"doubles.comp", "1 f64", doubles},
    {"glsl_exact.comp", "1 f32", glslExact},
    {"packing.comp", "1 u32", packing},
};

}  // namespace

std::span<const Definition> floats() {
  return kFloats;
}

}  // namespace lanewise::text::definitions
