// Halves, and floats to and from integers, against MPFR: every half, every boundary between two halves with its neighbours, every limit of
// every integer type. nightly.cpp adds all 2^32 floats.
#include "model/scalar/convert.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using reference::Differences;
using reference::Real;
using scalar::Half;
using scalar::Mode;

Half half(int bits) {
  return Half{static_cast<std::uint16_t>(bits)};
}

TEST(ScalarConvert, EveryHalfToFloatAndDouble) {
  Differences d;
  for (int i = 0; i < 65536; ++i) {
    const Half h = half(i);
    if ((i & 0x7fff) > 0x7c00) {
      // A NaN keeps its sign and payload and becomes quiet.
      const auto want = static_cast<std::uint32_t>((i & 0x8000) << 16 | 0x7fc00000 | (i & 0x3ff) << 13);
      d.check(scalar::bitsOf(scalar::toFloat(h)), want, h);
      continue;
    }
    Real r;
    reference::set(r, h);
    d.check(scalar::toFloat(h), reference::get<float>(r), h);
    d.check(scalar::toDouble(h), reference::get<double>(r), h);
  }
  EXPECT_NO_DIFFERENCES(d);
}

template <class F>
void checkBoundariesOfHalves() {
  using B = typename reference::Ieee<F>::Bits;
  constexpr Mode rte{}, rtz{Rounding::kTowardZero, Denormals::kPreserve};
  const auto to = [](F x, Rounding r) {
    if constexpr (std::is_same_v<F, float>) {
      return r == Rounding::kTowardZero ? scalar::halfFromFloat<Rounding::kTowardZero>(x) : scalar::halfFromFloat(x);
    } else {
      return r == Rounding::kTowardZero ? scalar::halfFromDouble<Rounding::kTowardZero>(x) : scalar::halfFromDouble(x);
    }
  };
  Differences d;
  for (int i = 0; i < 0x7c00; ++i) {
    const F low = static_cast<F>(scalar::toDouble(half(i)));
    const F high = i == 0x7bff ? F{65536} : static_cast<F>(scalar::toDouble(half(i + 1)));
    for (const F at : {low, (low + high) / 2, high})
      for (int step = -1; step <= 1; ++step)
        for (const B sign : {B{0}, B{1}}) {
          const B magnitude = static_cast<B>(reference::bits(at) + static_cast<B>(step));
          if (at == 0 && step < 0) continue;
          const F x = std::bit_cast<F>(static_cast<B>(magnitude | sign << (sizeof(F) * 8 - 1)));
          d.check(to(x, rte.rounding), reference::unary<Half>(rte, x, mpfr_set), x);
          d.check(to(x, rtz.rounding), reference::unary<Half>(rtz, x, mpfr_set), x);
        }
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarConvert, FloatToHalfAtEveryBoundary) {
  checkBoundariesOfHalves<float>();
}
TEST(ScalarConvert, DoubleToHalfAtEveryBoundary) {
  checkBoundariesOfHalves<double>();
}

TEST(ScalarConvert, HalvesOfSpecialValues) {
  const float nan = std::bit_cast<float>(0xff802001u);  // signalling
  EXPECT_EQ(scalar::halfFromFloat(nan).bits, 0xfe01);
  EXPECT_EQ(scalar::halfFromDouble(std::bit_cast<double>(0x7ff0000000000001u)).bits, 0x7e00);
  EXPECT_EQ(scalar::halfFromFloat<Rounding::kTowardZero>(std::bit_cast<float>(0x7f800000u)).bits, 0x7c00);
  EXPECT_EQ(scalar::halfFromFloat<Rounding::kTowardZero>(1e30f).bits, 0x7bff);
}

TEST(ScalarConvert, QuantizeToF16) {
  Differences d;
  reference::Random r{9};
  for (int i = 0; i < 60000; ++i) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(r.next() >> 32 & 0x8fffffff) + 0x30000000u);
    Real wide;
    reference::set(wide, reference::unary<Half>(Mode{}, x, mpfr_set));
    const float half = reference::get<float>(wide);
    d.check(scalar::quantizeToF16(x), std::abs(half) < 0x1p-14f ? std::copysign(0.0f, x) : half, x);
  }
  EXPECT_NO_DIFFERENCES(d);
  EXPECT_EQ(scalar::quantizeToF16<Rounding::kTowardZero>(65519.0f), 65504.0f);
  EXPECT_TRUE(scalar::isInf(scalar::quantizeToF16<Rounding::kTowardZero>(-65536.0f)));
  EXPECT_EQ(scalar::quantizeToF16(0x1p-14f), 0x1p-14f);
  EXPECT_EQ(scalar::quantizeToF16(0x1p-15f), 0.0f);
  EXPECT_EQ(scalar::bitsOf(scalar::quantizeToF16(-0x1p-20f)), 0x80000000u);
}

