// Packing and unpacking against MPFR: every code decoded, every boundary between two codes with its neighbours encoded.
#include "model/scalar/pack.h"

#include <bit>

#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using reference::Differences;
using reference::Real;

// roundEven(fl(max * clamp(x, low, 1))), in MPFR; NaN clamps to low.
std::int32_t wantCode(float x, int low, int max) {
  Real r(24);
  reference::set(r, x);
  if (mpfr_nan_p(r.v) || mpfr_cmp_si(r.v, low) < 0) mpfr_set_si(r.v, low, MPFR_RNDN);
  if (mpfr_cmp_si(r.v, 1) > 0) mpfr_set_si(r.v, 1, MPFR_RNDN);
  mpfr_mul_si(r.v, r.v, max, MPFR_RNDN);
  mpfr_roundeven(r.v, r.v);
  return static_cast<std::int32_t>(mpfr_get_si(r.v, MPFR_RNDN));
}

template <class Encode>
void checkEncode(int low, int max, Encode encode) {
  Differences d;
  const auto test = [&](float x) { d.check(encode(x), wantCode(x, low, max), x); };
  for (int code = low * max; code < max; ++code) {
    const float tie = static_cast<float>((code + 0.5) / max);
    float x = tie;
    for (int i = 0; i < 4; ++i) test(x), x = std::nextafter(x, 2.0f);
    x = tie;
    for (int i = 0; i < 4; ++i) test(x), x = std::nextafter(x, -2.0f);
    test(static_cast<float>(code) / static_cast<float>(max));
  }
  for (const float x : reference::corners<float>()) test(x);
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarPack, EncodeAtEveryBoundary) {
  const auto u8 = [](float x) { return static_cast<std::int32_t>(scalar::encodeUnorm<8>(x)); };
  const auto u10 = [](float x) { return static_cast<std::int32_t>(scalar::encodeUnorm<10>(x)); };
  const auto u16 = [](float x) { return static_cast<std::int32_t>(scalar::encodeUnorm<16>(x)); };
  checkEncode(0, 255, u8);
  checkEncode(0, 1023, u10);
  checkEncode(0, 65535, u16);
  checkEncode(-1, 127, scalar::encodeSnorm<8>);
  checkEncode(-1, 32767, scalar::encodeSnorm<16>);
}

float wantFraction(int code, int max, NormDecode rule) {
  return reference::rounded<float>(scalar::kStrict, [&](mpfr_ptr r, mpfr_rnd_t direction) {
    if (rule == NormDecode::kDivide) {
      mpfr_set_si(r, code, MPFR_RNDN);
      return mpfr_div_si(r, r, max, direction);
    }
    mpfr_set_si(r, 1, MPFR_RNDN);
    mpfr_div_si(r, r, max, MPFR_RNDN);
    return mpfr_mul_si(r, r, code, direction);
  });
}

template <int Bits, NormDecode R>
void checkDecode() {
  Differences d;
  const int max = (1 << Bits) - 1, smax = max / 2;
  for (int code = 0; code <= max; ++code)
    d.check(scalar::decodeUnorm<Bits, R>(static_cast<std::uint32_t>(code)), wantFraction(code, max, R), code);
  for (int code = -smax; code <= smax; ++code) d.check(scalar::decodeSnorm<Bits, R>(code), wantFraction(code, smax, R), code);
  d.check(scalar::decodeSnorm<Bits, R>(-smax - 1), -1.0f, -smax - 1);
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarPack, DecodeEveryCode) {
  checkDecode<8, NormDecode::kDivide>();
  checkDecode<8, NormDecode::kReciprocal>();
  checkDecode<16, NormDecode::kDivide>();
  checkDecode<16, NormDecode::kReciprocal>();
}

TEST(ScalarPack, UnpackUndoesPack) {
  reference::Random r{2};
  for (int i = 0; i < 20000; ++i) {
    const auto p = static_cast<std::uint32_t>(r.next());
    const auto u = [p](unsigned c) { return scalar::unpackUnorm4x8At(p, c); };
    ASSERT_EQ(scalar::packUnorm4x8(u(0), u(1), u(2), u(3)), p);
    const auto w = [p](unsigned c) { return scalar::unpackUnorm2x16At<NormDecode::kReciprocal>(p, c); };
    ASSERT_EQ(scalar::packUnorm2x16(w(0), w(1)), p);
    const auto s = [p](unsigned c) { return scalar::unpackSnorm4x8At(p, c); };
    const std::uint32_t packed = scalar::packSnorm4x8(s(0), s(1), s(2), s(3));
    const std::uint32_t words = scalar::packSnorm2x16(scalar::unpackSnorm2x16At(p, 0), scalar::unpackSnorm2x16At(p, 1));
    for (unsigned c = 0; c < 4; ++c) {
      const auto byte = static_cast<std::uint8_t>(p >> (8 * c));
      ASSERT_EQ(static_cast<std::uint8_t>(packed >> (8 * c)), byte == 0x80 ? 0x81 : byte);
    }
    for (unsigned c = 0; c < 2; ++c) {
      const auto word = static_cast<std::uint16_t>(p >> (16 * c));
      ASSERT_EQ(static_cast<std::uint16_t>(words >> (16 * c)), word == 0x8000 ? 0x8001 : word);
    }
  }
}

// A number beyond the last component counts from the first again.
TEST(ScalarPack, ComponentsAreCountedAround) {
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  reference::Random r{3};
  for (int i = 0; i < 20000; ++i) {
    const auto p = static_cast<std::uint32_t>(r.next());
    const double d = std::bit_cast<double>(r.next());
    for (unsigned c = 0; c < 8; ++c) {
      ASSERT_EQ(bits(scalar::unpackUnorm4x8At(p, c)), bits(scalar::unpackUnorm4x8At(p, c % 4)));
      ASSERT_EQ(bits(scalar::unpackSnorm4x8At(p, c)), bits(scalar::unpackSnorm4x8At(p, c % 4)));
      ASSERT_EQ(bits(scalar::unpackUnorm2x16At(p, c)), bits(scalar::unpackUnorm2x16At(p, c % 2)));
      ASSERT_EQ(bits(scalar::unpackSnorm2x16At(p, c)), bits(scalar::unpackSnorm2x16At(p, c % 2)));
      ASSERT_EQ(bits(scalar::unpackHalf2x16At(p, c)), bits(scalar::unpackHalf2x16At(p, c % 2)));
      ASSERT_EQ(scalar::unpackDouble2x32At(d, c), scalar::unpackDouble2x32At(d, c % 2));
    }
  }
}

TEST(ScalarPack, WordsAndHalves) {
  EXPECT_EQ(scalar::packHalf2x16(1.0f, -2.0f), 0xc0003c00u);
  EXPECT_EQ(scalar::packHalf2x16<Rounding::kTowardZero>(65519.0f, 0.1f), 0x2e667bffu);
  EXPECT_EQ(scalar::unpackHalf2x16At(0xc0003c00u, 0), 1.0f);
  EXPECT_EQ(scalar::unpackHalf2x16At(0xc0003c00u, 1), -2.0f);
  EXPECT_EQ(scalar::packDouble2x32(0x00000001u, 0x3ff00000u), 0x1.0000000000001p0);
  EXPECT_EQ(scalar::unpackDouble2x32At(0x1.0000000000001p0, 0), 1u);
  EXPECT_EQ(scalar::unpackDouble2x32At(0x1.0000000000001p0, 1), 0x3ff00000u);
}

}  // namespace
}  // namespace lanewise
