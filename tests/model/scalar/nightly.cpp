// All 2^32 floats through each conversion and store, against references built from exact boundaries or integer arithmetic. Minutes, not
// seconds: run by `ctest -L nightly` only.
//
// A rounding to a set of codes is a staircase: if every step stands where exact arithmetic puts it, and the function is constant between
// steps, the function is right everywhere. MPFR finds the steps; the sweep then compares every float with the step it stands on.
#include <thread>

#include "model/scalar/convert.h"
#include "model/scalar/texel.h"
#include "model/scalar/transcendental.h"
#include "tests/model/scalar/reference.h"
#include "tests/model/scalar/result_sums.h"

namespace lanewise {
namespace {

using reference::Real;
using scalar::Half;

// The sum of term(bits) over every 32-bit pattern, on all cores.
template <class Term>
std::uint64_t sumOver(Term term) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::uint64_t> sums(threads, 0);
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; ++t)
    pool.emplace_back([&, t] {
      std::uint64_t sum = 0;
      const std::uint64_t from = (std::uint64_t{t} << 32) / threads, to = (std::uint64_t{t + 1} << 32) / threads;
      for (std::uint64_t u = from; u < to; ++u) sum += term(static_cast<std::uint32_t>(u));
      sums[t] = sum;
    });
  for (std::thread& t : pool) t.join();
  std::uint64_t all = 0;
  for (const std::uint64_t sum : sums) all += sum;
  return all;
}

// For how many patterns test(bits) returned false.
template <class Test>
std::uint64_t sweep(Test test) {
  return sumOver([&](std::uint32_t u) { return std::uint64_t{!test(u)}; });
}

