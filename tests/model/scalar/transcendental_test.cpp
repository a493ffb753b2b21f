// Transcendental functions against MPFR: every half, and floats from corners, seeded random bits and the ranges where each function is
// hard. The largest error is printed. What is asserted, 0.501 units in the last place, is inside every limit of the Vulkan specification (3
// ULP for log, 3 + 2|x| for exp, 2^-11 absolute for sin and cos in [-pi, pi], 4096 ULP for atan and similar functions; the others inherit
// more).
#include "model/scalar/transcendental.h"
#include "tests/model/scalar/reference.h"
#include "tests/model/scalar/result_sums.h"

namespace lanewise {
namespace {

using reference::Real;
using scalar::Half;

// |got - exact| in units of the last place of the exact value; 0 where both are the same zero, infinity or NaN.
template <class T>
double ulps(T got, const Real& exact) {
  static Real g(96);
  reference::set(g, got);
  if (mpfr_nan_p(g.v) || mpfr_nan_p(exact.v)) return mpfr_nan_p(g.v) && mpfr_nan_p(exact.v) ? 0 : 1e30;
  if (mpfr_inf_p(exact.v) || mpfr_zero_p(exact.v))
    return mpfr_equal_p(g.v, exact.v) && mpfr_signbit(g.v) == mpfr_signbit(exact.v) ? 0 : 1e30;
  const auto exponent = static_cast<int>(mpfr_get_exp(exact.v));
  const int last = std::max(exponent, reference::kLeast<T>) - reference::Ieee<T>::precision;
  if (mpfr_inf_p(g.v)) {
    // Infinity stands for the first value that does not fit.
    mpfr_set_ui_2exp(g.v, 1, reference::Ieee<T>::emax, MPFR_RNDN);
    mpfr_copysign(g.v, g.v, exact.v, MPFR_RNDN);
    if (mpfr_cmpabs(exact.v, g.v) >= 0) return 0;
  }
  mpfr_sub(g.v, g.v, exact.v, MPFR_RNDN);
  mpfr_mul_2si(g.v, g.v, -last, MPFR_RNDN);
  return std::fabs(mpfr_get_d(g.v, MPFR_RNDN));
}

struct Worst {
  double error = 0, at = 0;
  int count = 0, misrounded = 0;
  void add(double e, double x) {
    ++count;
    misrounded += e > 0.5;
    if (e > error) error = e, at = x;
  }
};

void report(const char* name, const char* type, const Worst& w) {
  std::printf("  %-6s %-6s max %.6f ULP at %a; %d of %d not the nearest\n", name, type, w.error, w.at, w.misrounded, w.count);
  EXPECT_LE(w.error, 0.501) << name << " of " << type << " at " << w.at;
}

using Mpfr = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// The wanted value at 96 bits, and MPFR's NaNs where GLSL.std.450 says undefined.
template <class T>
void add(Worst& worst, Mpfr f, T got, T x) {
  static Real in, out(96);
  reference::set(in, x);
  f(out.v, in.v, MPFR_RNDN);
  worst.add(ulps(got, out), mpfr_get_d(in.v, MPFR_RNDN));
}

// Floats in [low, high], evenly in bits, and of both signs if low is negative.
std::vector<float> inputs(float low, float high) {
  std::vector<float> out = reference::corners<float>();
  reference::Random r{8};
  for (int i = 0; i < 3000; ++i) out.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(r.next())));
  for (int i = 0; i < 7000; ++i)
    out.push_back(low + static_cast<float>(static_cast<double>(r.next() >> 11) * 0x1p-53 * (static_cast<double>(high) - low)));
  for (int i = 0; i < 1500; ++i) out.push_back(1 + std::ldexp(static_cast<float>(static_cast<std::int32_t>(r.next() >> 32)), -31 - i % 20));
  return out;
}

template <float (*F)(float), Half (*H)(Half)>
void check(const char* name, Mpfr reference, float low, float high) {
  Worst single, half;
  for (const float x : inputs(low, high)) add(single, reference, F(x), x);
  report(name, "float", single);
  for (int i = 0; i < 65536; ++i) add(half, reference, H(Half{static_cast<std::uint16_t>(i)}), Half{static_cast<std::uint16_t>(i)});
  report(name, "half", half);
}

