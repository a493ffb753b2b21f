// Texels against exact values: every code of every component up to 16 bits decoded, every boundary between codes encoded, and every format
// there and back.
#include "model/scalar/texel.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using reference::Differences;
using reference::Real;

const FormatInfo& info(Format f) {
  return *formatInfo(f);
}

std::array<std::uint32_t, 4> decode(Format f, std::uint64_t texel, const TexelRules& rules = {}) {
  std::byte bytes[16] = {};
  std::memcpy(bytes, &texel, 8);
  return scalar::decodeTexel(info(f), rules, bytes);
}
std::uint64_t encode(Format f, std::array<float, 4> value, const TexelRules& rules = {}) {
  std::byte bytes[16] = {};
  scalar::encodeTexel(info(f), rules, std::bit_cast<std::array<std::uint32_t, 4>>(value), bytes);
  std::uint64_t texel = 0;
  std::memcpy(&texel, bytes, 8);
  return texel;
}

// The floats around x, where two codes meet.
std::vector<float> around(double x) {
  const float f = static_cast<float>(x);
  return {std::nextafter(std::nextafter(f, -1e30f), -1e30f), std::nextafter(f, -1e30f), f, std::nextafter(f, 1e30f),
          std::nextafter(std::nextafter(f, 1e30f), 1e30f)};
}

TEST(ScalarTexel, UnormCodes) {
  const struct {
    Format format;
    int component, bits, shift;
  } cases[] = {{Format::R8_UNORM, 0, 8, 0},
               {Format::B8G8R8A8_UNORM, 2, 8, 0},
               {Format::R16G16_UNORM, 1, 16, 16},
               {Format::R5G6B5_UNORM_PACK16, 1, 6, 5},
               {Format::A2B10G10R10_UNORM_PACK32, 2, 10, 20},
               {Format::A1R5G5B5_UNORM_PACK16, 3, 1, 15}};
  Differences d;
  for (const auto& c : cases)
    for (std::uint64_t code = 0; code < std::uint64_t{1} << c.bits; ++code) {
      const auto max = static_cast<std::int32_t>((1 << c.bits) - 1);
      const auto i = static_cast<std::size_t>(c.component);
      Real r(24), reciprocal(24);
      mpfr_set_ui(r.v, code, MPFR_RNDN);
      mpfr_set_ui(reciprocal.v, 1, MPFR_RNDN);
      mpfr_div_si(reciprocal.v, reciprocal.v, max, MPFR_RNDN);
      mpfr_mul(reciprocal.v, reciprocal.v, r.v, MPFR_RNDN);
      mpfr_div_si(r.v, r.v, max, MPFR_RNDN);
      const auto got = decode(c.format, code << c.shift);
      d.check(got[i], reference::bits(reference::get<float>(r)), code);
      d.check(decode(c.format, code << c.shift, {.decode = NormDecode::kReciprocal})[i], reference::bits(reference::get<float>(reciprocal)),
              code);
      std::array<float, 4> value{};
      value[i] = std::bit_cast<float>(got[i]);
      d.check(encode(c.format, value), code << c.shift, code);
    }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarTexel, ComponentsThatAFormatLacks) {
  EXPECT_EQ(decode(Format::R8_UNORM, 255), (std::array<std::uint32_t, 4>{0x3f800000, 0, 0, 0x3f800000}));
  EXPECT_EQ(decode(Format::R8G8_UINT, 0x0201), (std::array<std::uint32_t, 4>{1, 2, 0, 1}));
  EXPECT_EQ(decode(Format::R16_SINT, 0xffff), (std::array<std::uint32_t, 4>{0xffffffff, 0, 0, 1}));
  EXPECT_EQ(decode(Format::B8G8R8A8_UINT, 0x04030201), (std::array<std::uint32_t, 4>{3, 2, 1, 4}));
  EXPECT_EQ(decode(Format::R8_SNORM, 0x80)[0], 0xbf800000u);
}

TEST(ScalarTexel, WideIntegers) {
  std::byte bytes[8];
  const std::uint64_t value = 0x8000000000000001u;
  std::memcpy(bytes, &value, 8);
  EXPECT_EQ(scalar::decodeTexel<std::uint64_t>(info(Format::R64_SINT), {}, bytes), (std::array<std::uint64_t, 4>{value, 0, 0, 1}));
  scalar::encodeTexel<std::uint64_t>(info(Format::R64_UINT), {}, {~value, 5, 6, 7}, bytes);
  EXPECT_EQ(scalar::decodeTexel<std::uint64_t>(info(Format::R64_UINT), {}, bytes)[0], ~value);
}