// The code of each positive float, from the first float (as bits) at which each code begins. `code(x)` is exact and does not fall.
class Staircase {
 public:
  template <class Code>
  Staircase(std::uint32_t codes, Code code) {
    begins_.assign(codes + 1, 0x7f800001u);  // from +0 to +infinity
    begins_[0] = 0;
    for (std::uint32_t k = 1; k < codes; ++k) {
      std::uint64_t low = begins_[k - 1], high = 0x7f800001u;
      while (low < high) {
        const std::uint64_t middle = (low + high) / 2;
        if (code(std::bit_cast<float>(static_cast<std::uint32_t>(middle))) >= k) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      begins_[k] = low;
    }
  }
  bool standsOn(std::uint32_t magnitude, std::uint32_t code) const {
    return code + 1 < begins_.size() && magnitude >= begins_[code] && magnitude < begins_[code + 1];
  }

 private:
  std::vector<std::uint64_t> begins_;
};

bool isNan(std::uint32_t u) {
  return (u & 0x7fffffffu) > 0x7f800000u;
}

template <Rounding R>
void checkHalves() {
  const scalar::Mode mode{R, Denormals::kPreserve};
  const Staircase steps(0x7c01, [mode](float x) { return std::uint32_t{reference::unary<Half>(mode, x, mpfr_set).bits}; });
  EXPECT_EQ(sweep([&](std::uint32_t u) {
              const std::uint32_t h = scalar::halfFromFloat<R>(std::bit_cast<float>(u)).bits;
              if ((h & 0x8000u) != (u >> 16 & 0x8000u)) return false;
              return isNan(u) ? (h & 0x7fffu) == (0x7e00u | (u >> 13 & 0x3ffu)) : steps.standsOn(u & 0x7fffffffu, h & 0x7fffu);
            }),
            0u);
}

TEST(Nightly, FloatToHalfToNearest) {
  checkHalves<Rounding::kToNearestEven>();
}
TEST(Nightly, FloatToHalfTowardZero) {
  checkHalves<Rounding::kTowardZero>();
}

// roundEven(fl(max * min(x, 1))).
std::uint32_t normalized(float x, int max) {
  Real r(24);
  reference::set(r, x);
  if (mpfr_cmp_si(r.v, 1) > 0) mpfr_set_si(r.v, 1, MPFR_RNDN);
  mpfr_mul_si(r.v, r.v, max, MPFR_RNDN);
  mpfr_roundeven(r.v, r.v);
  return static_cast<std::uint32_t>(mpfr_get_ui(r.v, MPFR_RNDN));
}

template <int Bits>
void checkUnorm() {
  const Staircase steps(1u << Bits, [](float x) { return normalized(x, (1 << Bits) - 1); });
  EXPECT_EQ(sweep([&](std::uint32_t u) {
              const std::uint32_t code = scalar::encodeUnorm<Bits>(std::bit_cast<float>(u));
              const std::uint32_t stored = scalar::storeUnorm(std::bit_cast<float>(u), Bits, {});
              return code == stored && (isNan(u) || u >> 31 != 0 ? code == 0 : steps.standsOn(u, code));
            }),
            0u);
}

template <int Bits>
void checkSnorm() {
  constexpr int max = (1 << (Bits - 1)) - 1;
  const Staircase steps(max + 1, [](float x) { return normalized(x, max); });
  EXPECT_EQ(sweep([&](std::uint32_t u) {
              const std::int32_t code = scalar::encodeSnorm<Bits>(std::bit_cast<float>(u));
              if (isNan(u)) return code == -max;
              return (u >> 31 == 0 ? code >= 0 : code <= 0) && steps.standsOn(u & 0x7fffffffu, static_cast<std::uint32_t>(std::abs(code)));
            }),
            0u);
}

TEST(Nightly, Unorm8) {
  checkUnorm<8>();
}
TEST(Nightly, Unorm10) {
  checkUnorm<10>();
}
TEST(Nightly, Unorm16) {
  checkUnorm<16>();
}
TEST(Nightly, Snorm8) {
  checkSnorm<8>();
}
TEST(Nightly, Snorm16) {
  checkSnorm<16>();
}

// The measured count of floats in [0, 2) where NVIDIA's twelve bits and rounding to nearest differ.
TEST(Nightly, TwelveBitStoreDiffersAsOftenAsMeasured) {
  std::uint64_t different = 0;
  for (std::uint32_t u = 0; u < 0x40000000u; ++u) {
    const float x = std::bit_cast<float>(u);
    different += scalar::storeUnorm(x, 8, {.encode = NormEncode::kTruncated}) != scalar::storeUnorm(x, 8, {});
  }
  EXPECT_EQ(different, 3407743u);
}

TEST(Nightly, Srgb) {
  const Staircase steps(256, [](float x) {
    Real r(200), t(200);
    reference::set(r, x);
    if (mpfr_cmp_si(r.v, 1) >= 0) return 255u;
    if (mpfr_cmp_d(r.v, 0.0031308) <= 0) {
      mpfr_mul_ui(r.v, r.v, 1292, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 100, MPFR_RNDN);
    } else {
      mpfr_set_ui(t.v, 10, MPFR_RNDN), mpfr_div_ui(t.v, t.v, 24, MPFR_RNDN), mpfr_pow(r.v, r.v, t.v, MPFR_RNDN);
      mpfr_mul_ui(r.v, r.v, 1055, MPFR_RNDN), mpfr_sub_ui(r.v, r.v, 55, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 1000, MPFR_RNDN);
    }
    mpfr_mul_ui(r.v, r.v, 255, MPFR_RNDN), mpfr_round(r.v, r.v);
    return static_cast<std::uint32_t>(mpfr_get_ui(r.v, MPFR_RNDN));
  });
  EXPECT_EQ(sweep([&](std::uint32_t u) {
              const std::uint32_t code = scalar::encodeSrgb(std::bit_cast<float>(u));
              return isNan(u) || u >> 31 != 0 ? code == 0 : steps.standsOn(u, code);
            }),
            0u);
}

TEST(Nightly, SmallFloats) {
  for (const int bits : {11, 10}) {
    const std::uint32_t infinity = 31u << (bits - 5);
    const Staircase steps(infinity + 1, [&](float x) {
      // The fraction of bits - 5 places, ties to even, in exact arithmetic.
      Real r(64);
      reference::set(r, x);
      if (mpfr_inf_p(r.v)) return infinity;
      const int exponent = mpfr_zero_p(r.v) ? -14 : std::max(-14, static_cast<int>(mpfr_get_exp(r.v)) - 1);
      mpfr_mul_2si(r.v, r.v, bits - 5 - exponent, MPFR_RNDN);
      mpfr_roundeven(r.v, r.v);
      const auto code = mpfr_get_uj(r.v, MPFR_RNDN) + (static_cast<std::uint64_t>(exponent + 14) << (bits - 5));
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(code, infinity));
    });
    EXPECT_EQ(sweep([&](std::uint32_t u) {
                const std::uint32_t code = scalar::encodeSmallFloat<Rounding::kToNearestEven>(std::bit_cast<float>(u), bits);
                return isNan(u) ? code > infinity : u >> 31 != 0 ? code == 0 : steps.standsOn(u, code);
              }),
              0u);
  }
}

