// Integers, from the words of GLSL, GL_INTEL_shader_integer_functions2 and SPIR-V: bit by bit, or in a type wide enough for the exact
// result.
#include <algorithm>
#include <bit>
#include <limits>

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

bool bit(u32 x, u32 i) {
  return (x >> i) % 2 == 1;
}

i32 asSigned(u32 x) {
  return static_cast<i32>(x);
}

u32 low(i64 x) {
  return static_cast<u32>(static_cast<u64>(x) & 0xffffffff);
}

u32 high(u64 x) {
  return static_cast<u32>(x >> 32);
}

// The number of the highest bit that is `value`; all ones where there is none.
u32 highest(u32 x, bool value) {
  for (u32 i = 32; i-- > 0;)
    if (bit(x, i) == value) return i;
  return ~0u;
}

u32 lowest(u32 x) {
  for (u32 i = 0; i < 32; ++i)
    if (bit(x, i)) return i;
  return ~0u;
}

u32 ones(u32 x) {
  u32 n = 0;
  for (u32 i = 0; i < 32; ++i) n += bit(x, i);
  return n;
}

u32 reversed(u32 x) {
  u32 out = 0;
  for (u32 i = 0; i < 32; ++i) out = out * 2 + bit(x, i);
  return out;
}

u32 inserted(u32 base, u32 insert, u32 offset, u32 count) {
  for (u32 i = 0; i < count; ++i) base = (base & ~(1u << (offset + i))) | (u32{bit(insert, i)} << (offset + i));
  return base;
}

Bytes bits(const Inputs& in) {
  const auto a = in.of<u32>("0");
  std::vector<u32> out;
  for (u32 l = 0; l < 8; ++l) {
    const u32 x = a[l], y = a[(l + 3) % 8], field = (x >> l) % 128;
    const u64 sum = u64{x} + y, product = u64{x} * y;
    const i64 ix = asSigned(x), iy = asSigned(y);
    const auto signedProduct = static_cast<u64>(ix * iy);
    for (const u32 word : {ones(x),
                           reversed(x),
                           lowest(x),
                           highest(x, true),
                           highest(x, !bit(x, 31)),
                           field,
                           field >= 64 ? field - 128 : field,
                           inserted(x, y, 2 * l, 9),
                           low(static_cast<i64>(sum)),
                           high(sum),
                           x - y,
                           x < y ? 1u : 0u,
                           high(product),
                           low(static_cast<i64>(product)),
                           high(signedProduct),
                           low(static_cast<i64>(signedProduct)),
                           low(ix >> l),
                           x << l,
                           low(std::min(ix, iy)) ^ std::max(x, y),
                           low(std::clamp<i64>(ix, -5, 9)) + std::clamp(x, 5u, 9u)})
      out.push_back(word);
  }
  return bytesOf(out);
}

Bytes ints64(const Inputs& in) {
  const auto a = in.of<u64>("0");
  std::vector<u64> out;
  for (u32 l = 0; l < 8; ++l) {
    const u64 u = a[l], v = a[(l + 3) % 8] | 1;
    const auto x = static_cast<i64>(u), y = static_cast<i64>(v);
    const auto absolute = static_cast<u64>(x < 0 ? -(x >> 3) : x >> 3);
    const auto lowWord = static_cast<u64>(i64{asSigned(low(x))});
    for (const u64 word : {u + 3 * v, u - 8 * v, static_cast<u64>(x / (y | 3)), u / ((v >> 60) | 1), x < 0 ? 0 : u % 1000, u % 1000,
                           static_cast<u64>(x >> (l * 9)), u >> (l * 9), x < y ? u : v, u > v ? u : v, ((u & v) ^ ~u) | (x < y ? 128u : 0u),
                           lowWord + high(u) + absolute})
      out.push_back(word);
  }
  return bytesOf(out);
}

