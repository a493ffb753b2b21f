// Comparisons, minimum and maximum, rounding and the formulas of GLSL.std.450 against MPFR: every half, corners and seeded random values of
// the wider floats, in every mode.
#include "model/scalar/float_ops.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using reference::Differences;
using reference::Real;
using scalar::Half;
using scalar::Mode;

template <class T>
std::vector<T> values(int count) {
  std::vector<T> out;
  if constexpr (std::is_same_v<T, Half>) {
    for (int i = 0; i < 65536; ++i) out.push_back(Half{static_cast<std::uint16_t>(i)});
  } else {
    out = reference::corners<T>();
    reference::Random r{sizeof(T)};
    for (int i = 0; i < count; ++i) {
      out.push_back(reference::random(r, static_cast<T>(1)));
      const T quarter =
          static_cast<T>(static_cast<double>(static_cast<std::int64_t>(r.next() >> (r.next() % 50 + 10))) / 4 * (i % 2 == 0 ? 1 : -1));
      for (const T x : {quarter, std::nextafter(quarter, T{0})}) out.push_back(x);
    }
  }
  return out;
}

// MPFR's integer roundings take no direction.
template <class T, int (*F)(mpfr_ptr, mpfr_srcptr)>
T integral(Mode mode, T x) {
  return reference::unary<T>(mode, x, [](mpfr_ptr r, mpfr_srcptr v, mpfr_rnd_t) {
    F(r, v);  // exact
    return 0;
  });
}

