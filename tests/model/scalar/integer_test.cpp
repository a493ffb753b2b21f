// Integer instructions against exact 128-bit arithmetic: all pairs of 8-bit operands, corner and seeded random pairs of wider ones.
#include "model/scalar/integer.h"

#include "model/scalar/joined.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using reference::Differences;
__extension__ using Int = __int128;
__extension__ using Wide = unsigned __int128;

template <class T>
using U = std::make_unsigned_t<T>;

template <class T>
std::vector<T> operands() {
  std::vector<T> out;
  if constexpr (sizeof(T) == 1) {
    for (int i = 0; i < 256; ++i) out.push_back(static_cast<T>(i));
  } else {
    constexpr int width = sizeof(T) * 8;
    for (int bit = 0; bit < width; ++bit)
      for (const int delta : {-1, 0, 1}) {
        const auto v = (std::uint64_t{1} << bit) + static_cast<std::uint64_t>(delta);
        out.push_back(static_cast<T>(v));
        out.push_back(static_cast<T>(~v));
      }
    reference::Random r{sizeof(T)};
    for (int i = 0; i < 60; ++i) out.push_back(static_cast<T>(r.next() >> (r.next() % 64)));
  }
  return out;
}

// T is unsigned or signed; an Int holds every product of two exactly.
template <class T>
void checkDivision() {
  using S = std::make_signed_t<T>;
  Differences d;
  for (const T a : operands<T>())
    for (const T b : operands<T>()) {
      const Int ua = static_cast<U<T>>(a), ub = static_cast<U<T>>(b), sa = static_cast<S>(a), sb = static_cast<S>(b);
      if (b == 0) {
        for (const T got : {scalar::uDiv(a, b), scalar::uMod(a, b), scalar::sDiv(a, b), scalar::sRem(a, b), scalar::sMod(a, b)})
          d.check(got, static_cast<T>(-1), a, b);
        d.check(scalar::sDiv<DivideByZero::kSignedZero>(a, b), T{0}, a, b);
        d.check(scalar::sRem<DivideByZero::kSignedZero>(a, b), static_cast<T>(-1), a, b);
        d.check(scalar::uDiv<DivideByZero::kSignedZero>(a, b), static_cast<T>(-1), a, b);
        constexpr auto kOnes = DivideByZero::kDivisorAllOnes;
        const T ones = static_cast<T>(-1);
        d.check(scalar::uDiv<kOnes>(a, b), scalar::uDiv(a, ones), a, b);
        d.check(scalar::uMod<kOnes>(a, b), scalar::uMod(a, ones), a, b);
        d.check(scalar::sDiv<kOnes>(a, b), scalar::sDiv(a, ones), a, b);
        d.check(scalar::sRem<kOnes>(a, b), scalar::sRem(a, ones), a, b);
        continue;
      }
      d.check(scalar::uDiv(a, b), static_cast<T>(ua / ub), a, b);
      d.check(scalar::uMod(a, b), static_cast<T>(ua % ub), a, b);
      d.check(scalar::sDiv(a, b), static_cast<T>(sa / sb), a, b);
      d.check(scalar::sRem(a, b), static_cast<T>(sa % sb), a, b);
      d.check(scalar::sMod(a, b), static_cast<T>(((sa % sb) + sb) % sb), a, b);
      d.check(scalar::sMod<SignedModulo::kRemainder>(a, b), static_cast<T>(sa % sb), a, b);
    }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarInteger, Division) {
  checkDivision<std::uint8_t>();
  checkDivision<std::int8_t>();
  checkDivision<std::uint16_t>();
  checkDivision<std::int16_t>();
  checkDivision<std::uint32_t>();
  checkDivision<std::int32_t>();
  checkDivision<std::uint64_t>();
  checkDivision<std::int64_t>();
}