TEST(ScalarTexel, IntegersThatDoNotFit) {
  const auto store = [](Format f, std::array<std::uint32_t, 4> value, bool saturate) {
    std::uint64_t texel = 0;
    scalar::encodeTexel(info(f), {.saturateIntegers = saturate}, value, reinterpret_cast<std::byte*>(&texel));
    return texel;
  };
  EXPECT_EQ(store(Format::R8G8B8A8_UINT, {256, 255, 0xffffffffu, 3}, false), 0x03ffff00u);
  EXPECT_EQ(store(Format::R8G8B8A8_UINT, {256, 255, 0xffffffffu, 3}, true), 0x03ffffffu);
  EXPECT_EQ(store(Format::R16G16_SINT, {32768, 0xffff7fffu, 0, 0}, false), 0x7fff8000u);
  EXPECT_EQ(store(Format::R16G16_SINT, {32768, 0xffff7fffu, 0, 0}, true), 0x80007fffu);
  EXPECT_EQ(store(Format::A2B10G10R10_UINT_PACK32, {1024, 1, 2, 4}, true), 0xc02007ffu);
  EXPECT_EQ(store(Format::R32_UINT, {0xfffffffeu, 0, 0, 0}, true), 0xfffffffeu);
}

// NVIDIA's store as measured: q = floor(4096 x), then 255 q / 4096 with ties down.
TEST(ScalarTexel, UnormStoreInTwelveBits) {
  Differences d;
  for (int q = 0; q <= 4096; ++q)
    for (const float x : around(q / 4096.0)) {
      Real r(64);
      reference::set(r, x);
      if (mpfr_sgn(r.v) < 0) mpfr_set_si(r.v, 0, MPFR_RNDN);
      if (mpfr_cmp_si(r.v, 1) > 0) mpfr_set_si(r.v, 1, MPFR_RNDN);
      mpfr_mul_si(r.v, r.v, 4096, MPFR_RNDN);
      mpfr_floor(r.v, r.v);
      mpfr_mul_si(r.v, r.v, 255, MPFR_RNDN);
      mpfr_div_si(r.v, r.v, 4096, MPFR_RNDN);
      mpfr_sub_d(r.v, r.v, 0.5, MPFR_RNDN);  // exact: half down is the ceiling of v - 1/2
      mpfr_ceil(r.v, r.v);
      d.check(encode(Format::R8_UNORM, {x}, {.encode = NormEncode::kTruncated}), static_cast<std::uint64_t>(mpfr_get_ui(r.v, MPFR_RNDN)),
              x);
    }
  EXPECT_NO_DIFFERENCES(d);
}

// Signed codes keep 4 places more than their 7 bits, and ties go toward 0: where codes begin, in steps of 2^-14, as measured on an H200.
TEST(ScalarTexel, SnormStoreTruncated) {
  const auto store = [](float x) { return encode(Format::R8_SNORM, {x}, {.encode = NormEncode::kTruncated}); };
  for (const auto& [first, code] : {std::pair{72, 1}, {200, 2}, {968, 8}, {1104, 9}}) {
    const float x = static_cast<float>(first) / 16384;
    EXPECT_EQ(store(x), static_cast<std::uint64_t>(code)) << first;
    EXPECT_EQ(store(std::nextafter(x, 0.0f)), static_cast<std::uint64_t>(code - 1)) << first;
    EXPECT_EQ(store(-x), static_cast<std::uint64_t>(256 - code)) << first;
  }
}

TEST(ScalarTexel, NansAndInfinitiesStored) {
  const float nan = std::bit_cast<float>(0x7fc00000u), infinity = std::bit_cast<float>(0x7f800000u);
  EXPECT_EQ(encode(Format::R8G8B8A8_UNORM, {nan, infinity, -infinity, nan}), 0x0000ff00u);
  EXPECT_EQ(encode(Format::R8G8B8A8_UNORM, {nan, infinity, -infinity, nan}, {.nan = NanStore::kLargest}), 0xff00ffffu);
  EXPECT_EQ(encode(Format::R8G8B8A8_SNORM, {nan, infinity, -infinity, 0.5f}), 0x40817f00u);
  EXPECT_EQ(encode(Format::R8_SNORM, {nan}, {.nan = NanStore::kLowest}), 0x81u);
  EXPECT_EQ(encode(Format::R8_SNORM, {nan}, {.nan = NanStore::kLargest}), 0x7fu);
  EXPECT_EQ(encode(Format::B10G11R11_UFLOAT_PACK32, {nan, infinity, -infinity, 0}), 0x7e0u | 0x7c0u << 11);
  EXPECT_EQ(encode(Format::R16G16_SFLOAT, {1e6f, 0.1f}, {.half = Rounding::kTowardZero}), 0x2e667bffu);
  EXPECT_EQ(encode(Format::R8G8B8A8_SRGB, {nan, -1.0f, 2.0f, 0.5f}), 0x80ff0000u);
}