template <class T>
u32 saturated(i64 exact) {
  return low(std::clamp<i64>(exact, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// The fourteen results of 32 bits of one pair, each from the exact number.
std::array<u32, 14> intelResults(u32 c, u32 d) {
  const i64 a = asSigned(c), b = asSigned(d), uc = c, ud = d;
  const i64 narrow = static_cast<i64>(d % 65536), narrowSigned = narrow >= 32768 ? narrow - 65536 : narrow;
  return {31 - highest(c, true),  // 32 of zero, whose highest bit is number -1
          c == 0 ? 32 : lowest(c), low(a > b ? a - b : b - a), low(uc > ud ? uc - ud : ud - uc),
          saturated<i32>(a + b),   saturated<u32>(uc + ud),    low((a + b) >> 1),
          low((uc + ud) >> 1),     low((a + b + 1) >> 1),      low((uc + ud + 1) >> 1),
          saturated<i32>(a - b),   saturated<u32>(uc - ud),    low(a * narrowSigned),
          low(uc * narrow)};
}

Bytes intel32(const Inputs& in) {
  const auto v = in.of<u32>("0");
  std::vector<u32> out(14 * 8);
  for (u32 l = 0; l < 8; ++l) {
    const auto results = intelResults(v[l], v[(l + 3) % 8]);
    for (u32 row = 0; row < 14; ++row) out[row * 8 + l] = results[row];
  }
  return bytesOf(out);
}

// The exact sum of two numbers of 64 bits is a carry and 64 bits.
Bytes intel64(const Inputs& in) {
  const auto v = in.of<i32>("0");
  std::vector<u64> out(2 * 8);
  for (u32 l = 0; l < 8; ++l) {
    const i64 x = i64{v[l]} * (i64{1} << 31) + 5, y = i64{v[(l + 3) % 8]} * (i64{1} << 32);
    const u64 u = static_cast<u64>(x), w = static_cast<u64>(y), sum = u + w;
    const i64 most = std::numeric_limits<i64>::max(), least = std::numeric_limits<i64>::min();
    if (y > 0 && x > most - y)
      out[l] = static_cast<u64>(most);
    else if (y < 0 && x < least - y)
      out[l] = static_cast<u64>(least);
    else
      out[l] = sum;
    const u64 carry = sum < u || sum == ~u64{0} ? u64{1} << 63 : 0;  // of the sum and one more
    out[8 + l] = (sum + 1) / 2 + carry;
  }
  return bytesOf(out);
}

// Numbers of 8 and 16 bits: the exact result, of which the lowest bits stay.
Bytes storage8(const Inputs& in) {
  const auto a = in.of<std::int8_t>("0");
  const auto b = in.of<std::uint16_t>("1");
  std::vector<std::int8_t> out;
  for (u32 l = 0; l < 8; ++l) {
    const i32 x = a[l], y = a[(l + 1) % 8];
    for (const i32 exact : {x + y, x * y, x - y, x >> 1, x * 8, (x + 256) % 256 / 4, std::max(x, y) + (x < y ? 1 : 0), i32{b[l]}})
      out.push_back(static_cast<std::int8_t>(exact));
  }
  return bytesOf(out);
}

Bytes storage16(const Inputs& in) {
  const auto a = in.of<std::int8_t>("0");
  const auto b = in.of<std::uint16_t>("1");
  std::vector<std::uint16_t> out;
  for (u32 l = 0; l < 8; ++l) {
    const i64 x = a[l], u = b[l], v = b[(l + 3) % 8], negative = u >= 32768 ? u - 65536 : u;
    for (const i64 exact : {u + v, u * v, u / (v | 1), u % (v | 1), x, negative >> 3, 65535 - u, x * u})
      out.push_back(static_cast<std::uint16_t>(exact));
  }
  return bytesOf(out);
}

// The program's constants are k, 13, -7 and small ones.
Bytes specConstantOps(const Inputs&) {
  const u32 k = 4000000007, minus7 = ~6u, minus5 = ~4u, minus4 = ~3u, minus2 = ~1u;
  std::vector<u32> out = {~k + 1, ~k, k + 13, 13 - k, k * 13, k / 13, minus2, k % 13, 17 % 5, 17 % 5};  // -7 / 3 is -2
  out.insert(out.end(), {k / 8192, minus4, k * 8192, k | 13, k ^ 13, k & 13});                          // -7 >> 1 is -4
  // Comparisons, unsigned and signed in turns; then logic of true and false.
  out.insert(out.end(), {1, 0, 1, 0, 1, 0, 0, 1, 0, 1});
  out.insert(out.end(), {1, 0, 1, 1, 0});
  // (1, -7, 5, k) + (k, 13, -7, 1); its third and the other's second; then of k or 1 + k, and of 13 or 6.
  out.insert(out.end(), {k + 1, minus7 + 13, minus2, k + 1, minus2, 13, k, 6});
  const u64 number = 0x123456789abcdef0, square = number * number;
  out.insert(out.end(), {minus5, 65535, low(static_cast<i64>(square)), high(square), 65534, 0x3f800000});
  return bytesOf(out);
}

// An invocation's values are stored at places that no other one stores to.
Bytes halfRows32(const Inputs& in) {
  const auto a = in.of<u32>("0");
  std::vector<u32> out(448);
  for (u32 i = 0; i < 64; ++i) {
    const u32 x = i % 8, y = i / 8;
    out[i] = a[y * 16 + x];
    out[64 + 2 * i] = a[y] + a[2 * i];
    out[65 + 2 * i] = a[127 - i];
    out[192 + i * 37 % 64] = a[i * i % 128];
    out[256 + i] = x % 2 == 0 ? a[x] : a[i * 5 % 128];
    out[320 + y * 16 + x] = x == 7 ? a[0] : a[3 * x];
    out[328 + y * 16 + x] = i;
  }
  return bytesOf(out);
}
template <class T>
std::vector<T> halfRows(const std::vector<T>& c) {
  std::vector<T> out(256);
  for (u32 i = 0; i < 64; ++i) {
    const u32 x = i % 8, y = i / 8;
    out[y * 16 + x] = static_cast<T>(c[i] + c[y]);
    out[y * 16 + 15 - x] = c[127 - i];
    out[129 + 2 * i] = static_cast<T>(i);
  }
  return out;
}
Bytes halfRows8(const Inputs& in) {
  const auto c = in.of<std::uint8_t>("2");
  std::vector<std::uint8_t> out = halfRows(c);
  for (u32 i = 0; i < 64; ++i) out[128 + 2 * i] = c[i * i % 128];
  return bytesOf(out);
}
Bytes halfRows16(const Inputs& in) {
  const auto e = in.of<std::uint16_t>("4");
  std::vector<std::uint16_t> out = halfRows(e);
  for (u32 i = 0; i < 64; ++i) out[128 + 2 * i] = e[i % 8 < 5 ? i % 8 : i / 8];
  return bytesOf(out);
}
Bytes halfRows64(const Inputs& in) {
  const auto g = in.of<u64>("6");
  std::vector<u64> out;
  for (u32 i = 0; i < 64; ++i) out.push_back(g[i % 8] + g[i / 8]);
  return bytesOf(out);
}

constexpr Definition kIntegers[] = {
    {"bits.comp", "1 u32", bits},
    {"half_rows.comp", "1 u32", halfRows32},
    {"half_rows.comp", "3 u8", halfRows8},
    {"half_rows.comp", "5 u16", halfRows16},
    {"half_rows.comp", "7 u64", halfRows64},
    {"ints64.comp", "1 i64", ints64},
    {"intel_integer_functions.comp", "1 u32", intel32},
    {"intel_integer_functions.comp", "1 u64", intel64},
    {"spec_constant_ops.spvasm", "0 u32", specConstantOps},
    {"storage8_16.comp", "2 i8", storage8},
    {"storage8_16.comp", "3 u16", storage16},
};

}  // namespace

std::span<const Definition> integers() {
  return kIntegers;
}

}  // namespace lanewise::text::definitions