template <class T>
void checkArithmetic() {
  using S = std::make_signed_t<T>;
  constexpr int width = sizeof(T) * 8;
  Differences d;
  for (const T a : operands<T>())
    for (const T b : operands<T>()) {
      const Int ua = static_cast<U<T>>(a), ub = static_cast<U<T>>(b), sa = static_cast<S>(a), sb = static_cast<S>(b);
      const Wide product = static_cast<Wide>(ua) * static_cast<Wide>(ub);
      d.check(scalar::iAdd(a, b), static_cast<T>(ua + ub), a, b);
      d.check(scalar::iSub(a, b), static_cast<T>(ua - ub), a, b);
      d.check(scalar::iMul(a, b), static_cast<T>(product), a, b);
      d.check(scalar::iAddCarry(a, b).second, static_cast<T>((ua + ub) >> width), a, b);
      d.check(scalar::iSubBorrow(a, b).second, static_cast<T>(ua < ub), a, b);
      d.check(scalar::uMulExtended(a, b).first, static_cast<T>(product), a, b);
      d.check(scalar::uMulExtended(a, b).second, static_cast<T>(product >> width), a, b);
      d.check(scalar::sMulExtended(a, b).second, static_cast<T>((sa * sb) >> width), a, b);
      d.check(scalar::uMin(a, b), static_cast<T>(ua < ub ? ua : ub), a, b);
      d.check(scalar::uMax(a, b), static_cast<T>(ua < ub ? ub : ua), a, b);
      d.check(scalar::sMin(a, b), static_cast<T>(sa < sb ? sa : sb), a, b);
      d.check(scalar::sMax(a, b), static_cast<T>(sa < sb ? sb : sa), a, b);
      const Int sum = std::is_signed_v<T> ? sa + sb : ua + ub;
      const Int low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
      d.check(scalar::addSaturating(a, b), static_cast<T>(sum < low ? low : sum > high ? high : sum), a, b);
    }
  for (const T a : operands<T>()) {
    const Int s = static_cast<S>(a);
    d.check(scalar::sNegate(a), static_cast<T>(-s), a);
    d.check(scalar::sAbs(a), static_cast<T>(s < 0 ? -s : s), a);
    d.check(scalar::sSign(a), static_cast<T>(s < 0 ? -1 : s > 0), a);
  }
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarInteger, Arithmetic) {
  checkArithmetic<std::uint8_t>();
  checkArithmetic<std::int8_t>();
  checkArithmetic<std::uint16_t>();
  checkArithmetic<std::int16_t>();
  checkArithmetic<std::uint32_t>();
  checkArithmetic<std::int32_t>();
  checkArithmetic<std::uint64_t>();
  checkArithmetic<std::int64_t>();
}

// Bit by bit, from the definitions.
template <class T>
void checkBitsOf(Differences& d, T a) {
  constexpr int width = sizeof(T) * 8;
  const auto bit = [a](int i) { return (static_cast<std::uint64_t>(static_cast<U<T>>(a)) >> i & 1) != 0; };
  std::uint64_t reversed = 0;
  std::uint32_t count = 0;
  std::int32_t lowest = -1, highest = -1, highestNonSign = -1;
  for (int i = 0; i < width; ++i) {
    if (bit(i)) {
      reversed |= std::uint64_t{1} << (width - 1 - i);
      ++count;
      highest = i;
      if (lowest < 0) lowest = i;
    }
    if (bit(i) != bit(width - 1)) highestNonSign = i;
  }
  d.check(scalar::bitReverse(a), static_cast<T>(reversed), a);
  d.check(scalar::bitCount(a), count, a);
  d.check(scalar::findILsb(a), lowest, a);
  d.check(scalar::findUMsb(a), highest, a);
  d.check(scalar::findSMsb(a), highestNonSign, a);
  for (std::uint32_t n = 0; n < width; ++n) {
    const Int s = static_cast<std::make_signed_t<T>>(a), u = static_cast<U<T>>(a);
    d.check(scalar::shiftLeftLogical(a, n), static_cast<T>(static_cast<std::uint64_t>(u) << n), a, n);
    d.check(scalar::shiftRightLogical(a, n), static_cast<T>(u >> n), a, n);
    d.check(scalar::shiftRightArithmetic(a, n), static_cast<T>(s >> n), a, n);
    d.check(scalar::shiftLeftLogical(a, n + width), scalar::shiftLeftLogical(a, n), a, n);
  }
}