// Truncation and saturation by shifting the significand.
template <class I>
I truncated(std::uint32_t u) {
  using L = std::numeric_limits<I>;
  if (isNan(u)) return 0;
  const int exponent = static_cast<int>(u >> 23 & 0xff) - 150;
  const std::uint64_t m = (u & 0x7fffffu) | 0x800000u;
  const bool negative = u >> 31 != 0;
  if (exponent > 8) return negative ? L::min() : L::max();
  const std::uint64_t magnitude = exponent >= 0 ? m << exponent : exponent > -64 ? m >> -exponent : 0;
  if (negative) return !std::is_signed_v<I> ? I{0} : magnitude > 0x80000000u ? L::min() : static_cast<I>(0 - magnitude);
  return magnitude > static_cast<std::uint64_t>(L::max()) ? L::max() : static_cast<I>(magnitude);
}

TEST(Nightly, FloatToInteger) {
  EXPECT_EQ(sweep([](std::uint32_t u) {
              const float x = std::bit_cast<float>(u);
              return scalar::convertFToI<std::int32_t>(x) == truncated<std::int32_t>(u) &&
                     scalar::convertFToI<std::uint32_t>(x) == truncated<std::uint32_t>(u);
            }),
            0u);
}

// The significand by shifting, rounded on what was shifted out.
std::uint32_t floatBits(std::uint64_t magnitude, bool negative, bool nearest) {
  if (magnitude == 0) return 0;
  const int length = 64 - std::countl_zero(magnitude), extra = length - 24;
  std::uint64_t m = extra > 0 ? magnitude >> extra : magnitude << -extra;
  if (nearest && extra > 0) {
    const std::uint64_t rest = magnitude & ((std::uint64_t{1} << extra) - 1), tie = std::uint64_t{1} << (extra - 1);
    m += rest > tie || (rest == tie && (m & 1) != 0) ? 1 : 0;
  }
  return (static_cast<std::uint32_t>(length + 125) << 23) + static_cast<std::uint32_t>(m) + (negative ? 0x80000000u : 0u);
}

TEST(Nightly, IntegerToFloat) {
  EXPECT_EQ(sweep([](std::uint32_t u) {
              const auto s = static_cast<std::int32_t>(u);
              const std::uint64_t magnitude = s < 0 ? 0x100000000u - u : u;
              return scalar::bitsOf(scalar::convertIToF<float>(u)) == floatBits(u, false, true) &&
                     scalar::bitsOf(scalar::convertIToF<float>(s)) == floatBits(magnitude, s < 0, true) &&
                     scalar::bitsOf(scalar::convertIToF<float, scalar::kTruncating>(u)) == floatBits(u, false, false) &&
                     scalar::bitsOf(scalar::convertIToF<float, scalar::kTruncating>(s)) == floatBits(magnitude, s < 0, false);
            }),
            0u);
}

// Two binades hold every significand of a root; the rest differs by a power of two.
TEST(Nightly, InverseSqrtOfEverySignificand) {
  reference::Differences d;
  for (std::uint32_t u = 0x3f800000u; u < 0x40800000u; ++u) {
    const float x = std::bit_cast<float>(u);
    d.check(scalar::inverseSqrt(x), reference::unary<float>(scalar::kStrict, x, mpfr_rec_sqrt), x);
  }
  EXPECT_NO_DIFFERENCES(d);
}

