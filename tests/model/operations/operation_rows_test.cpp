// The rows that compute against what they stand for: every type has its handler and no handler is without a type; what a row calls one
// instruction of a compiler is that one.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/operations/evaluate.h"
#include "model/operations/table.h"

namespace lanewise {
namespace {

using ir::Machine;
using ir::OperationInfo;
using ir::Signature;

std::set<std::tuple<ir::Code, Scalar, Scalar>> keysOfRows() {
  std::set<std::tuple<ir::Code, Scalar, Scalar>> keys;
  for (const OperationInfo& o : ir::operationInfos())
    if (o.computes())
      for (const Signature& s : ir::signaturesOf(o.types)) keys.insert({o.code, s.result.scalar, s.arguments[0].scalar});
  return keys;
}

TEST(OperationRows, EveryTypeOfARowHasAHandlerAndEveryHandlerARow) {
  const auto keys = keysOfRows();
  for (const OpTable* table : {&operations(), &baseOperations()}) {
    for (const auto& [code, result, argument] : keys)
      EXPECT_NE(table->find({code, result, argument}), nullptr)
          << codeName(code) << " on " << scalarName(argument) << " giving " << scalarName(result);
    table->forEach([&](const OpKey& key) {
      const bool computes = key.op < ir::kOwn || ir::computes(key.op);
      EXPECT_EQ(computes, keys.contains({key.op, key.result, key.argument})) << codeName(key.op) << " on " << scalarName(key.argument);
    });
  }
}

// Two rows of signatures that differ in their later arguments only would share a handler.
TEST(OperationRows, TheResultAndTheFirstArgumentTellSignaturesApart) {
  for (const OperationInfo& o : ir::operationInfos()) {
    std::set<std::pair<Scalar, Scalar>> seen;
    for (const Signature& s : ir::signaturesOf(o.types))
      EXPECT_TRUE(seen.insert({s.result.scalar, s.arguments[0].scalar}).second) << codeName(o.code) << ' ' << o.types;
  }
}

// --- What is one instruction elsewhere -------------------------------------------------------------------------------------------------

using Bits = std::uint64_t;

std::vector<Bits> operandsOf(Scalar type) {
  if (type == Scalar::kBool) return {0, 0xffffffffu};
  if (type == Scalar::kF32) {
    std::vector<Bits> out;
    for (const float f : {0.0f, -0.0f, 0.5f, 1.0f, -1.5f, 2.5f, 3.0f, 1e-40f, -3e38f, 16777216.0f, INFINITY, -INFINITY, NAN})
      out.push_back(std::bit_cast<std::uint32_t>(f));
    return out;
  }
  if (type == Scalar::kF64) {
    std::vector<Bits> out;
    for (const double f : {0.0, -0.0, 0.5, 1.0, -1.5, 2.5, 3.0, 1e-310, -1e308, 1e300, HUGE_VAL, -HUGE_VAL, double{NAN}})
      out.push_back(std::bit_cast<std::uint64_t>(f));
    return out;
  }
  std::vector<Bits> out;
  const std::uint32_t width = 8 * scalarBytes(type);
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  for (const Bits b : {Bits{0}, Bits{1}, Bits{2}, Bits{0x5a}, mask >> 1, (mask >> 1) + 1, mask - 1, mask, Bits{0x123456789abcdef1} & mask})
    out.push_back(b);
  return out;
}

// What the machine does, in the host's own arithmetic on one type.
template <class T>
std::optional<Bits> integerInstruction(Machine m, T a, T b) {
  using U = std::make_unsigned_t<T>;
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

template <class T>
std::optional<Bits> floatInstruction(Machine m, T a, T b) {
  using B = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto truth = [](bool v) { return Bits{v ? 0xffffffffu : 0u}; };
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (m) {
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
std::optional<Bits> integersAs(Machine m, Bits a, Bits b) {
  return integerInstruction(m, static_cast<T>(a), static_cast<T>(b));
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

// Nothing where the test's own arithmetic has no such type (halves).
std::optional<Bits> expected(Machine m, const Signature& s, Bits a, Bits b, Bits c) {
  const ir::OperandType type = s.arguments[0];
  if (m == Machine::kSelect) return a != 0 ? b : c;
  if (m == Machine::kBitcast) return a;
  if (m == Machine::kExtendOrTruncate) return extended(s.result.scalar, type, a);
  if (s.result.scalar == Scalar::kF16 || type.scalar == Scalar::kF16) return {};
  if (m == Machine::kIntegerToFloat) {
    const Bits wide = extended(Scalar::kI64, type, a);
    return type.isSigned ? toFloat<std::int64_t>(s.result.scalar, wide) : toFloat<std::uint64_t>(s.result.scalar, wide);
  }
  const float fa = std::bit_cast<float>(static_cast<std::uint32_t>(a)), fb = std::bit_cast<float>(static_cast<std::uint32_t>(b));
  const double da = std::bit_cast<double>(a), db = std::bit_cast<double>(b);
  if (m == Machine::kFConvert) {
    if (type.scalar == s.result.scalar) return a;
    return type.scalar == Scalar::kF32 ? std::bit_cast<Bits>(double{fa}) : Bits{std::bit_cast<std::uint32_t>(static_cast<float>(da))};
  }
  switch (type.scalar) {
    case Scalar::kF32:
      return floatInstruction(m, fa, fb);
    case Scalar::kF64:
      return floatInstruction(m, da, db);
    case Scalar::kBool:
      return integersAs<std::uint32_t>(m, a, b);
    case Scalar::kI8:
      return type.isSigned ? integersAs<std::int8_t>(m, a, b) : integersAs<std::uint8_t>(m, a, b);
    case Scalar::kI16:
      return type.isSigned ? integersAs<std::int16_t>(m, a, b) : integersAs<std::uint16_t>(m, a, b);
    case Scalar::kI32:
      return type.isSigned ? integersAs<std::int32_t>(m, a, b) : integersAs<std::uint32_t>(m, a, b);
    default:
      return type.isSigned ? integersAs<std::int64_t>(m, a, b) : integersAs<std::uint64_t>(m, a, b);
  }
}

TEST(OperationRows, WhatIsCalledOneInstructionIsThatOne) {
  const OpRows rows;
  std::map<ir::Code, std::size_t> tried;
  for (const OperationInfo& o : ir::operationInfos()) {
    if (o.facts.instruction == Machine::kNone) continue;
    for (const Signature& s : ir::signaturesOf(o.types)) {
      std::vector<Scalar> types;
      for (std::uint8_t i = 0; i < s.count; ++i) types.push_back(s.arguments[i].scalar);
      const std::vector<Bits> one{0};
      const std::vector<Bits> second = s.count > 1 ? operandsOf(types[1]) : one, third = s.count > 2 ? operandsOf(types[2]) : one;
      for (const Bits a : operandsOf(types[0]))
        for (const Bits b : second)
          for (const Bits c : third) {
            const std::optional<Bits> want = expected(o.facts.instruction, s, a, b, c);
            if (!want) continue;
            const Bits bits[] = {a, b, c};
            const auto got = evaluate(rows, o.code, s.result.scalar, types, std::span(bits).first(s.count));
            ASSERT_TRUE(got) << codeName(o.code);
            ++tried[o.code];
            ASSERT_EQ(*got, *want) << codeName(o.code) << ' ' << o.types << " of " << std::hex << a << ' ' << b << ' ' << c << " on "
                                   << scalarName(types[0]);
          }
    }
    EXPECT_GT(tried[o.code], 0u) << codeName(o.code) << ": the test does not know its instruction";
  }
}

// --- Which bytes of a result an undefined byte of an operand reaches (ir::Spread): of no row fewer than the function shows ---------------

Bits withOthers(Scalar type, Bits bits, ir::ByteMask undefined, Bits others) {
  if (type == Scalar::kBool) return undefined != 0 && (others & 1) != 0 ? ~bits & 0xffffffffu : bits;
  for (std::uint32_t i = 0; i < scalarBytes(type); ++i)
    if ((undefined >> i & 1) != 0) bits = (bits & ~(Bits{0xff} << (8 * i))) | (others & (Bits{0xff} << (8 * i)));
  return bits;
}

class Spreading {
 public:
  explicit Spreading(const OperationInfo& o) : o_(o), random_(o.code) {}

  // Bytes that the rule calls defined, and that changed with those that are not.
  std::string fault(const Signature& s) {
    Scalar types[4];
    Bits bits[4], others[4];
    ir::ByteMask undefined[4];
    for (std::size_t i = 0; i < s.count; ++i) {
      const Scalar type = types[i] = s.arguments[i].scalar;
      const std::vector<Bits> chosen = operandsOf(type);
      const Bits all = scalarBytes(type) == 8 ? ~Bits{0} : (Bits{1} << (8 * scalarBytes(type))) - 1;
      const Bits kinds[] = {chosen[random_() % chosen.size()], random_() & all, random_() % 9, all};
      bits[i] = type == Scalar::kBool ? chosen[random_() % chosen.size()] : kinds[random_() % 4];
      undefined[i] = random_() % 2 != 0      ? ir::ByteMask{0}
                     : type == Scalar::kBool ? ir::allBytes(type)
                                             : static_cast<ir::ByteMask>(random_() & ir::allBytes(type));
      others[i] = withOthers(type, bits[i], undefined[i], random_());
    }
    const auto of = [&](const Bits(&values)[4]) {
      const bool has = ir::isDefined(o_.facts.defined, s.result.scalar, std::span(types, s.count), std::span(values, s.count));
      return has ? evaluate(rows_, o_.code, s.result.scalar, std::span(types, s.count), std::span(values, s.count)) : std::nullopt;
    };
    const std::optional<Bits> a = of(bits), b = of(others);
    if (!a || !b) return "";
    const ir::ByteMask may = ir::undefinedBytes(o_.facts.spread, s.result.scalar,
                                                {std::span(types, s.count), std::span(bits, s.count), std::span(undefined, s.count)});
    for (std::uint32_t i = 0; i < scalarBytes(s.result.scalar); ++i)
      if ((may >> i & 1) == 0 && ((*a ^ *b) >> (8 * i) & 0xff) != 0)
        return fmt::format("{} {}: byte {} of {:x} and {:x}", codeName(o_.code), o_.types, i, *a, *b);
    return "";
  }

 private:
  const OperationInfo& o_;
  std::mt19937_64 random_;
  OpRows rows_;
};

TEST(OperationRows, UndefinedBytesReachNoOtherThanTheRowSays) {
  std::size_t precise = 0;
  for (const OperationInfo& o : ir::operationInfos()) {
    if (!o.computes() || o.facts.spread == ir::Spread::kToAll) continue;
    ++precise;
    Spreading spreading(o);
    for (const Signature& s : ir::signaturesOf(o.types))
      for (int time = 0; time < 2000; ++time) {
        const std::string fault = spreading.fault(s);
        ASSERT_EQ(fault, "");
      }
  }
  EXPECT_GE(precise, 20u);
}

// A rule that says too little is seen.
TEST(OperationRows, ARuleThatForgetsCarriesIsSeen) {
  OperationInfo sum = *ir::operationInfo(ir::core(spv::Op::OpIAdd));
  sum.facts.spread = ir::Spread::kToItsOwn;
  Spreading spreading(sum);
  const ir::Signatures all = ir::signaturesOf(sum.types);
  std::size_t faults = 0;
  for (int time = 0; time < 2000; ++time) faults += spreading.fault(all.all[2]) != "";
  EXPECT_GT(faults, 0u);
}

}  // namespace
}  // namespace lanewise