template <class T>
void checkFieldsOf(Differences& d, T a, T b) {
  constexpr std::uint32_t width = sizeof(T) * 8;
  const auto bit = [](T x, std::uint32_t i) { return static_cast<std::uint64_t>(static_cast<U<T>>(x)) >> i & 1; };
  for (std::uint32_t offset = 0; offset <= width; offset += width > 16 ? 5 : 1)
    for (std::uint32_t count = 0; offset + count <= width; ++count) {
      std::uint64_t inserted = 0, field = 0, extended = 0;
      for (std::uint32_t i = 0; i < width; ++i) {
        inserted |= (i >= offset && i < offset + count ? bit(b, i - offset) : bit(a, i)) << i;
        if (i < count) field |= bit(a, offset + i) << i;
        if (count > 0) extended |= bit(a, offset + (i < count ? i : count - 1)) << i;
      }
      d.check(scalar::bitFieldInsert(a, b, offset, count), static_cast<T>(inserted), a, b, offset, count);
      d.check(scalar::bitFieldUExtract(a, offset, count), static_cast<T>(field), a, offset, count);
      d.check(scalar::bitFieldSExtract(a, offset, count), static_cast<T>(extended), a, offset, count);
    }
}

template <class T>
void checkBits() {
  Differences d;
  const std::vector<T> values = operands<T>();
  for (const T a : values) checkBitsOf(d, a);
  for (std::size_t i = 0; i < values.size(); i += 3) checkFieldsOf(d, values[i], values[values.size() - 1 - i]);
  if constexpr (sizeof(T) == 2)
    for (int i = 0; i < 65536; ++i) checkBitsOf(d, static_cast<T>(i));
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarInteger, Bits) {
  checkBits<std::uint8_t>();
  checkBits<std::int16_t>();
  checkBits<std::uint32_t>();
  checkBits<std::int32_t>();
  checkBits<std::int64_t>();
}

TEST(ScalarInteger, UndefinedFieldsAreHarmless) {
  EXPECT_EQ(scalar::bitFieldUExtract(0xffffffffu, 28u, 8u), 0xfu);
  EXPECT_EQ(scalar::bitFieldInsert(0u, 0xffffffffu, 40u, 8u), 0u);
}

TEST(ScalarInteger, DotProducts) {
  reference::Random r{5};
  Differences d;
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::uint32_t>(r.next()), b = static_cast<std::uint32_t>(r.next());
    std::int8_t sa[4], sb[4];
    std::uint8_t ua[4], ub[4];
    std::memcpy(sa, &a, 4), std::memcpy(ua, &a, 4), std::memcpy(sb, &b, 4), std::memcpy(ub, &b, 4);
    Int ss = 0, uu = 0, su = 0;
    for (int c = 0; c < 4; ++c) ss += Int{sa[c]} * sb[c], uu += Int{ua[c]} * ub[c], su += Int{sa[c]} * ub[c];
    d.check(scalar::dot<std::int32_t>(sa, sb, 4), static_cast<std::int32_t>(ss), a, b);
    d.check(scalar::dot<std::uint8_t>(ua, ub, 4), static_cast<std::uint8_t>(uu), a, b);
    d.check(scalar::dot<std::int64_t>(sa, ub, 3), static_cast<std::int64_t>(su - Int{sa[3]} * ub[3]), a, b);
  }
  EXPECT_NO_DIFFERENCES(d);
}