template <class T, Mode M>
void checkRounding() {
  Differences d;
  for (const T x : values<T>(6000)) {
    const T floor = integral<T, mpfr_floor>(M, x), trunc = integral<T, mpfr_trunc>(M, x), even = integral<T, mpfr_roundeven>(M, x);
    d.check(scalar::floor<M>(x), floor, x);
    d.check(scalar::ceil<M>(x), integral<T, mpfr_ceil>(M, x), x);
    d.check(scalar::trunc<M>(x), trunc, x);
    d.check(scalar::roundEven<M>(x), even, x);
    d.check(scalar::round<Ties::kEven, M>(x), even, x);
    d.check(scalar::round<Ties::kAwayFromZero, M>(x), integral<T, mpfr_round>(M, x), x);
    d.check(scalar::fract<Fract::kSubtract, M>(x), reference::binary(M, x, floor, mpfr_sub), x);
    Real r;
    reference::set(r, M.denormals == Denormals::kFlush ? reference::flushed(x) : x);
    const T fract = reference::rounded<T>(M, [&](mpfr_ptr out, mpfr_rnd_t direction) { return mpfr_frac(out, r.v, direction); });
    d.check(scalar::modf<M>(x).fract, fract, x);
    d.check(scalar::modf<M>(x).whole, trunc, x);
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarFloatOps, RoundingToIntegers) {
  checkRounding<Half, scalar::kStrict>();
  checkRounding<Half, scalar::kFlushing>();
  checkRounding<float, scalar::kStrict>();
  checkRounding<float, scalar::kTruncatingFlushing>();
  checkRounding<double, scalar::kStrict>();
  checkRounding<double, scalar::kTruncating>();
}

TEST(ScalarFloatOps, FractBelowOne) {
  EXPECT_EQ(scalar::fract(-1e-10f), 1.0f);
  EXPECT_EQ(scalar::fract<Fract::kBelowOne>(-1e-10f), 0x1.fffffep-1f);
  EXPECT_EQ(scalar::fract<Fract::kBelowOne>(2.75f), 0.75f);
  EXPECT_EQ(scalar::fract<Fract::kBelowOne>(std::bit_cast<float>(0x7f800000u)), 0x1.fffffep-1f);
}

template <class T, Mode M>
void checkFrexpAndLdexp() {
  Differences d;
  for (const T x : values<T>(3000)) {
    const auto [significand, exponent] = scalar::frexp<M>(x);
    Real r;
    reference::set(r, M.denormals == Denormals::kFlush ? reference::flushed(x) : x);
    mpfr_exp_t e = 0;
    if (mpfr_regular_p(r.v)) mpfr_frexp(&e, r.v, r.v, MPFR_RNDN);
    d.check(significand, reference::get<T>(r), x);
    d.check(exponent, static_cast<std::int32_t>(e), x);
    for (const int n :
         {0, 1, -1, 9, -9, -30, 140, -140, 300, -1060, 2098, -2098, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
      const T want =
          reference::unary<T>(M, x, [n](mpfr_ptr out, mpfr_srcptr v, mpfr_rnd_t direction) { return mpfr_mul_2si(out, v, n, direction); });
      d.check(scalar::ldexp<M>(x, n), want, x, n);
    }
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarFloatOps, FrexpAndLdexp) {
  checkFrexpAndLdexp<Half, scalar::kStrict>();
  checkFrexpAndLdexp<float, scalar::kStrict>();
  checkFrexpAndLdexp<float, scalar::kFlushing>();
  checkFrexpAndLdexp<float, scalar::kTruncating>();
  checkFrexpAndLdexp<double, scalar::kStrict>();
  checkFrexpAndLdexp<double, scalar::kTruncatingFlushing>();
}

// -1, 0, 1, or 2 if unordered.
template <Mode M, class T>
int order(T a, T b) {
  Real x, y;
  reference::set(x, M.denormals == Denormals::kFlush ? reference::flushed(a) : a);
  reference::set(y, M.denormals == Denormals::kFlush ? reference::flushed(b) : b);
  if (mpfr_unordered_p(x.v, y.v)) return 2;
  const int c = mpfr_cmp(x.v, y.v);
  return (c > 0) - (c < 0);
}

template <Mode M, class T>
void checkPair(Differences& d, T a, T b) {
  const int o = order<M>(a, b);
  d.check(scalar::fOrdEqual<M>(a, b), o == 0, a, b);
  d.check(scalar::fOrdNotEqual<M>(a, b), o == -1 || o == 1, a, b);
  d.check(scalar::fOrdLessThan<M>(a, b), o == -1, a, b);
  d.check(scalar::fOrdGreaterThan<M>(a, b), o == 1, a, b);
  d.check(scalar::fOrdLessThanEqual<M>(a, b), o == -1 || o == 0, a, b);
  d.check(scalar::fOrdGreaterThanEqual<M>(a, b), o == 1 || o == 0, a, b);
  d.check(scalar::fUnordEqual<M>(a, b), o == 0 || o == 2, a, b);
  d.check(scalar::fUnordNotEqual<M>(a, b), o != 0, a, b);
  d.check(scalar::fUnordLessThan<M>(a, b), o == -1 || o == 2, a, b);
  d.check(scalar::fUnordGreaterThan<M>(a, b), o > 0, a, b);
  d.check(scalar::fUnordLessThanEqual<M>(a, b), o != 1, a, b);
  d.check(scalar::fUnordGreaterThanEqual<M>(a, b), o != -1, a, b);
  const T fa = M.denormals == Denormals::kFlush ? reference::flushed(a) : a,
          fb = M.denormals == Denormals::kFlush ? reference::flushed(b) : b;
  const bool nanB = reference::isNan(b);
  const bool zeros = o == 0 && scalar::signOf(fa) != scalar::signOf(fb);
  const bool negativeA = scalar::signOf(fa) != 0;
  // By the words of the Profile: kNumber, kNumberSecond, kSecond.
  d.check(scalar::fMin<MinMax::kNumber, M>(a, b), o == -1 || (o == 2 && nanB) || (zeros && negativeA) ? fa : fb, a, b);
  d.check(scalar::fMax<MinMax::kNumber, M>(a, b), o == 1 || (o == 2 && nanB) || (zeros && !negativeA) ? fa : fb, a, b);
  d.check(scalar::fMin<MinMax::kNumberSecond, M>(a, b), o == -1 || (o == 2 && nanB) ? fa : fb, a, b);
  d.check(scalar::fMax<MinMax::kNumberSecond, M>(a, b), o == 1 || (o == 2 && nanB) ? fa : fb, a, b);
  d.check(scalar::fMin<MinMax::kSecond, M>(a, b), o == -1 ? fa : fb, a, b);
  d.check(scalar::fMax<MinMax::kSecond, M>(a, b), o == 1 ? fa : fb, a, b);
  d.check(scalar::nMin<MinMax::kSecond, M>(a, b), o == -1 || (o == 2 && nanB) ? fa : fb, a, b);
  d.check(scalar::nMax<MinMax::kNumber, M>(a, b), o == 1 || (o == 2 && nanB) || (zeros && !negativeA) ? fa : fb, a, b);
  d.check(scalar::step<M>(b, a), scalar::constant<T>(o == -1 ? 0.0 : 1.0), a, b);
}

template <class T, Mode M>
void checkPairs() {
  Differences d;
  const std::vector<T> corners = reference::corners<T>();
  for (const T a : corners)
    for (const T b : corners) checkPair<M>(d, a, b);
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarFloatOps, ComparisonsMinimumAndMaximum) {
  checkPairs<Half, scalar::kStrict>();
  checkPairs<float, scalar::kStrict>();
  checkPairs<float, scalar::kFlushing>();
  checkPairs<double, scalar::kStrict>();
}

// The values measured on the three devices (lavapipe, SwiftShader, NVIDIA).
TEST(ScalarFloatOps, MinimumAsMeasured) {
  const float nan = std::bit_cast<float>(0x7fc00000u);
  EXPECT_EQ(scalar::fMin<MinMax::kNumberSecond>(1.0f, nan), 1.0f);
  EXPECT_TRUE(scalar::isNan(scalar::fMin<MinMax::kSecond>(1.0f, nan)));
  EXPECT_EQ(scalar::fMin<MinMax::kNumber>(1.0f, nan), 1.0f);
  EXPECT_EQ(scalar::signOf(scalar::fMin<MinMax::kNumberSecond>(-0.0f, 0.0f)), 0u);
  EXPECT_EQ(scalar::signOf(scalar::fMin<MinMax::kSecond>(-0.0f, 0.0f)), 0u);
  EXPECT_NE(scalar::signOf(scalar::fMin<MinMax::kNumber>(-0.0f, 0.0f)), 0u);
  for (const float x : {nan, -0.0f, -3.0f}) {
    EXPECT_EQ(scalar::bitsOf(scalar::fClamp<MinMax::kNumberSecond>(x, 0.0f, 1.0f)), 0u);
    EXPECT_EQ(scalar::bitsOf(scalar::fClamp<MinMax::kSecond>(x, 0.0f, 1.0f)), 0u);
    EXPECT_EQ(scalar::bitsOf(scalar::nClamp<MinMax::kNumber>(x, 0.0f, 1.0f)), 0u);
  }
}

template <class T, Mode M>
void checkFormulas() {
  const auto add = [](T a, T b) { return reference::binary(M, a, b, mpfr_add); };
  const auto sub = [](T a, T b) { return reference::binary(M, a, b, mpfr_sub); };
  const auto mul = [](T a, T b) { return reference::binary(M, a, b, mpfr_mul); };
  const auto div = [](T a, T b) { return reference::binary(M, a, b, mpfr_div); };
  const T zero = scalar::constant<T>(0), one = scalar::constant<T>(1), two = scalar::constant<T>(2), three = scalar::constant<T>(3);
  Differences d;
  reference::Random r{17};
  T a = one;
  for (int i = 0; i < 10000; ++i) {
    const T b = reference::random(r, a), c = reference::random(r, one);
    const T q = div(a, b);
    d.check(scalar::fRem<M>(a, b), sub(a, mul(b, integral<T, mpfr_trunc>(M, q))), a, b);
    d.check(scalar::fMod<M>(a, b), sub(a, mul(b, integral<T, mpfr_floor>(M, q))), a, b);
    d.check(scalar::fMix<Mix::kWeights, M>(a, b, c), add(mul(a, sub(one, c)), mul(b, c)), a, b, c);
    d.check(scalar::fMix<Mix::kDelta, M>(a, b, c), add(a, mul(sub(b, a), c)), a, b, c);
    d.check(scalar::fMix<Mix::kFusedDelta, M>(a, b, c), reference::fma(M, sub(b, a), c, a), a, b, c);
    const T ratio = div(sub(c, a), sub(b, a));
    const T t = order<M>(ratio, zero) != 1 ? zero : order<M>(ratio, one) == -1 ? ratio : one;
    const T last = sub(three, mul(two, t));
    d.check(scalar::smoothStep<SmoothStep::kSquareFirst, M>(a, b, c), mul(mul(t, t), last), a, b, c);
    d.check(scalar::smoothStep<SmoothStep::kSquareLast, M>(a, b, c), mul(t, mul(t, last)), a, b, c);
    a = reference::random(r, b);
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarFloatOps, Formulas) {
  checkFormulas<Half, scalar::kStrict>();
  checkFormulas<float, scalar::kStrict>();
  checkFormulas<float, scalar::kFlushing>();
  checkFormulas<float, scalar::kTruncating>();
  checkFormulas<double, scalar::kStrict>();
}

template <class T, Mode M>
void checkInverseSqrt() {
  Differences correct, reciprocal;
  for (const T x : values<T>(30000)) {
    if (order<scalar::kStrict>(scalar::flush<M>(x), scalar::constant<T>(0)) == 0)
      continue;  // MPFR's rec_sqrt(-0) is +infinity, 1/sqrt(-0) is not
    if constexpr (!std::is_same_v<T, double>)
      correct.check(scalar::inverseSqrt<InverseSqrt::kCorrect, M>(x), reference::unary<T>(M, x, mpfr_rec_sqrt), x);
    const T root = reference::unary<T>(M, x, mpfr_sqrt);
    reciprocal.check(scalar::inverseSqrt<InverseSqrt::kReciprocal, M>(x), reference::binary(M, scalar::constant<T>(1), root, mpfr_div), x);
  }
  EXPECT_NO_DIFFERENCES(correct);
  EXPECT_NO_DIFFERENCES(reciprocal);
}

TEST(ScalarFloatOps, InverseSqrt) {
  checkInverseSqrt<Half, scalar::kStrict>();
  checkInverseSqrt<Half, scalar::kTruncating>();
  checkInverseSqrt<float, scalar::kStrict>();
  checkInverseSqrt<float, scalar::kTruncatingFlushing>();
  checkInverseSqrt<double, scalar::kStrict>();
}

TEST(ScalarFloatOps, SignsAndAngles) {
  const float nan = std::bit_cast<float>(0x7fc00000u);
  EXPECT_EQ(scalar::fSign(-3.0f), -1.0f);
  EXPECT_EQ(scalar::bitsOf(scalar::fSign(-0.0f)), 0u);
  EXPECT_EQ(scalar::bitsOf(scalar::fSign(nan)), 0u);
  EXPECT_EQ(scalar::fSign(Half{0x8001}).bits, 0xbc00);
  EXPECT_EQ(scalar::fSign<scalar::kFlushing>(Half{0x8001}).bits, 0);
  EXPECT_EQ(scalar::fAbs(Half{0xfe01}).bits, 0x7e01);
  EXPECT_EQ(scalar::fAbs<scalar::kFlushing>(-0x1p-140f), 0.0f);
  EXPECT_EQ(scalar::degrees(1.0f), 57.29578f);
  EXPECT_EQ(scalar::radians(180.0f), 3.1415927f);
  EXPECT_EQ(scalar::degrees(Half{0x3c00}).bits, 0x5329);
}

}  // namespace
}  // namespace lanewise