#define CHECK_FUNCTION(name, low, high) \
  check<scalar::name<scalar::kStrict, float>, scalar::name<scalar::kStrict, Half>>(#name, mpfr_##name, low, high)

TEST(ScalarTranscendental, Exponentials) {
  CHECK_FUNCTION(exp, -104.0f, 89.0f);
  CHECK_FUNCTION(exp2, -150.0f, 128.0f);
  CHECK_FUNCTION(log, 0.0f, 4.0f);
  CHECK_FUNCTION(log2, 0.0f, 4.0f);
}
TEST(ScalarTranscendental, Trigonometric) {
  CHECK_FUNCTION(sin, -7.0f, 7.0f);
  CHECK_FUNCTION(cos, -7.0f, 7.0f);
  CHECK_FUNCTION(tan, -7.0f, 7.0f);
}
TEST(ScalarTranscendental, InverseTrigonometric) {
  CHECK_FUNCTION(asin, -1.0f, 1.0f);
  CHECK_FUNCTION(acos, -1.0f, 1.0f);
  CHECK_FUNCTION(atan, -4.0f, 4.0f);
}
TEST(ScalarTranscendental, Hyperbolic) {
  CHECK_FUNCTION(sinh, -2.0f, 2.0f);
  CHECK_FUNCTION(cosh, -2.0f, 2.0f);
  CHECK_FUNCTION(tanh, -3.0f, 3.0f);
  CHECK_FUNCTION(asinh, -3.0f, 3.0f);
  CHECK_FUNCTION(acosh, 1.0f, 9.0f);
  CHECK_FUNCTION(atanh, -1.0f, 1.0f);
}

// The floats closest to multiples of pi/2, found by stepping through all exponents, are the hard ones of argument reduction.
TEST(ScalarTranscendental, LargeArgumentsNearMultiplesOfHalfPi) {
  Worst sine, cosine, tangent;
  reference::Random r{12};
  Real n(200), pi(400), x(400);
  mpfr_const_pi(pi.v, MPFR_RNDN);
  mpfr_div_2ui(pi.v, pi.v, 1, MPFR_RNDN);
  for (int i = 0; i < 8000; ++i) {
    mpfr_set_uj_2exp(n.v, r.next() >> (r.next() % 64), static_cast<int>(r.next() % 62), MPFR_RNDN);
    mpfr_mul(x.v, n.v, pi.v, MPFR_RNDN);
    const auto near = static_cast<float>(mpfr_get_d(x.v, MPFR_RNDN));
    add(sine, mpfr_sin, scalar::sin(near), near);
    add(cosine, mpfr_cos, scalar::cos(-near), -near);
    add(tangent, mpfr_tan, scalar::tan(near), near);
  }
  report("sin", "float", sine);
  report("cos", "float", cosine);
  report("tan", "float", tangent);
}

template <class T>
void checkPairs(const char* type) {
  Worst power, angle;
  reference::Random r{13};
  const auto test = [&](T a, T b) {
    Real x, y, out(96);
    reference::set(x, a);
    reference::set(y, b);
    mpfr_atan2(out.v, x.v, y.v, MPFR_RNDN);
    angle.add(ulps(scalar::atan2(a, b), out), mpfr_get_d(x.v, MPFR_RNDN));
    // Defined for x > 0, and for x = 0 with y > 0.
    if (!(mpfr_regular_p(x.v) && mpfr_sgn(x.v) > 0 && mpfr_number_p(y.v))) return;
    mpfr_pow(out.v, x.v, y.v, MPFR_RNDN);
    power.add(ulps(scalar::pow(a, b), out), mpfr_get_d(x.v, MPFR_RNDN));
  };
  for (const T a : reference::corners<T>())
    for (const T b : reference::corners<T>()) test(a, b);
  for (int i = 0; i < 10000; ++i) {
    const T a = reference::random(r, scalar::constant<T>(1));
    test(a, reference::random(r, a));
    const double x = static_cast<double>(r.next() >> 11) * 0x1p-50;
    test(scalar::constant<T>(x),
         scalar::constant<T>((static_cast<double>(r.next() >> 11) * 0x1p-52 - 1) * (sizeof(T) == 4 ? 128 : 16) / std::fabs(std::log2(x))));
  }
  report("pow", type, power);
  report("atan2", type, angle);
}

TEST(ScalarTranscendental, Pairs) {
  checkPairs<float>("float");
  checkPairs<Half>("half");
}

TEST(ScalarTranscendental, SpecialPowers) {
  const float nan = std::bit_cast<float>(0x7fc00000u), infinity = std::bit_cast<float>(0x7f800000u);
  EXPECT_EQ(scalar::pow(0.0f, 0.0f), 1.0f);
  EXPECT_EQ(scalar::pow<PowZeroZero::kZero>(-0.0f, 0.0f), 0.0f);
  EXPECT_TRUE(scalar::isNan(scalar::pow<PowZeroZero::kNan>(0.0f, 0.0f)));
  EXPECT_EQ(scalar::pow(0.0f, 2.0f), 0.0f);
  EXPECT_EQ(scalar::pow(0.0f, -2.0f), infinity);
  EXPECT_TRUE(scalar::isNan(scalar::pow(-1.0f, 2.0f)));
  EXPECT_TRUE(scalar::isNan(scalar::pow(nan, 0.0f)));
  EXPECT_EQ(scalar::pow(7.0f, 0.0f), 1.0f);
  EXPECT_EQ(scalar::pow(10.0f, 10.0f), 1e10f);
  EXPECT_EQ(scalar::exp2<scalar::kTruncating>(infinity), infinity);
  EXPECT_EQ(scalar::exp<scalar::kTruncating>(200.0f), std::bit_cast<float>(0x7f7fffffu));
  EXPECT_EQ(scalar::exp2<scalar::kFlushing>(-130.0f), 0.0f);
  EXPECT_EQ(scalar::exp2(-130.0f), 0x1p-130f);
}

// Not one bit changes. At night all operands are tried.
TEST(ScalarTranscendental, ResultsStayAsTheyAre) {
  for (const reference::ResultSum& known : reference::kResultSums) {
    std::uint64_t sum = 0;
    for (std::uint64_t u = 0; u < std::uint64_t{1} << 32; u += 4093) {
      const auto operand = static_cast<std::uint32_t>(u);
      sum += reference::termOf(operand, scalar::bitsOf(known.function(scalar::fromBits<float>(operand))));
    }
    EXPECT_EQ(sum, known.some) << known.name;
  }
}

// What vector code computes, where it is near enough; the operand beside the bound is a near miss.
TEST(ScalarTranscendental, NearFormsAreTheFunctions) {
  const float far = static_cast<float>(scalar::precise::kFar);
  EXPECT_TRUE(scalar::isNear(-std::nextafter(far, 0.0f)));
  EXPECT_FALSE(scalar::isNear(far));
  EXPECT_FALSE(scalar::isNear(-far));
  EXPECT_FALSE(scalar::isNear(scalar::fromBits<float>(scalar::kNan<float>)));
  const float beyond = 0x1.fffffep+40f;
  EXPECT_NE(scalar::bitsOf(scalar::sinNear(beyond)), scalar::bitsOf(scalar::sin(beyond)));
  for (std::uint64_t u = 0; u < std::uint64_t{1} << 32; u += 4093) {
    const auto x = scalar::fromBits<float>(static_cast<std::uint32_t>(u));
    if (!scalar::isNear(x)) continue;
    ASSERT_EQ(scalar::bitsOf(scalar::sinNear(x)), scalar::bitsOf(scalar::sin(x))) << x;
    ASSERT_EQ(scalar::bitsOf(scalar::cosNear(x)), scalar::bitsOf(scalar::cos(x))) << x;
    ASSERT_EQ(scalar::bitsOf(scalar::tanNear(x)), scalar::bitsOf(scalar::tan(x))) << x;
  }
}

}  // namespace
}  // namespace lanewise