// Every pair of halves: division is the operation whose double rounding has the least room.
TEST(Nightly, HalfDivisionOfEveryPair) {
  EXPECT_EQ(sweep([](std::uint32_t u) {
              const Half a{static_cast<std::uint16_t>(u)}, b{static_cast<std::uint16_t>(u >> 16)};
              // A double quotient lies on the right side of every boundary of halves; halfFromDouble rounds it once.
              const Half want = scalar::canonical(scalar::halfFromDouble(scalar::toDouble(a) / scalar::toDouble(b)));
              return scalar::fDiv(a, b).bits == want.bits;
            }),
            0u);
}

// Every 1021st float: how many results are not the nearest float.
TEST(Nightly, TranscendentalsDensely) {
  const struct {
    const char* name;
    float (*ours)(float);
    int (*mpfr)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  } functions[] = {
      {"exp", scalar::exp<scalar::kStrict, float>, mpfr_exp},       {"exp2", scalar::exp2<scalar::kStrict, float>, mpfr_exp2},
      {"log", scalar::log<scalar::kStrict, float>, mpfr_log},       {"log2", scalar::log2<scalar::kStrict, float>, mpfr_log2},
      {"sin", scalar::sin<scalar::kStrict, float>, mpfr_sin},       {"cos", scalar::cos<scalar::kStrict, float>, mpfr_cos},
      {"tan", scalar::tan<scalar::kStrict, float>, mpfr_tan},       {"asin", scalar::asin<scalar::kStrict, float>, mpfr_asin},
      {"acos", scalar::acos<scalar::kStrict, float>, mpfr_acos},    {"atan", scalar::atan<scalar::kStrict, float>, mpfr_atan},
      {"sinh", scalar::sinh<scalar::kStrict, float>, mpfr_sinh},    {"cosh", scalar::cosh<scalar::kStrict, float>, mpfr_cosh},
      {"tanh", scalar::tanh<scalar::kStrict, float>, mpfr_tanh},    {"asinh", scalar::asinh<scalar::kStrict, float>, mpfr_asinh},
      {"acosh", scalar::acosh<scalar::kStrict, float>, mpfr_acosh}, {"atanh", scalar::atanh<scalar::kStrict, float>, mpfr_atanh},
  };
  for (const auto& f : functions) {
    std::uint64_t count = 0, misrounded = 0;
    std::uint32_t first = 0;
    for (std::uint64_t u = 0; u < std::uint64_t{1} << 32; u += 1021) {
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(u));
      const float want = reference::unary<float>(scalar::kStrict, x, f.mpfr);
      ++count;
      if (reference::bits(f.ours(x)) != reference::bits(want) && misrounded++ == 0) first = static_cast<std::uint32_t>(u);
    }
    std::printf("  %-6s %llu of %llu not the nearest float; first %08x\n", f.name, static_cast<unsigned long long>(misrounded),
                static_cast<unsigned long long>(count), first);
    EXPECT_LE(misrounded, 2u) << f.name;
  }
}

// Every float: the results stay as they are, and the forms near 0 are the functions.
TEST(Nightly, TranscendentalsOfEveryFloat) {
  for (const reference::ResultSum& known : reference::kResultSums) {
    const std::uint64_t sum =
        sumOver([&](std::uint32_t u) { return reference::termOf(u, scalar::bitsOf(known.function(std::bit_cast<float>(u)))); });
    std::printf("  %-6s 0x%016llx\n", known.name, static_cast<unsigned long long>(sum));
    if (known.all != 0) {
      EXPECT_EQ(sum, known.all) << known.name;
    }
  }
  const auto same = [](float a, float b) { return scalar::bitsOf(a) == scalar::bitsOf(b); };
  EXPECT_EQ(sweep([&](std::uint32_t u) {
              const float x = std::bit_cast<float>(u);
              return !scalar::isNear(x) || (same(scalar::sinNear(x), scalar::sin(x)) && same(scalar::cosNear(x), scalar::cos(x)) &&
                                            same(scalar::tanNear(x), scalar::tan(x)));
            }),
            0u);
}

}  // namespace
}  // namespace lanewise