// model/scalar/joined.h: against 128 bits, and bit by bit.
TEST(ScalarInteger, RotationIsWhatBothShiftsAre) {
  Differences d;
  for (const std::uint32_t a : operands<std::uint32_t>())
    for (std::uint32_t n = 0; n < 64; ++n) {
      const std::uint64_t twice = (std::uint64_t{a} << 32 | a) << (n % 32);
      const auto turned = static_cast<std::uint32_t>(twice >> 32);
      d.check(scalar::rotateLeft(a, n), turned, a, n);
      d.check(scalar::rotateXor(a, n, 0x12345678), turned ^ 0x12345678, a, n);
      d.check(scalar::xorRotate(a ^ 0x12345678, 0x12345678, n), turned, a, n);
      const std::uint32_t m = n % 32, ways = turned ^ (a << m) ^ (a >> m);
      d.check(scalar::turnsXor(a, scalar::kAround | m, scalar::kUp | m, scalar::kDown | m), ways, a, n);
      d.check(scalar::turnsXor(a, scalar::kAway, scalar::kDown | m, scalar::kAway | m), a >> m, a, n);
    }
  EXPECT_NO_DIFFERENCES(d);
}

template <class T>
void joinedOperations(Differences& d) {
  const auto low = [](Wide w) { return static_cast<T>(w); };
  const auto list = operands<T>();
  const T z = list[list.size() / 2];
  for (const T x : list)
    for (const T y : list) {
      d.check(scalar::addThree(x, y, z), low(Wide{x} + y + z), x, y);
      d.check(scalar::multiplyAdd(x, y, z), low(Wide{x} * y + z), x, y);
      d.check(scalar::andAdd(x, y, z), low(Wide{x} - (x & ~y) + z), x, y);
      d.check(scalar::selectEqual(x, y, z, x), (x ^ y) == 0 ? z : x, x, y);
      d.check(scalar::selectLess(x, y, z, x), (Wide{x} - y) >> 127 != 0 ? z : x, x, y);
      const auto n = static_cast<std::uint32_t>(y % (8 * sizeof(T)));
      const T up = low(Wide{x} << n), down = low(Wide{x} >> n);
      d.check(scalar::leftAdd(x, n, z), low(Wide{up} + z), x, y);
      d.check(scalar::leftOr(x, n, z), low(up | z), x, y);
      d.check(scalar::leftXor(x, n, z), low(up ^ z), x, y);
      d.check(scalar::rightAdd(x, n, z), low(Wide{down} + z), x, y);
      d.check(scalar::rightAnd(x, n, z), low(down & z), x, y);
      d.check(scalar::rightXor(x, n, z), low(down ^ z), x, y);
    }
}

TEST(ScalarInteger, JoinedOperationsAreOneAfterTheOther) {
  Differences d;
  joinedOperations<std::uint32_t>(d);
  joinedOperations<std::uint64_t>(d);
  for (const std::uint64_t x : operands<std::uint64_t>())
    for (const std::uint64_t y : operands<std::uint64_t>())
      d.check(scalar::multiplyLow(x, y), std::uint64_t{static_cast<std::uint32_t>(x)} * static_cast<std::uint32_t>(y), x, y);
  for (const std::int32_t x : operands<std::int32_t>())
    for (const std::int32_t y : operands<std::int32_t>()) d.check(scalar::selectLess(x, y, 1, 2), std::int64_t{x} - y < 0 ? 1 : 2, x, y);
  EXPECT_NO_DIFFERENCES(d);
}

TEST(ScalarInteger, FunctionsByBitsAreTheirTables) {
  Differences d;
  constexpr std::uint32_t a = 0xf0f01234, b = 0xcccc5678, c = 0xaaaa9abc;  // all eight combinations, and others
  for (std::uint32_t table = 0; table < 256; ++table) {
    std::uint32_t expected = 0;
    for (int bit = 0; bit < 32; ++bit) expected |= (table >> ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)) & 1) << bit;
    d.check(scalar::bitsOfThree(a, b, c, table), expected, table, 0u);
    const auto twice = [](std::uint32_t x) { return std::uint64_t{~x} << 32 | x; };
    const auto wide = scalar::bitsOfThree(twice(a), twice(b), twice(c), table);
    d.check(static_cast<std::uint32_t>(wide), expected, table, 1u);
    d.check(static_cast<std::uint32_t>(wide >> 32), scalar::bitsOfThree(~a, ~b, ~c, table), table, 2u);
  }
  EXPECT_NO_DIFFERENCES(d);
}

}  // namespace
}  // namespace lanewise