// The real sRGB curve, decoding (encode == false) or encoding, of the value in r.
void srgb(Real& r, bool encodes) {
  Real t(200);
  if (encodes) {
    if (mpfr_cmp_d(r.v, 0.0031308) <= 0) {
      mpfr_mul_ui(r.v, r.v, 1292, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 100, MPFR_RNDN);
      return;
    }
    mpfr_set_ui(t.v, 10, MPFR_RNDN), mpfr_div_ui(t.v, t.v, 24, MPFR_RNDN);
    mpfr_pow(r.v, r.v, t.v, MPFR_RNDN);
    mpfr_mul_ui(r.v, r.v, 1055, MPFR_RNDN), mpfr_sub_ui(r.v, r.v, 55, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 1000, MPFR_RNDN);
  } else if (mpfr_cmp_d(r.v, 0.04045) <= 0) {
    mpfr_mul_ui(r.v, r.v, 100, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 1292, MPFR_RNDN);
  } else {
    mpfr_mul_ui(r.v, r.v, 1000, MPFR_RNDN), mpfr_add_ui(r.v, r.v, 55, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 1055, MPFR_RNDN);
    mpfr_set_ui(t.v, 24, MPFR_RNDN), mpfr_div_ui(t.v, t.v, 10, MPFR_RNDN);
    mpfr_pow(r.v, r.v, t.v, MPFR_RNDN);
  }
}

TEST(ScalarTexel, SrgbEveryCodeAndEveryBoundary) {
  Differences d;
  for (std::uint32_t code = 0; code < 256; ++code) {
    Real r(200);
    mpfr_set_ui(r.v, code, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 255, MPFR_RNDN);
    srgb(r, false);
    const float linear =
        reference::rounded<float>(scalar::kStrict, [&](mpfr_ptr out, mpfr_rnd_t direction) { return mpfr_set(out, r.v, direction); });
    d.check(decode(Format::R8G8B8A8_SRGB, code)[0], reference::bits(linear), code);
    d.check(encode(Format::R8_SRGB, {linear}), std::uint64_t{code}, code);
    mpfr_set_d(r.v, code + 0.5, MPFR_RNDN), mpfr_div_ui(r.v, r.v, 255, MPFR_RNDN);
    srgb(r, false);
    for (const float x : around(mpfr_get_d(r.v, MPFR_RNDN))) {
      Real e(200);
      reference::set(e, x);
      srgb(e, true);
      mpfr_mul_ui(e.v, e.v, 255, MPFR_RNDN), mpfr_round(e.v, e.v);
      const std::uint64_t want = mpfr_cmp_ui(e.v, 255) > 0 ? 255 : mpfr_get_ui(e.v, MPFR_RNDN);
      d.check(encode(Format::R8_SRGB, {x}), want, x);
    }
  }
  EXPECT_NO_DIFFERENCES(d);
}

// An 11- or 10-bit float from its definition.
double smallFloat(std::uint32_t code, int bits) {
  const int fraction = bits - 5, exponent = static_cast<int>(code >> fraction);
  const double f = static_cast<double>(code & ((1u << fraction) - 1)) / (1 << fraction);
  return exponent == 0 ? std::ldexp(f, -14) : std::ldexp(1 + f, exponent - 15);
}