template <class T, class I>
std::vector<T> aroundLimits() {
  std::vector<T> out = reference::corners<T>();
  reference::Random r{sizeof(I)};
  for (int i = 0; i < 3000; ++i) out.push_back(reference::random(r, out[static_cast<std::size_t>(r.next() % out.size())]));
  if constexpr (!std::is_same_v<T, Half>)
    for (int bit = 0; bit <= 64; ++bit)
      for (const T sign : {T{1}, T{-1}}) {
        const T power = sign * static_cast<T>(std::ldexp(1.0, bit));
        for (const T x : {power, std::nextafter(power, T{0}), std::nextafter(power, 2 * power), power + T(0.5), power - T(0.5), power - 1})
          out.push_back(x);
      }
  return out;
}

// What the profile's rule says, from the exact value.
template <class I, FloatToInteger C, class T>
I wantInteger(T x) {
  using L = std::numeric_limits<I>;
  Real r(128);
  reference::set(r, x);
  const bool nan = mpfr_nan_p(r.v) != 0;
  if (!nan) mpfr_trunc(r.v, r.v);
  const bool negative = !nan && mpfr_sgn(r.v) < 0;
  const bool inside =
      !nan &&
      (std::is_signed_v<I> ? mpfr_fits_intmax_p(r.v, MPFR_RNDZ) && mpfr_get_sj(r.v, MPFR_RNDZ) >= static_cast<std::intmax_t>(L::min()) &&
                                 mpfr_get_sj(r.v, MPFR_RNDZ) <= static_cast<std::intmax_t>(L::max())
                           : mpfr_fits_uintmax_p(r.v, MPFR_RNDZ) && mpfr_get_uj(r.v, MPFR_RNDZ) <= static_cast<std::uintmax_t>(L::max()));
  if (inside && !negative) return static_cast<I>(mpfr_get_uj(r.v, MPFR_RNDZ));
  if (inside) return static_cast<I>(mpfr_get_sj(r.v, MPFR_RNDZ));
  if (C == FloatToInteger::kSaturate) return nan ? I{0} : negative ? L::min() : L::max();
  if (std::is_signed_v<I>) return L::min();
  if (C == FloatToInteger::kAllOnes) return L::max();
  const bool signBit = (reference::bits(x) >> (sizeof(T) * 8 - 1)) != 0;
  return nan && !signBit ? static_cast<I>(I{1} << (L::digits - 1)) : I{0};
}

template <class I, FloatToInteger C, class T>
void checkToInteger(Differences& d) {
  for (const T x : aroundLimits<T, I>()) d.check(scalar::convertFToI<I, C>(x), wantInteger<I, C>(x), x);
}

