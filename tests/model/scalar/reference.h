// The reference for scalar tests: MPFR, with IEEE exponent ranges and gradual underflow set up here from the formats' definition, and the
// inputs. Nothing of model/scalar is used but its types (Half, Mode).
#pragma once

#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "model/scalar/mode.h"

namespace lanewise::reference {

using scalar::Half;
using scalar::Mode;

template <class T>
struct Ieee;
template <>
struct Ieee<Half> {
  using Bits = std::uint16_t;
  static constexpr int precision = 11, emax = 16;
};
template <>
struct Ieee<float> {
  using Bits = std::uint32_t;
  static constexpr int precision = 24, emax = 128;
};
template <>
struct Ieee<double> {
  using Bits = std::uint64_t;
  static constexpr int precision = 53, emax = 1024;
};
template <class T>
inline constexpr int kLeast = 3 - Ieee<T>::emax;  // the smallest normal is 2^(kLeast-1); MPFR's significand is in [0.5, 1)

template <class T>
typename Ieee<T>::Bits bits(T x) {
  return std::bit_cast<typename Ieee<T>::Bits>(x);
}

// Those that helpers keep from call to call are thread_local: making one costs more than most operations on it.
struct Real {
  mpfr_t v;
  explicit Real(mpfr_prec_t precision = 53) { mpfr_init2(v, precision); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(v); }
};

// The exact value of a bit pattern; every NaN is NaN.
template <class T>
void set(Real& r, T x) {
  using I = Ieee<T>;
  const auto u = static_cast<std::uint64_t>(bits(x));
  constexpr int fraction = I::precision - 1;
  const std::uint64_t top = std::uint64_t{1} << fraction;
  const bool negative = ((u >> (sizeof(T) * 8 - 1)) & 1) != 0;
  const auto exponent = static_cast<int>((u >> fraction) & static_cast<std::uint64_t>(2 * I::emax - 1));
  const std::uint64_t m = u & (top - 1);
  if (exponent == 2 * I::emax - 1) {
    if (m != 0) return mpfr_set_nan(r.v);
    return mpfr_set_inf(r.v, negative ? -1 : 1);
  }
  const bool denormal = exponent == 0;
  mpfr_set_uj_2exp(r.v, denormal ? m : m | top, (denormal ? 1 : exponent) - (I::emax - 1) - fraction, MPFR_RNDN);
  if (negative) mpfr_neg(r.v, r.v, MPFR_RNDN);
}

template <class T>
bool isNan(T x) {
  thread_local Real r;
  set(r, x);
  return mpfr_nan_p(r.v) != 0;
}

// The bits of a value that T holds exactly.
template <class T>
T get(const Real& r) {
  using I = Ieee<T>;
  using B = typename I::Bits;
  constexpr int fraction = I::precision - 1;
  const std::uint64_t infinity = static_cast<std::uint64_t>(2 * I::emax - 1) << fraction;
  std::uint64_t u = 0;
  if (mpfr_nan_p(r.v)) {
    u = infinity | (std::uint64_t{1} << (fraction - 1));
  } else if (mpfr_inf_p(r.v)) {
    u = infinity;
  } else if (!mpfr_zero_p(r.v)) {
    const int e = static_cast<int>(mpfr_get_exp(r.v));
    const int least = kLeast<T> - 1 - fraction;  // exponent of a denormal's last place
    const int last = e - I::precision > least ? e - I::precision : least;
    thread_local Real scaled(64);
    mpfr_mul_2si(scaled.v, r.v, -last, MPFR_RNDN);
    mpfr_abs(scaled.v, scaled.v, MPFR_RNDN);
    const std::uint64_t m = mpfr_get_uj(scaled.v, MPFR_RNDN);
    u = m + (static_cast<std::uint64_t>(last - least) << fraction);
  }
  if (mpfr_signbit(r.v) && !mpfr_nan_p(r.v)) u |= std::uint64_t{1} << (sizeof(T) * 8 - 1);
  return std::bit_cast<T>(static_cast<B>(u));
}

template <class T>
T flushed(T x) {
  using B = typename Ieee<T>::Bits;
  const auto sign = static_cast<B>(B{1} << (sizeof(T) * 8 - 1));
  const auto magnitude = static_cast<B>(bits(x) & static_cast<B>(~sign));
  const bool denormal = magnitude < static_cast<B>(B{1} << (Ieee<T>::precision - 1));
  return denormal ? std::bit_cast<T>(static_cast<B>(bits(x) & sign)) : x;
}

inline void wideExponents() {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

// op(result, direction) computes one operation of MPFR and returns its ternary value; here rounded once to T in the mode.
template <class T, class Op>
T rounded(Mode mode, Op op) {
  using I = Ieee<T>;
  const bool nearest = mode.rounding == Rounding::kToNearestEven;
  const mpfr_rnd_t direction = nearest ? MPFR_RNDN : MPFR_RNDZ;
  thread_local Real r(I::precision);
  int ternary = op(r.v, direction);
  if (mode.denormals == Denormals::kFlush && mpfr_regular_p(r.v) && mpfr_get_exp(r.v) < kLeast<T>) {
    const bool negative = mpfr_signbit(r.v) != 0;
    mpfr_set_zero(r.v, negative ? -1 : 1);
    return get<T>(r);
  }
  mpfr_set_emin(kLeast<T> - I::precision + 1);
  mpfr_set_emax(I::emax);
  ternary = mpfr_check_range(r.v, ternary, direction);
  mpfr_subnormalize(r.v, ternary, direction);
  wideExponents();
  return get<T>(r);
}

// An operation of MPFR on up to three operands of type From, flushed as the mode says, rounded once to T.
template <class T, class From, class Op>
T unary(Mode mode, From a, Op op) {
  const bool daz = mode.denormals == Denormals::kFlush;
  thread_local Real x;
  set(x, daz ? flushed(a) : a);
  return rounded<T>(mode, [&](mpfr_ptr r, mpfr_rnd_t d) { return op(r, x.v, d); });
}
template <class T, class Op>
T binary(Mode mode, T a, T b, Op op) {
  const bool daz = mode.denormals == Denormals::kFlush;
  thread_local Real x, y;
  set(x, daz ? flushed(a) : a);
  set(y, daz ? flushed(b) : b);
  return rounded<T>(mode, [&](mpfr_ptr r, mpfr_rnd_t d) { return op(r, x.v, y.v, d); });
}
template <class T>
T fma(Mode mode, T a, T b, T c) {
  const bool daz = mode.denormals == Denormals::kFlush;
  thread_local Real x, y, z;
  set(x, daz ? flushed(a) : a);
  set(y, daz ? flushed(b) : b);
  set(z, daz ? flushed(c) : c);
  return rounded<T>(mode, [&](mpfr_ptr r, mpfr_rnd_t d) { return mpfr_fma(r, x.v, y.v, z.v, d); });
}

// --- Inputs ------------------------------------------------------------------------------------------------------------------------------

// SplitMix64: the same numbers on every host.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

// Interesting floats: every special, and telling significands at telling exponents, of both signs.
template <class T>
std::vector<T> corners() {
  using I = Ieee<T>;
  using B = typename I::Bits;
  constexpr int fraction = I::precision - 1;
  const std::uint64_t top = std::uint64_t{1} << fraction, last = 2 * I::emax - 1;
  const std::uint64_t bias = I::emax - 1, p = I::precision;
  std::vector<T> out;
  for (const std::uint64_t e : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, bias - p - 1, bias - p, bias - 2, bias - 1, bias,
                                bias + 1, bias + p - 1, bias + p, last - 2, last - 1, last})
    for (const std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1}, top / 2 - 1, top / 2, top / 2 + 1, top - 2, top - 1})
      for (const std::uint64_t sign : {0, 1})
        out.push_back(std::bit_cast<T>(static_cast<B>(sign << (sizeof(T) * 8 - 1) | e << fraction | m)));
  return out;
}