TEST(ScalarTexel, SmallFloatsEveryCodeAndEveryBoundary) {
  Differences d;
  for (const int bits : {11, 10}) {
    const std::uint32_t infinity = 31u << (bits - 5);
    for (std::uint32_t code = 0; code < infinity; ++code) {
      const double low = smallFloat(code, bits), high = code + 1 == infinity ? 65536.0 : smallFloat(code + 1, bits);
      d.check(scalar::decodeSmallFloat(code, bits), static_cast<float>(low), code);
      const double middle = (low + high) / 2;
      for (const float x : around(middle)) {
        const bool up = x > middle || (x == middle && (code & 1) != 0);
        d.check(scalar::encodeSmallFloat<Rounding::kToNearestEven>(x, bits), up ? code + 1 : code, x);
        d.check(scalar::encodeSmallFloat<Rounding::kTowardZero>(x, bits), code, x);
      }
      for (const float x : around(low))
        if (x >= 0) d.check(scalar::encodeSmallFloat<Rounding::kTowardZero>(x, bits), x < low ? code - 1 : code, x);
    }
    d.check(scalar::encodeSmallFloat<Rounding::kTowardZero>(1e9f, bits), infinity - 1, bits);
    d.check(scalar::encodeSmallFloat<Rounding::kToNearestEven>(1e9f, bits), infinity, bits);
  }
  EXPECT_NO_DIFFERENCES(d);
}

// The algorithm of the Vulkan specification's "Unsigned Shared Exponent Format", in doubles, which hold every step exactly.
std::uint32_t sharedExponent(const std::array<float, 3>& c) {
  double clamped[3], greatest = 0;
  for (std::size_t i = 0; i < 3; ++i)
    greatest = std::max(greatest, clamped[i] = std::max(0.0, std::min(65408.0, static_cast<double>(c[i]))));
  int e = static_cast<int>(std::max(-16.0, greatest > 0 ? std::floor(std::log2(greatest)) : -16.0)) + 16;
  if (std::floor(greatest / std::ldexp(1.0, e - 24) + 0.5) == 512) ++e;
  std::uint32_t texel = static_cast<std::uint32_t>(e) << 27;
  for (unsigned i = 0; i < 3; ++i) texel |= static_cast<std::uint32_t>(std::floor(clamped[i] / std::ldexp(1.0, e - 24) + 0.5)) << (9 * i);
  return texel;
}

TEST(ScalarTexel, SharedExponent) {
  reference::Random r{4};
  for (int i = 0; i < 20000; ++i) {
    const auto texel = static_cast<std::uint32_t>(r.next());
    const auto v = decode(Format::E5B9G9R9_UFLOAT_PACK32, texel);
    const double scale = std::ldexp(1.0, static_cast<int>(texel >> 27) - 24);
    for (unsigned c = 0; c < 3; ++c) ASSERT_EQ(std::bit_cast<float>(v[c]), static_cast<float>((texel >> (9 * c) & 0x1ff) * scale));
    ASSERT_EQ(v[3], 0x3f800000u);
    std::array<float, 3> color;
    for (float& c : color) c = std::ldexp(static_cast<float>(r.next() >> 40), static_cast<int>(r.next() % 46) - 50);
    ASSERT_EQ(encode(Format::E5B9G9R9_UFLOAT_PACK32, {color[0], color[1], color[2], 0}), sharedExponent(color));
  }
}

// Every format: what a texel decodes to encodes to the same texel.
TEST(ScalarTexel, EveryFormatThereAndBack) {
  reference::Random r{6};
  int formats = 0;
  for (const std::uint32_t base : {0u, 1000340000u})
    for (std::uint32_t n = base; n < base + 130; ++n) {
      const FormatInfo* f = formatInfo(Format{n});
      if (f == nullptr || f->numeric == NumericFormat::kSharedExponent) continue;
      ++formats;
      for (int i = 0; i < 500; ++i) {
        std::uint64_t words[2] = {r.next(), r.next()}, back[2] = {0, 0};
        auto* texel = reinterpret_cast<std::byte*>(words);
        const auto value = scalar::decodeTexel<std::uint64_t>(*f, {}, texel);
        scalar::encodeTexel(*f, {}, value, reinterpret_cast<std::byte*>(back));
        // The same again, from the value: the lowest snorm code and a NaN's payload have several codes for one value.
        const auto again = scalar::decodeTexel<std::uint64_t>(*f, {}, reinterpret_cast<std::byte*>(back));
        const bool same = std::memcmp(words, back, f->texelBytes) == 0;
        const bool several =
            f->numeric == NumericFormat::kSnorm || f->numeric == NumericFormat::kSfloat || f->numeric == NumericFormat::kUfloat;
        ASSERT_TRUE(same || (several && (again == value || f->numeric != NumericFormat::kSnorm))) << f->name;
      }
    }
  EXPECT_EQ(formats, 67);
}

}  // namespace
}  // namespace lanewise
