// Integer arithmetic, bit instructions and integer comparisons (SPIR-V 1.6, 3.42.13, 3.42.14, 3.42.15).
#include "model/operations/elementwise.h"
#include "model/operations/ops.h"
#include "model/operations/pack_rows.h"
#include "model/scalar/integer.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using spv::Op;

// Division of 32-bit integers, many at once: in binary64 the rounded quotient of a and b never reaches the next integer, because a/b stays
// at least 1/b > 2^-53 a/b below it.
inline std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
  const double q = static_cast<double>(a) / static_cast<double>(b == 0 ? 1u : b);
  return b == 0 ? 0xffffffffu : static_cast<std::uint32_t>(q);
}
inline std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
  return b == 0 ? 0xffffffffu : a - quotient(a, b) * b;
}

// OpUDiv and OpUMod of 32 bits. By a uniform divisor: a times its rounded reciprocal is below the next integer for the same reason, but may
// fall below an integer that a/b reaches; the remainder shows that.
template <bool Remainder>
const Instr* divide(const Instr* ip, Batch& s) {
  auto* d = s.slot<std::uint32_t>(ip->dst);
  const auto* a = s.slot<std::uint32_t>(ip->a);
  const auto* b = s.slot<std::uint32_t>(ip->b);
  const std::uint32_t divisor = *b;
  const bool uniform = ip->stepB == 0 && divisor != 0;
  const double reciprocal = 1.0 / static_cast<double>(divisor == 0 ? 1u : divisor);
  for (std::uint32_t g = 0; g < ip->groups; ++g) {
    if (uniform) {
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) {
        const std::uint32_t q = static_cast<std::uint32_t>(static_cast<double>(a[k]) * reciprocal);
        const std::uint32_t rest = a[k] - q * divisor, carry = rest >= divisor ? 1u : 0u;
        d[k] = Remainder ? rest - carry * divisor : q + carry;
      }
    } else {
#pragma GCC ivdep
      for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = Remainder ? remainder(a[k], b[k]) : quotient(a[k], b[k]);
    }
    d += kGroup;
    a += ip->stepA * kGroup;
    b += ip->stepB * kGroup;
    forget(d, a, b);
  }
  return ip + 1;
}

template <class S>
void addWidth(OpTable& t) {
  using U = std::make_unsigned_t<S>;
  using Count = std::uint32_t;
  row<U, U, U>(t, Op::OpIAdd, [](U a, U b) { return scalar::iAdd(a, b); });
  row<U, U, U>(t, Op::OpISub, [](U a, U b) { return scalar::iSub(a, b); });
  row<U, U, U>(t, Op::OpIMul, [](U a, U b) { return scalar::iMul(a, b); });
  addDivision<DivideByZero::kAllOnes, SignedModulo::kFloor, S>(t);
  row<S, S>(t, Op::OpSNegate, [](S a) { return scalar::sNegate(a); });
  row<U, U, U>(t, Op::OpUMulExtended, [](U a, U b) { return scalar::uMulExtended(a, b).second; });
  row<S, S, S>(t, Op::OpSMulExtended, [](S a, S b) { return scalar::sMulExtended(a, b).second; });
  row<U, U, U>(t, Op::OpIAddCarry, [](U a, U b) { return scalar::iAddCarry(a, b).second; });
  row<U, U, U>(t, Op::OpISubBorrow, [](U a, U b) { return scalar::iSubBorrow(a, b).second; });

  row<U, U, Count>(t, Op::OpShiftLeftLogical, [](U a, Count n) { return scalar::shiftLeftLogical(a, n); });
  row<U, U, Count>(t, Op::OpShiftRightLogical, [](U a, Count n) { return scalar::shiftRightLogical(a, n); });
  row<S, S, Count>(t, Op::OpShiftRightArithmetic, [](S a, Count n) { return scalar::shiftRightArithmetic(a, n); });
  row<U, U, U>(t, Op::OpBitwiseAnd, [](U a, U b) { return static_cast<U>(a & b); });
  row<U, U, U>(t, Op::OpBitwiseOr, [](U a, U b) { return static_cast<U>(a | b); });
  row<U, U, U>(t, Op::OpBitwiseXor, [](U a, U b) { return static_cast<U>(a ^ b); });
  row<U, U>(t, Op::OpNot, [](U a) { return static_cast<U>(~a); });
  row<U, U>(t, Op::OpBitReverse, [](U a) { return scalar::bitReverse(a); });
  row<std::uint32_t, U>(t, Op::OpBitCount, [](U a) { return scalar::bitCount(a); });
  row<U, U, U, Count, Count>(t, Op::OpBitFieldInsert,
                             [](U base, U insert, Count at, Count n) { return scalar::bitFieldInsert(base, insert, at, n); });
  row<U, U, Count, Count>(t, Op::OpBitFieldUExtract, [](U a, Count at, Count n) { return scalar::bitFieldUExtract(a, at, n); });
  row<S, S, Count, Count>(t, Op::OpBitFieldSExtract, [](S a, Count at, Count n) { return scalar::bitFieldSExtract(a, at, n); });

  row<bool, U, U>(t, Op::OpIEqual, [](U a, U b) { return a == b; });
  row<bool, U, U>(t, Op::OpINotEqual, [](U a, U b) { return a != b; });
  row<bool, U, U>(t, Op::OpUGreaterThan, [](U a, U b) { return a > b; });
  row<bool, S, S>(t, Op::OpSGreaterThan, [](S a, S b) { return a > b; });
  row<bool, U, U>(t, Op::OpUGreaterThanEqual, [](U a, U b) { return a >= b; });
  row<bool, S, S>(t, Op::OpSGreaterThanEqual, [](S a, S b) { return a >= b; });
  row<bool, U, U>(t, Op::OpULessThan, [](U a, U b) { return a < b; });
  row<bool, S, S>(t, Op::OpSLessThan, [](S a, S b) { return a < b; });
  row<bool, U, U>(t, Op::OpULessThanEqual, [](U a, U b) { return a <= b; });
  row<bool, S, S>(t, Op::OpSLessThanEqual, [](S a, S b) { return a <= b; });
}

}  // namespace

void addIntegerRows(OpTable& t) {
  addWidth<std::int8_t>(t);
  addWidth<std::int16_t>(t);
  addWidth<std::int32_t>(t);
  addWidth<std::int64_t>(t);
  t.add({ir::core(Op::OpUDiv), Scalar::kI32, Scalar::kI32}, &divide<false>);
  t.add({ir::core(Op::OpUMod), Scalar::kI32, Scalar::kI32}, &divide<true>);
  // An address: index * stride + base, sticking at the top (ir.h, kAddress).
  using U = std::uint32_t;
  row<U, U, U, U>(t, ir::kAddress, [](U index, U stride, U base) {
    const std::uint64_t sum = std::uint64_t{index} * stride + base;
    return sum > 0xffffffffu ? 0xffffffffu : static_cast<U>(sum);
  });
  row<U, U, U, U>(t, ir::kOffset, [](U index, U stride, U base) {
    const std::int64_t from = base >= 0xc0000000u ? std::int64_t{base} - (std::int64_t{1} << 32) : std::int64_t{base};
    const std::int64_t sum = from + std::int64_t{static_cast<std::int32_t>(index)} * stride;
    return static_cast<U>(std::clamp<std::int64_t>(sum, -(std::int64_t{1} << 30), 0xbfffffff));
  });
  row<U, std::uint64_t>(t, ir::kIndex64, [](std::uint64_t index) { return index > 0xffffffffu ? 0xffffffffu : static_cast<U>(index); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
