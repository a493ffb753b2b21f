// Floats whose results are exact, or one rounded operation of IEEE 754: whole numbers by counting, packing from the clauses of GLSL 8.4;
// and functions of the C++ library.
#include <bit>
#include <cmath>

#include "tests/text/definitions/definitions.h"
#include "tests/text/definitions/rounding.h"

namespace lanewise::text::definitions {
namespace {

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
    out.insert(out.end(), {x + y, x - y, x * y, x / y, x < y ? x : y, x < y ? y : x, below(x), -x, x < y ? towardsZero(y) : above(x),
                           std::abs(x), towardsZero(within) + towardsZero(positive), zero ? 1 : signOf(y)});
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

Bytes packing(const Inputs& in) {
  const auto a = in.of<float>("0");
  std::vector<u32> out;
  for (u32 l = 0; l < 4; ++l) {
    const std::span<const float> x(a.data() + 4 * l, 4);
    const u32 low = half(x[0]) + half(x[1]) * 65536;
    out.insert(out.end(), {fields(x, 8, 0, 255), fields(x, 8, -1, 127), fields(x.first(2), 16, 0, 65535), fields(x.last(2), 16, -1, 32767),
                           low, half(x[2]) + half(x[3]) * 65536, std::bit_cast<u32>(static_cast<float>(halfValue(low % 65536))),
                           std::bit_cast<u32>(static_cast<float>(halfValue(low / 65536)))});
    const std::array<u32, 4> k = {0x7f + l, 0x01, 0xff, 0x80};  // unpacked and scaled back: themselves, but for -128, which is clamped
    for (const u32 byte : k) out.push_back(byte);
    for (const u32 byte : k) out.push_back(byte == 128 ? ~126u : byte > 128 ? byte - 256 : byte);
  }
  return bytesOf(out);
}

// The tables of GLSL 8.1 and 8.2 by the C++ library, in doubles: far nearer than half a place of a float, and then one rounding.
Bytes transcendental(const Inputs& in) {
  std::vector<float> out;
  for (const float a : in.of<float>("0")) {
    const double x = a;
    for (const double value :
         {std::sin(x), std::cos(x), std::tan(x), std::asin(x), std::acos(x), std::atan(x), std::sinh(x), std::cosh(x), std::tanh(x),
          std::asinh(x), std::acosh(x), std::atanh(x), std::exp(x), std::exp2(x), std::log(x), std::log2(x), std::atan2(x, 1.0), x})
      out.push_back(static_cast<float>(value));
  }
  return bytesOf(out);
}

using Matrix = std::vector<std::vector<long double>>;

Matrix without(Matrix m, std::size_t row, std::size_t column) {
  m.erase(m.begin() + static_cast<std::ptrdiff_t>(row));
  for (auto& r : m) r.erase(r.begin() + static_cast<std::ptrdiff_t>(column));
  return m;
}

long double determinant(const Matrix& m) {
  if (m.empty()) return 1;
  long double sum = 0;
  for (std::size_t i = 0; i < m.size(); ++i) sum += (i % 2 == 0 ? 1 : -1) * m[0][i] * determinant(without(m, 0, i));
  return sum;
}

// The inverse by cofactors. Columns are written as rows: the inverse of the transposed is the inverse transposed.
Bytes halfMatrices(const Inputs& in) {
  const auto values = in.of<std::uint16_t>("0");
  std::vector<std::uint16_t> out;
  std::size_t next = 0;
  const auto put = [&](long double x) { out.push_back(static_cast<std::uint16_t>(half(static_cast<double>(x)))); };
  for (const std::size_t size : {2u, 2u, 3u, 3u, 4u, 4u}) {
    Matrix m(size);
    for (auto& row : m)
      while (row.size() < size) row.push_back(halfValue(values[next++]));
    const long double d = determinant(m);
    put(d);
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) put(((r + c) % 2 == 0 ? 1 : -1) * determinant(without(m, c, r)) / d);
  }
  return bytesOf(out);
}

Bytes storageHalves(const Inputs& in) {
  const auto e = in.of<std::uint16_t>("4"), b = in.of<std::uint16_t>("1");
  std::vector<std::uint16_t> out;
  for (u32 l = 0; l < 8; ++l) {
    const double p = halfValue(e[l]), q = halfValue(e[(l + 1) % 8]);
    for (const double x : {p + q, p * q, -p, static_cast<double>(b[l])}) out.push_back(static_cast<std::uint16_t>(half(x)));
  }
  return bytesOf(out);
}

// Invocation `t` writes texel t and reads texel 7 - t too.
Bytes floatFormat(const Inputs& in) {
  const auto a1 = in.of<float>("1");
  const auto a3 = in.of<std::uint16_t>("3");
  std::vector<float> out;
  for (u32 t = 0; t < 8; ++t)
    for (u32 c = 0; c < 4; ++c) out.push_back(static_cast<float>(a1[4 * (7 - t) + c] + 0.5 + halfValue(a3[4 * t + c])));
  return bytesOf(out);
}

Bytes halfFormat(const Inputs& in) {
  const auto a1 = in.of<float>("1");
  const auto a3 = in.of<std::uint16_t>("3");
  std::vector<std::uint16_t> out;
  for (u32 t = 0; t < 8; ++t)
    for (u32 c = 0; c < 4; ++c) out.push_back(static_cast<std::uint16_t>(half(halfValue(a3[4 * (7 - t) + c]) * 2 + a1[4 * t + c] * 0.125)));
  return bytesOf(out);
}

// A number that each operation rounds to a half.
struct Half {
  double value = 0;
  Half(double x) : value(halfValue(half(x))) {}
  friend Half operator+(Half a, Half b) { return a.value + b.value; }
  friend Half operator-(Half a, Half b) { return a.value - b.value; }
  friend Half operator*(Half a, Half b) { return a.value * b.value; }
  friend Half operator/(Half a, Half b) { return a.value / b.value; }
};

Half rootOf(Half x) {
  return std::sqrt(x.value);
}

// The rows of halves.comp: first one rounding each, then the formulas of GLSL.std.450.
std::vector<Half> halfRows(const Half x, const Half y) {
  const double a = x.value, b = y.value;
  const Parts parts(a);
  const Half whole = towardsZero(a), t = (x - -3.0) / (Half(5) - -3.0), at = t.value < 0 ? 0 : t.value > 1 ? 1 : t;
  std::vector<Half> rows = {x + y, x - y, x * y, x / y, -a, std::abs(a), signOf(a), below(a), above(a), whole, nearest(a), a - below(a)};
  for (const double exact : {a < b ? a : b, a < b ? b : a, a < -1 ? -1 : a > 2 ? 2 : a}) rows.push_back(exact);
  rows.push_back(x * 0.75 + y * 0.25);
  rows.push_back(b < a ? 0.0 : 1.0);
  rows.push_back(at * at * (Half(3) - Half(2) * at));
  rows.push_back(a * b + a);
  rows.push_back(std::sqrt(std::abs(a)));
  rows.push_back(a * 8);
  rows.push_back(x - y * Half(below((x / y).value)));
  rows.push_back(Half(parts.significand) + Half(parts.exponent));
  rows.push_back(x * y + y * y + x * 2.0);
  const Half length = rootOf(x * x + y * y), right = x - 1.0, up = y - 2.0;
  rows.insert(rows.end(), {length, rootOf(right * right + up * up), y / length, x * x - Half(2) * y, a * b < 0 ? a : -a, -a});
  rows.push_back(a * 3 - b * 2);
  rows.push_back(x * y + Half(4) * x);
  rows.push_back(towardsZero((x * 3.0).value));
  rows.push_back(static_cast<double>(static_cast<float>(a) / 3));
  for (const double exact : {towardsZero(std::abs(a)) * 3, a * 0.1, towardsZero(a) + 5, a < b ? 1.0 : a == b ? 2.0 : 0.0})
    rows.push_back(exact);
  return rows;
}

Bytes halves(const Inputs& in) {
  const auto xs = in.of<std::uint16_t>("0"), ys = in.of<std::uint16_t>("1");
  std::vector<std::uint16_t> out(38 * 8);
  for (u32 l = 0; l < 8; ++l) {
    const std::vector<Half> rows = halfRows(halfValue(xs[l]), halfValue(ys[l]));
    for (u32 row = 0; row < 38; ++row) out[row * 8 + l] = static_cast<std::uint16_t>(half(rows[row].value));
  }
  return bytesOf(out);
}

constexpr Definition kFloats[] = {
    {"composites.comp", "1 f32", composites},     {"doubles.comp", "1 f64", doubles},
    {"glsl_exact.comp", "1 f32", glslExact},      {"halves.comp", "2 f16", halves},
    {"image_formats.comp", "8 f32", floatFormat}, {"image_formats.comp", "10 f16", halfFormat},
    {"matrices_f16.comp", "1 f16", halfMatrices}, {"packing.comp", "1 u32", packing},
    {"storage8_16.comp", "5 f16", storageHalves}, {"transcendental.comp", "1 f32", transcendental},
};

}  // namespace

std::span<const Definition> floats() {
  return kFloats;
}

}  // namespace lanewise::text::definitions