// Random bits, but in half of the cases an exponent close to that of `near`, so that sums cancel and products reach the denormals.
template <class T>
T random(Random& r, T near) {
  using I = Ieee<T>;
  using B = typename I::Bits;
  constexpr int fraction = I::precision - 1;
  const std::uint64_t u = r.next();
  auto x = static_cast<B>(u);
  if ((r.next() & 1) != 0) {
    const auto mask = static_cast<B>(static_cast<B>(2 * I::emax - 1) << fraction);
    const std::uint64_t shift = r.next() % 5;
    const auto e = static_cast<B>((static_cast<std::uint64_t>(bits(near) & mask) + (shift << fraction)) & mask);
    x = static_cast<B>((x & static_cast<B>(~mask)) | e);
  }
  return std::bit_cast<T>(x);
}

// Counts differences and keeps the first, as text.
class Differences {
 public:
  template <class T, class... Args>
  void check(T got, T want, Args... args) {
    ++checked_;
    if (same(got, want)) return;
    if (count_++ == 0) {
      (append(args), ...);
      first_ += "got " + hex(got) + " want " + hex(want);
    }
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t checked() const { return checked_; }
  const std::string& first() const { return first_; }

 private:
  template <class T>
  static std::string hex(T x) {
    char text[32];
    std::uint64_t u = 0;
    std::memcpy(&u, &x, sizeof x);
    std::snprintf(text, sizeof text, "%0*llx", static_cast<int>(sizeof(T) * 2), static_cast<unsigned long long>(u));
    return text;
  }
  template <class T>
  static bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison): the same bits are meant
  }
  template <class T>
  void append(T x) {
    first_ += hex(x) + " ";
  }
  std::uint64_t count_ = 0, checked_ = 0;
  std::string first_;
};

#define EXPECT_NO_DIFFERENCES(d) EXPECT_EQ((d).count(), 0u) << "of " << (d).checked() << ", first: " << (d).first()

}  // namespace lanewise::reference
