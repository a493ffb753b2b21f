// What a row says a machine does (ir::Machine) against the row's function, in the host's own arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <type_traits>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/operations/evaluate.h"
#include "tests/model/operations/operands.h"

namespace lanewise {
namespace {

using ir::Machine;
using ir::OperationInfo;
using ir::Signature;

// What the machine does, in the host's own arithmetic on one type.
template <class T>
std::optional<Bits> integerInstruction(Machine m, T a, T b, T c) {
  using U = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  constexpr std::uint32_t kWidth = 8 * sizeof(T);
  const auto u = [](T v) { return static_cast<Bits>(static_cast<U>(v)); };
  const auto truth = [](bool v) { return Bits{v ? 0xffffffffu : 0u}; };
  const auto wrap = [](Bits v) { return static_cast<Bits>(static_cast<U>(v)); };
  switch (m) {
    case Machine::kAdd:
      return wrap(u(a) + u(b));
    case Machine::kSub:
      return wrap(u(a) - u(b));
    case Machine::kMul:
      return wrap(u(a) * u(b));
    case Machine::kAnd:
      return u(a) & u(b);
    case Machine::kOr:
      return u(a) | u(b);
    case Machine::kXor:
      return u(a) ^ u(b);
    case Machine::kNot:
      return u(static_cast<T>(~a));
    case Machine::kNegate:
      return wrap(0 - u(a));
    case Machine::kAbs:
      return a < 0 ? wrap(0 - u(a)) : u(a);
    case Machine::kHighProduct:
      return wrap(static_cast<Bits>(Wide{a} * Wide{b} >> kWidth));
    case Machine::kCarry:
      return Bits{wrap(u(a) + u(b)) < u(a)};
    case Machine::kBorrow:
      return Bits{u(a) < u(b)};
    case Machine::kQuotient:
      return b == 0 ? wrap(~Bits{0}) : wrap(static_cast<Bits>(Wide{a} / Wide{b}));
    case Machine::kRemainder:
      return b == 0 ? wrap(~Bits{0}) : wrap(static_cast<Bits>(Wide{a} % Wide{b}));
    case Machine::kClamp:
      return u(std::min(std::max(a, b), c));
    case Machine::kLowestBit:
      return a == 0 ? wrap(~Bits{0}) : static_cast<Bits>(std::countr_zero(u(a)));
    case Machine::kHighestBit:
      return a == 0 ? wrap(~Bits{0}) : static_cast<Bits>(std::bit_width(u(a)) - 1);
    case Machine::kAddress:
      return static_cast<Bits>(std::min<Wide>(Wide{u(a)} * Wide{u(b)} + Wide{u(c)}, 0xffffffffu));
    case Machine::kEqual:
      return truth(a == b);
    case Machine::kNotEqual:
      return truth(a != b);
    case Machine::kLess:
      return truth(a < b);
    case Machine::kLessEqual:
      return truth(a <= b);
    case Machine::kGreater:
      return truth(a > b);
    case Machine::kGreaterEqual:
      return truth(a >= b);
    case Machine::kMin:
      return u(std::min(a, b));
    case Machine::kMax:
      return u(std::max(a, b));
    case Machine::kBitCount:
      return static_cast<Bits>(std::popcount(u(a)));
    case Machine::kBitReverse: {
      Bits r = 0;
      for (unsigned i = 0; i < sizeof(T) * 8; ++i) r |= (u(a) >> i & 1) << (sizeof(T) * 8 - 1 - i);
      return r;
    }
    default:
      return {};
  }
}

template <class T>
Bits oneNan(T x) {
  using B = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<B>(std::isnan(x) ? std::numeric_limits<T>::quiet_NaN() : x);
}

// Of a NaN and a number the number; -0 is smaller than +0; else the second, if neither is smaller.
template <class T>
T extremeOf(bool least, T a, T b) {
  if (std::isnan(b)) return a;
  if (std::isnan(a)) return b;
  if (a == 0 && b == 0 && std::signbit(a) != std::signbit(b)) return std::signbit(a) == least ? a : b;
  return (least ? a < b : a > b) ? a : b;
}

template <class T>
std::optional<Bits> floatInstruction(Machine m, T a, T b, T c) {
  using B = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto truth = [](bool v) { return Bits{v ? 0xffffffffu : 0u}; };
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (m) {
    case Machine::kFMin:
      return std::bit_cast<B>(extremeOf(true, a, b));
    case Machine::kFMax:
      return std::bit_cast<B>(extremeOf(false, a, b));
    case Machine::kFClamp:
      return std::bit_cast<B>(extremeOf(true, extremeOf(false, a, b), c));
    case Machine::kMulAdd: {
      volatile T product = a * b;
      return oneNan(product + c);
    }
    case Machine::kIsNan:
      return truth(std::isnan(a));
    case Machine::kFAdd:
      return oneNan(a + b);
    case Machine::kFSub:
      return oneNan(a - b);
    case Machine::kFMul:
      return oneNan(a * b);
    case Machine::kFDiv:
      return oneNan(a / b);
    case Machine::kFSqrt:
      return oneNan(std::sqrt(a));
    case Machine::kFNeg:
      return std::bit_cast<B>(-a);
    case Machine::kFAbs:
      return std::bit_cast<B>(std::fabs(a));
    case Machine::kFFloor:
      return oneNan(std::floor(a));
    case Machine::kFCeil:
      return oneNan(std::ceil(a));
    case Machine::kFTrunc:
      return oneNan(std::trunc(a));
    case Machine::kFRoundEven:
      return oneNan(std::nearbyint(a));
    case Machine::kFOrderedEqual:
      return truth(!unordered && a == b);
    case Machine::kFOrderedNotEqual:
      return truth(!unordered && a != b);
    case Machine::kFOrderedLess:
      return truth(!unordered && a < b);
    case Machine::kFOrderedLessEqual:
      return truth(!unordered && a <= b);
    case Machine::kFOrderedGreater:
      return truth(!unordered && a > b);
    case Machine::kFOrderedGreaterEqual:
      return truth(!unordered && a >= b);
    case Machine::kFUnorderedEqual:
      return truth(unordered || a == b);
    case Machine::kFUnorderedNotEqual:
      return truth(unordered || a != b);
    case Machine::kFUnorderedLess:
      return truth(unordered || a < b);
    case Machine::kFUnorderedLessEqual:
      return truth(unordered || a <= b);
    case Machine::kFUnorderedGreater:
      return truth(unordered || a > b);
    case Machine::kFUnorderedGreaterEqual:
      return truth(unordered || a >= b);
    default:
      return {};
  }
}

template <class T>
std::optional<Bits> integersAs(Machine m, Bits a, Bits b, Bits c) {
  constexpr std::uint32_t kWidth = 8 * sizeof(T);
  if (m == Machine::kShiftLeft) return static_cast<Bits>(static_cast<std::make_unsigned_t<T>>(a << b % kWidth));
  if (m == Machine::kShiftRight) return static_cast<Bits>(static_cast<std::make_unsigned_t<T>>(static_cast<T>(a) >> b % kWidth));
  return integerInstruction(m, static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
}

// Within one object: what is at 3 GiB or above stands for an offset below 0, and a sum sticks at the ends.
Bits offsetOf(Bits index, Bits stride, Bits base) {
  const std::int64_t from = base >= 0xc0000000u ? static_cast<std::int32_t>(base) : static_cast<std::int64_t>(base);
  const std::int64_t sum = from + std::int64_t{static_cast<std::int32_t>(index)} * static_cast<std::int64_t>(stride);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(sum, -(std::int64_t{1} << 30), 0xbfffffff));
}

template <class I>
Bits toFloat(Scalar result, Bits a) {
  const I i = static_cast<I>(a);
  return result == Scalar::kF32 ? Bits{std::bit_cast<std::uint32_t>(static_cast<float>(i))} : std::bit_cast<Bits>(static_cast<double>(i));
}

Bits extended(Scalar result, ir::OperandType from, Bits a) {
  const std::uint32_t unused = 64 - 8 * scalarBytes(from.scalar), width = 8 * scalarBytes(result);
  const Bits wide = from.isSigned ? static_cast<Bits>(static_cast<std::int64_t>(a << unused) >> unused) : a;
  return width == 64 ? wide : wide & ((Bits{1} << width) - 1);
}

// The lowest first.
Bits joinedBytes(const Signature& s, std::span<const Bits> bits) {
  Bits all = 0;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < bits.size(); at += 8 * scalarBytes(s.arguments[i++].scalar)) all |= bits[i] << at;
  return all;
}

std::optional<Bits> partOf(const Signature& s, Bits a, Bits number) {
  const std::uint32_t width = 8 * scalarBytes(s.result.scalar);
  if (number >= scalarBytes(s.arguments[0].scalar) / scalarBytes(s.result.scalar)) return {};
  return a >> (number * width) & (width == 64 ? ~Bits{0} : (Bits{1} << width) - 1);
}

// Bit by bit.
std::optional<Bits> bitField(const OperationInfo& o, const Signature& s, std::span<const Bits> bits) {
  std::vector<Scalar> types;
  for (const ir::OperandType& type : std::span(s.arguments).first(s.count)) types.push_back(type.scalar);
  if (!ir::isDefined(o.facts.defined, s.result.scalar, types, bits)) return {};
  const bool inserts = o.facts.instruction == Machine::kFieldInsert;
  const Bits offset = bits[inserts ? 2 : 1], count = bits[inserts ? 3 : 2];
  Bits field = inserts ? bits[0] : 0;
  for (Bits i = 0; i < count; ++i) {
    const Bits from = inserts ? i : offset + i, to = inserts ? offset + i : i;
    field = (field & ~(Bits{1} << to)) | (bits[inserts ? 1 : 0] >> from & 1) << to;
  }
  const std::uint32_t width = 8 * scalarBytes(s.result.scalar);
  if (s.result.isSigned && count != 0 && (field >> (count - 1) & 1) != 0)
    for (Bits i = count; i < width; ++i) field |= Bits{1} << i;
  return field;
}

// Of a number that fits; the nearest end of others; 0 of a NaN.
Bits toInteger(const Signature& s, double x) {
  const int width = static_cast<int>(8 * scalarBytes(s.result.scalar));
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  const double end = std::ldexp(1.0, s.result.isSigned ? width - 1 : width);
  if (std::isnan(x)) return 0;
  if (x >= end) return s.result.isSigned ? mask >> 1 : mask;
  if (s.result.isSigned) return x <= -end ? (mask >> 1) + 1 : static_cast<Bits>(static_cast<std::int64_t>(x)) & mask;
  return x <= 0 ? 0 : static_cast<Bits>(x);
}

// Nothing where the test's own arithmetic has no such type (halves).
std::optional<Bits> expected(const OperationInfo& o, const Signature& s, std::span<const Bits> bits) {
  const Machine m = o.facts.instruction;
  const ir::OperandType type = s.arguments[0];
  const Bits a = bits[0], b = bits.size() > 1 ? bits[1] : 0, c = bits.size() > 2 ? bits[2] : 0;
  if (m == Machine::kSelect) return a != 0 ? b : c;
  if (m == Machine::kBitcast) return a;
  if (m == Machine::kExtendOrTruncate) return extended(s.result.scalar, type, a);
  if (m == Machine::kPack) return joinedBytes(s, bits);
  if (m == Machine::kOffset) return offsetOf(a, b, c);
  if (m == Machine::kUnpack) return partOf(s, a, b);
  if (m == Machine::kFieldInsert || m == Machine::kFieldExtract) return bitField(o, s, bits);
  if (s.result.scalar == Scalar::kF16 || type.scalar == Scalar::kF16) return {};
  if (m == Machine::kIntegerToFloat) {
    const Bits wide = extended(Scalar::kI64, type, a);
    return type.isSigned ? toFloat<std::int64_t>(s.result.scalar, wide) : toFloat<std::uint64_t>(s.result.scalar, wide);
  }
  if (m == Machine::kFloatToInteger)
    return toInteger(s,
                     type.scalar == Scalar::kF32 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(a))} : std::bit_cast<double>(a));
  const float fa = std::bit_cast<float>(static_cast<std::uint32_t>(a)), fb = std::bit_cast<float>(static_cast<std::uint32_t>(b));
  const double da = std::bit_cast<double>(a), db = std::bit_cast<double>(b);
  if (m == Machine::kFConvert) {
    if (type.scalar == s.result.scalar) return a;
    return type.scalar == Scalar::kF32 ? std::bit_cast<Bits>(double{fa}) : Bits{std::bit_cast<std::uint32_t>(static_cast<float>(da))};
  }
  const float fc = std::bit_cast<float>(static_cast<std::uint32_t>(c));
  switch (type.scalar) {
    case Scalar::kF32:
      return floatInstruction(m, fa, fb, fc);
    case Scalar::kF64:
      return floatInstruction(m, da, db, std::bit_cast<double>(c));
    case Scalar::kBool:
      return integersAs<std::uint32_t>(m, a, b, c);
    case Scalar::kI8:
      return type.isSigned ? integersAs<std::int8_t>(m, a, b, c) : integersAs<std::uint8_t>(m, a, b, c);
    case Scalar::kI16:
      return type.isSigned ? integersAs<std::int16_t>(m, a, b, c) : integersAs<std::uint16_t>(m, a, b, c);
    case Scalar::kI32:
      return type.isSigned ? integersAs<std::int32_t>(m, a, b, c) : integersAs<std::uint32_t>(m, a, b, c);
    default:
      return type.isSigned ? integersAs<std::int64_t>(m, a, b, c) : integersAs<std::uint64_t>(m, a, b, c);
  }
}