template <class I>
void checkAllToInteger() {
  Differences d;
  checkToInteger<I, FloatToInteger::kSaturate, Half>(d);
  checkToInteger<I, FloatToInteger::kSaturate, float>(d);
  checkToInteger<I, FloatToInteger::kSaturate, double>(d);
  if constexpr (sizeof(I) >= 4) {
    checkToInteger<I, FloatToInteger::kAllOnes, float>(d);
    checkToInteger<I, FloatToInteger::kAllOnes, double>(d);
    checkToInteger<I, FloatToInteger::kSplit, float>(d);
    checkToInteger<I, FloatToInteger::kSplit, double>(d);
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarConvert, FloatsToIntegers) {
  checkAllToInteger<std::int8_t>();
  checkAllToInteger<std::uint8_t>();
  checkAllToInteger<std::int16_t>();
  checkAllToInteger<std::uint16_t>();
  checkAllToInteger<std::int32_t>();
  checkAllToInteger<std::uint32_t>();
  checkAllToInteger<std::int64_t>();
  checkAllToInteger<std::uint64_t>();
}

// The values measured on the three devices (lavapipe, SwiftShader, NVIDIA).
TEST(ScalarConvert, OutOfRangeAsMeasured) {
  using enum FloatToInteger;
  const float nan = std::bit_cast<float>(0x7fc00000u);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kAllOnes>(-1.5f)), 0xffffffffu);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kAllOnes>(nan)), 0xffffffffu);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kAllOnes>(5e9f)), 0xffffffffu);
  EXPECT_EQ((scalar::convertFToI<std::int32_t, kAllOnes>(3e9f)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kSplit>(-1.5f)), 0u);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kSplit>(nan)), 0x80000000u);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kSplit>(5e9f)), 0u);
  EXPECT_EQ((scalar::convertFToI<std::int32_t, kSplit>(3e9f)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kSaturate>(-1.5f)), 0u);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kSaturate>(nan)), 0u);
  EXPECT_EQ((scalar::convertFToI<std::uint32_t, kSaturate>(5e9f)), 0xffffffffu);
  EXPECT_EQ((scalar::convertFToI<std::int32_t, kSaturate>(3e9f)), 0x7fffffff);
}

template <class T, Mode M, class I>
void checkFrom(Differences& d, I i) {
  const T want = reference::rounded<T>(M, [i](mpfr_ptr r, mpfr_rnd_t direction) {
    return std::is_signed_v<I> ? mpfr_set_sj(r, static_cast<std::intmax_t>(i), direction)
                               : mpfr_set_uj(r, static_cast<std::uintmax_t>(i), direction);
  });
  d.check(scalar::convertIToF<T, M>(i), want, i);
}

template <class I>
void checkFromInteger() {
  Differences d;
  const auto test = [&d](I i) {
    checkFrom<Half, scalar::kStrict>(d, i);
    checkFrom<Half, scalar::kTruncating>(d, i);
    checkFrom<float, scalar::kStrict>(d, i);
    checkFrom<float, scalar::kTruncating>(d, i);
    checkFrom<double, scalar::kStrict>(d, i);
    checkFrom<double, scalar::kTruncating>(d, i);
  };
  if constexpr (sizeof(I) <= 2) {
    for (int i = 0; i < 1 << (8 * sizeof(I)); ++i) test(static_cast<I>(i));
  } else {
    reference::Random r{1};
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t u = r.next() >> (r.next() % 64), low = r.next() % 3, up = r.next() % 62;
      test(static_cast<I>(u));
      test(static_cast<I>((u >> 40 << up) + low - 1));  // few bits, and next to them: ties and their neighbours
    }
    for (const I i : {std::numeric_limits<I>::min(), std::numeric_limits<I>::max()}) test(i);
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarConvert, IntegersToFloats) {
  checkFromInteger<std::int8_t>();
  checkFromInteger<std::uint16_t>();
  checkFromInteger<std::int16_t>();
  checkFromInteger<std::uint32_t>();
  checkFromInteger<std::int32_t>();
  checkFromInteger<std::uint64_t>();
  checkFromInteger<std::int64_t>();
}

}  // namespace
}  // namespace lanewise
