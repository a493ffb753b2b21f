// The sRGB tables against the curve itself, computed by MPFR to 60 digits; a wrong row is printed as it should be.
#include "golden/oracles/srgb_tables.h"

#include <mpfr.h>

#include <cmath>

#include "golden/image/inputs.h"
#include "golden/oracles/mean_pyramid.h"

namespace lanewise::golden {
namespace {

// round(2^24 * decode(twice / 510)) and, through `tie`, how far from a tie that was.
std::uint32_t unitsOf(unsigned twice, double& tie) {
  mpfr_t s, t;
  mpfr_init2(s, 200);
  mpfr_init2(t, 200);
  mpfr_set_ui(s, twice, MPFR_RNDN);
  mpfr_div_ui(s, s, 510, MPFR_RNDN);
  if (twice * 100000ull <= 4045ull * 510) {
    mpfr_set_str(t, "12.92", 10, MPFR_RNDN);
    mpfr_div(s, s, t, MPFR_RNDN);
  } else {
    mpfr_set_str(t, "0.055", 10, MPFR_RNDN);
    mpfr_add(s, s, t, MPFR_RNDN);
    mpfr_set_str(t, "1.055", 10, MPFR_RNDN);
    mpfr_div(s, s, t, MPFR_RNDN);
    mpfr_set_str(t, "2.4", 10, MPFR_RNDN);
    mpfr_pow(s, s, t, MPFR_RNDN);
  }
  mpfr_mul_2ui(s, s, 24, MPFR_RNDN);
  mpfr_round(t, s);
  const auto units = static_cast<std::uint32_t>(mpfr_get_ui(t, MPFR_RNDN));
  mpfr_sub(t, s, t, MPFR_RNDN);
  tie = 0.5 - std::fabs(mpfr_get_d(t, MPFR_RNDN));
  mpfr_clear(s);
  mpfr_clear(t);
  return units;
}

TEST(GoldenSrgb, TablesAreTheCurve) {
  double tie = 0, nearestTie = 1;
  for (unsigned v = 0; v < 256; ++v) {
    EXPECT_EQ(kSrgbDecode[v], unitsOf(2 * v, tie)) << "kSrgbDecode[" << v << "] = " << unitsOf(2 * v, tie);
    nearestTie = std::min(nearestTie, tie);
  }
  for (unsigned k = 0; k < 255; ++k) {
    EXPECT_EQ(kSrgbThreshold[k], unitsOf(2 * k + 1, tie)) << "kSrgbThreshold[" << k << "] = " << unitsOf(2 * k + 1, tie);
    nearestTie = std::min(nearestTie, tie);
  }
  EXPECT_GT(nearestTie, 1e-4);  // far more than 60 digits need
}

TEST(GoldenSrgb, EveryCodeIsFoundAgain) {
  for (unsigned v = 0; v < 256; ++v) EXPECT_EQ(srgbCode(kSrgbDecode[v], 1), v);
  for (unsigned k = 0; k < 255; ++k) {
    EXPECT_EQ(srgbCode(kSrgbThreshold[k], 1), k + 1);
    EXPECT_EQ(srgbCode(3 * std::uint64_t{kSrgbThreshold[k]} - 1, 3), k);
  }
}

// Against the formula in double precision, wherever that is not within a thousandth of a code of a tie.
TEST(GoldenSrgb, MeansOfTwoAreTheFormulas) {
  const auto decode = [](double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); };
  const auto encode = [](double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055; };
  unsigned compared = 0;
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b <= a; ++b) {
      const double code = 255 * encode((decode(a / 255.0) + decode(b / 255.0)) / 2);
      if (std::fabs(code - std::floor(code) - 0.5) < 1e-3) continue;
      ASSERT_EQ(srgbCode(std::uint64_t{kSrgbDecode[a]} + kSrgbDecode[b], 2), std::lround(code)) << a << " " << b;
      ++compared;
    }
  EXPECT_GT(compared, 32000u);
}

TEST(GoldenSrgb, AlphaIsLinear) {
  const Image chain = *pyramid({.encoding = Encoding::kSrgb}, *makeInput("list:255,0", {2, 1}), 2);
  EXPECT_EQ(chain.get<std::uint8_t>(1, 0, 0, 0), 188);  // half the light
  EXPECT_EQ(chain.get<std::uint8_t>(1, 0, 0, 3), 128);
}

}  // namespace
}  // namespace lanewise::golden