TEST(Machines, DoWhatTheFunctionsOfTheirRowsDo) {
  const OpRows rows;
  std::map<ir::Code, std::size_t> tried;
  for (const OperationInfo& o : ir::operationInfos()) {
    if (o.facts.instruction == Machine::kNone) continue;
    for (const Signature& s : ir::signaturesOf(o.types)) {
      std::vector<Scalar> types;
      for (std::uint8_t i = 0; i < s.count; ++i) types.push_back(s.arguments[i].scalar);
      const std::vector<Bits> one{0};
      const auto valuesOf = [&](std::size_t i) { return s.count > i ? operandsOf(types[i]) : one; };
      for (const Bits a : valuesOf(0))
        for (const Bits b : valuesOf(1))
          for (const Bits c : valuesOf(2))
            for (const Bits d : valuesOf(3)) {
              const Bits bits[] = {a, b, c, d};
              const auto operands = std::span(bits).first(s.count);
              const std::optional<Bits> want = expected(o, s, operands);
              if (!want) continue;
              const auto got = evaluate(rows, o.code, s.result.scalar, types, operands);
              ASSERT_TRUE(got) << codeName(o.code);
              ++tried[o.code];
              ASSERT_EQ(*got, *want) << codeName(o.code) << ' ' << o.types << " of " << std::hex << a << ' ' << b << ' ' << c << ' ' << d
                                     << " on " << scalarName(types[0]);
            }
    }
    EXPECT_GT(tried[o.code], 0u) << codeName(o.code) << ": the test does not know its instruction";
  }
}

}  // namespace
}  // namespace lanewise
