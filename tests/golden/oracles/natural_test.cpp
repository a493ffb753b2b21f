// Big numbers and their rounding, against GMP and MPFR.
#include "golden/oracles/natural.h"

#include <gmp.h>
#include <mpfr.h>

#include "golden/image/random.h"

namespace lanewise::golden {
namespace {

// The same number twice: ours and GMP's.
struct Both {
  Natural ours;
  mpz_t theirs;
  Both() { mpz_init(theirs); }
  ~Both() { mpz_clear(theirs); }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;

  // Up to `limbs` random limbs, with runs of zeros and ones now and then.
  void random(std::uint64_t seed, std::uint64_t limbs) {
    ours = 0;
    mpz_set_ui(theirs, 0);
    for (std::uint64_t i = 0; i < splitMix64(seed, 99) % (limbs + 1); ++i) {
      std::uint64_t limb = splitMix64(seed, i);
      if (limb % 7 == 0) limb = 0;
      if (limb % 7 == 1) limb = ~std::uint64_t{0};
      ours = (ours << 64) + limb;
      mpz_mul_2exp(theirs, theirs, 64);
      mpz_add_ui(theirs, theirs, limb);
    }
  }
};

bool same(const Natural& ours, const mpz_t theirs) {
  Natural rest = ours;
  mpz_t t;
  mpz_init_set(t, theirs);
  bool equal = true;
  while (equal && (!rest.isZero() || mpz_sgn(t) != 0)) {
    equal = rest.low64() == mpz_get_ui(t);
    rest = rest >> 64;
    mpz_fdiv_q_2exp(t, t, 64);
  }
  mpz_clear(t);
  return equal;
}

TEST(GoldenNatural, ArithmeticAgreesWithGmp) {
  mpz_t r, q;
  mpz_init(r);
  mpz_init(q);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Both a, b;
    a.random(3 * i, 6);
    b.random(3 * i + 1, 4);
    mpz_add(r, a.theirs, b.theirs);
    ASSERT_TRUE(same(a.ours + b.ours, r));
    mpz_mul(r, a.theirs, b.theirs);
    ASSERT_TRUE(same(a.ours * b.ours, r));
    const bool greater = mpz_cmp(a.theirs, b.theirs) >= 0;
    ASSERT_EQ(a.ours >= b.ours, greater);
    mpz_sub(r, greater ? a.theirs : b.theirs, greater ? b.theirs : a.theirs);
    ASSERT_TRUE(same(greater ? a.ours - b.ours : b.ours - a.ours, r));
    const int shift = static_cast<int>(splitMix64(i, 5) % 200);
    mpz_mul_2exp(r, a.theirs, static_cast<mp_bitcnt_t>(shift));
    ASSERT_TRUE(same(a.ours << shift, r));
    mpz_fdiv_q_2exp(r, a.theirs, static_cast<mp_bitcnt_t>(shift));
    ASSERT_TRUE(same(a.ours >> shift, r));
    ASSERT_EQ(a.ours.bits(), a.ours.isZero() ? 0 : static_cast<int>(mpz_sizeinbase(a.theirs, 2)));
    mpz_sqrt(r, a.theirs);
    ASSERT_TRUE(same(squareRoot(a.ours), r));
    if (b.ours.isZero()) continue;
    mpz_fdiv_qr(q, r, a.theirs, b.theirs);
    ASSERT_TRUE(same(divide(a.ours, b.ours).quotient, q));
    ASSERT_TRUE(same(divide(a.ours, b.ours).remainder, r));
  }
  mpz_clear(r);
  mpz_clear(q);
}

// MPFR rounds a quotient or its square root to the nearest float.
float reference(const Both& p, const Both& q, bool root) {
  mpq_t ratio;
  mpq_init(ratio);
  mpz_set(mpq_numref(ratio), p.theirs);
  mpz_set(mpq_denref(ratio), q.theirs);
  mpq_canonicalize(ratio);
  mpfr_t wide, value;
  // Wide enough that an inexact root is not taken for a tie: a root of 800 bits of quotient that is no short number differs from one before
  // bit 1700.
  mpfr_init2(wide, 2000);
  mpfr_init2(value, 24);
  mpfr_set_q(wide, ratio, MPFR_RNDN);
  if (root) mpfr_sqrt(wide, wide, MPFR_RNDN);
  mpfr_set(value, wide, MPFR_RNDN);
  const float result = mpfr_get_flt(value, MPFR_RNDN);
  mpfr_clear(wide);
  mpfr_clear(value);
  mpq_clear(ratio);
  return result;
}

TEST(GoldenNatural, FractionsAndRootsRoundAsMpfrRounds) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Both p, q;
    p.random(2 * i, 3);
    q.random(2 * i + 1, 2);
    if (q.ours.isZero()) continue;
    const Ratio value{p.ours, q.ours};
    ASSERT_EQ(nearestFloat(value), reference(p, q, false)) << i;
    ASSERT_EQ(nearestFloatSqrt(value), reference(p, q, true)) << i;
  }
}

TEST(GoldenNatural, TiesGoToEven) {
  EXPECT_EQ(nearestFloat({(1u << 24) + 1, 1}), 16777216.0f);
  EXPECT_EQ(nearestFloat({(1u << 24) + 3, 1}), 16777220.0f);
  EXPECT_EQ(nearestFloat({Natural(((1ull << 24) + 1) << 20) + 1, 1u << 20}), 16777218.0f);
  const Natural odd = (1u << 24) + 1;  // the root of its square is a tie
  EXPECT_EQ(nearestFloatSqrt({odd * odd, 1}), 16777216.0f);
  EXPECT_EQ(nearestFloatSqrt({odd * odd + 1, 1}), 16777218.0f);
  EXPECT_EQ(nearestFloat({0, 5}), 0.0f);
  EXPECT_EQ(nearestFloatSqrt({4, 9}), 2.0f / 3);
}

}  // namespace
}  // namespace lanewise::golden
