// The rows of model/ir/rows/integer.inc, and a faster form of some of them.
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "model/ir/rows/joined.h"
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/joined.h"
#include "model/scalar/logic.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

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
  for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
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

// kAddress with a stride that all lanes share, in 32 bits: index * stride does not fit where the index is beyond the quotient.
const Instr* address(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<std::uint32_t>(ip->dst);
    const auto* index = s.slot<std::uint32_t>(ip->a);
    const auto* stride = s.slot<std::uint32_t>(ip->b);
    const auto* base = s.slot<std::uint32_t>(ip->c);
    const std::uint32_t by = *stride;
    const std::uint32_t most = std::has_single_bit(by) ? 0xffffffffu >> std::countr_zero(by) : 0xffffffffu / std::max(by, 1u);
    const std::size_t stepIndex = ip->stepA * kGroup, stepStride = ip->stepB * kGroup, stepBase = ip->stepC * kGroup;
    const auto each = [&](auto compute) __attribute__((always_inline)) {
      forGroups(
          groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
            for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = compute(k);
            d += kGroup;
            index += stepIndex;
            stride += stepStride;
            base += stepBase;
            forget(d, index, stride, base);
          });
    };
    const auto sumOf = [&](std::uint32_t k, std::uint32_t product) __attribute__((always_inline)) {
      const std::uint32_t sum = product + base[k];
      return index[k] > most || sum < base[k] ? 0xffffffffu : sum;
    };
    if (ip->stepB != 0)
      each([&](std::uint32_t k) { return scalar::address(index[k], stride[k], base[k]); });
    else if (std::has_single_bit(by))
      each([&, bits = std::countr_zero(by)](std::uint32_t k) { return sumOf(k, index[k] << bits); });
    else
      each([&](std::uint32_t k) { return sumOf(k, index[k] * by); });
    ++ip;
  } while (ip->run == &address && !s.singleStep);
  return ip;
}

// kRotateLeft, kRotateXor and kXorRotate: one value is rotated, and xor with another comes after it, or before.
enum class Xor : std::uint8_t { kNone, kAfter, kBefore };

// A group by an amount that all lanes share.
template <Xor At>
[[gnu::always_inline]] inline void rotateGroup(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* other, std::uint32_t by) {
#if defined(__AVX512F__)
  __m512i x = _mm512_loadu_si512(a);
  if constexpr (At == Xor::kBefore) x = _mm512_xor_si512(x, _mm512_loadu_si512(other));
  x = _mm512_maskz_rolv_epi32(0xffff, x, _mm512_set1_epi32(static_cast<int>(by)));
  if constexpr (At == Xor::kAfter) x = _mm512_xor_si512(x, _mm512_loadu_si512(other));
  _mm512_storeu_si512(d, x);
#else
  const std::uint32_t rest = (32 - by) & 31;
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const std::uint32_t x = At == Xor::kBefore ? a[k] ^ other[k] : a[k], turned = x << by | x >> rest;
    d[k] = At == Xor::kAfter ? turned ^ other[k] : turned;
  }
#endif
}

template <Xor At>
const Instr* rotate(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<std::uint32_t>(ip->dst);
    const auto* a = s.slot<std::uint32_t>(ip->a);
    const auto* by = s.slot<std::uint32_t>(At == Xor::kBefore ? ip->c : ip->b);
    const auto* other = s.slot<std::uint32_t>(At == Xor::kBefore ? ip->b : At == Xor::kAfter ? ip->c : ip->a);
    const std::uint32_t stepA = kGroup * ip->stepA, stepBy = kGroup * (At == Xor::kBefore ? ip->stepC : ip->stepB);
    const std::uint32_t stepOther = kGroup * (At == Xor::kBefore ? ip->stepB : At == Xor::kAfter ? ip->stepC : 0);
    const std::uint32_t shared = *by & 31;
    forGroups(
        groupsOf(ip, s), [&]() __attribute__((always_inline)) {
          if (stepBy == 0) {
            rotateGroup<At>(d, a, other, shared);
          } else {
#pragma GCC ivdep
            for (std::uint32_t k = 0; k < kGroup; ++k) {
              const std::uint32_t turned = scalar::rotateLeft(At == Xor::kBefore ? a[k] ^ other[k] : a[k], by[k]);
              d[k] = At == Xor::kAfter ? turned ^ other[k] : turned;
            }
          }
          d += kGroup;
          a += stepA;
          by += stepBy;
          other += stepOther;
          forget(d, a, by, other);
        });
    ++ip;
  } while (ip->run == &rotate<At> && !s.singleStep);
  return ip;
}

// kTurnsXor. How it is turned is the same for all lanes.
const Instr* turnsXor(const Instr* ip, Batch& s) {
  const Operand* o = s.env->program->operands.data() + ip->operands;
  auto* d = s.slot<std::uint32_t>(ip->dst);
  const auto* a = s.slot<std::uint32_t>(o[0].offset);
  const std::uint32_t step = o[0].step == 0 ? 0 : kGroup;
  std::uint32_t by[3], mask[3];
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t how = *s.slot<std::uint32_t>(o[1 + i].offset);
    by[i] = scalar::turnOf(how);
    mask[i] = scalar::turnMask(how);
  }
  forGroups(
      groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#if defined(__AVX512F__)
        const __m512i x = _mm512_loadu_si512(a);
        const auto turned = [&](std::uint32_t i) { return _mm512_maskz_rolv_epi32(0xffff, x, _mm512_set1_epi32(static_cast<int>(by[i]))); };
        const auto only = [&](std::uint32_t i) { return _mm512_set1_epi32(static_cast<int>(mask[i])); };
        __m512i all = _mm512_and_si512(turned(0), only(0));
        for (const std::uint32_t i : {1, 2}) all = _mm512_ternarylogic_epi32(all, turned(i), only(i), 0x78);  // all ^ (turned & only)
        _mm512_storeu_si512(d, all);
#else
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const auto turned = [&](std::uint32_t i) { return (a[k] << by[i] | a[k] >> ((32 - by[i]) & 31)) & mask[i]; };
      d[k] = turned(0) ^ turned(1) ^ turned(2);
    }
#endif
        d += kGroup;
        a += step;
        forget(d, a);
      });
  return ip + 1;
}

// A shift, and what is joined with it: an amount that all lanes share is taken once, and not for each.
template <class F, class R, class A, class B, class... C>
const Instr* shift(const Instr* ip, Batch& s) {
  if (ip->stepB != 0) {
    if constexpr (sizeof...(C) == 0)
      return binary<F, R, A, B>(ip, s);
    else
      return ternary<F, R, A, B, C...>(ip, s);
  }
  do {
    auto* d = s.slot<LaneOf<R>>(ip->dst);
    const auto* a = s.slot<LaneOf<A>>(ip->a);
    const auto* c = s.slot<LaneOf<R>>(ip->c);
    const B by = fromLane<B>(*s.slot<LaneOf<B>>(ip->b));
    const std::size_t stepA = ip->stepA * (64 / sizeof(LaneOf<A>)), stepC = ip->stepC * (64 / sizeof(LaneOf<R>));
    forGroups(
        groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
          for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = toLane<R>(F{}(fromLane<A>(a[k]), by, fromLane<C>(c[k])...));
          d += kGroup;
          a += stepA;
          c += stepC;
          forget(d, a, c);
        });
    ++ip;
  } while (ip->run == &shift<F, R, A, B, C...> && ip->stepB == 0 && !s.singleStep);
  return ip;
}
constexpr bool isShift(ir::Code op) {
  return op == ir::core(OpShiftLeftLogical) || op == ir::core(OpShiftRightLogical) || op == ir::core(OpShiftRightArithmetic) ||
         op == ir::kLeftAdd || op == ir::kLeftOr || op == ir::kLeftXor || op == ir::kRightAdd || op == ir::kRightAnd || op == ir::kRightXor;
}
template <TypesText Types, class V, class F>
void addShiftRow(OpTable& t, ir::Code code, F) {
  forEachSignature<Types>([&]<ir::Signature S>() {
    using R = TypeOf<S.result>;
    using Function = Strict<F, S, V>;
    const OpKey key{code, scalarOf<R>(), S.arguments[0].scalar};
    if constexpr (S.count == 2) t.add(key, &shift<Function, R, TypeOf<S.arguments[0]>, TypeOf<S.arguments[1]>>);
    if constexpr (S.count == 3) t.add(key, &shift<Function, R, TypeOf<S.arguments[0]>, TypeOf<S.arguments[1]>, TypeOf<S.arguments[2]>>);
  });
}
// As addRow.
template <TypesText Types, class V, bool IsShift, class F>
void addIntegerRow(OpTable& t, ir::Code code, F f) {
  if constexpr (IsShift)
    addShiftRow<Types, V>(t, code, f);
  else
    addRow<Types, V>(t, code, f);
}

// kBits by one table. A group of 64-bit lanes is two of 32 bits; an argument that all lanes share has the same words in both.
template <class T, std::uint32_t Table>
const Instr* bitsBy(const Instr* ip, Batch& s, const Operand* o) {
  const auto step = [](const Operand& from) { return from.step == 0 ? 0 : kGroup; };
  auto* d = s.slot<std::uint32_t>(ip->dst);
  const auto *a = s.slot<std::uint32_t>(o[0].offset), *b = s.slot<std::uint32_t>(o[1].offset), *c = s.slot<std::uint32_t>(o[2].offset);
  const std::uint32_t stepA = step(o[0]), stepB = step(o[1]), stepC = step(o[2]), groups = groupsOf(ip, s) * (sizeof(T) / 4);
  for (std::uint32_t g = 0; g < groups; ++g) {
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = scalar::bitsOfThree(a[k], b[k], c[k], Table);
    d += kGroup;
    a += stepA;
    b += stepB;
    c += stepC;
    forget(d, a, b, c);
  }
  return ip + 1;
}
template <class T>
constexpr auto kBitsByTable = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{&bitsBy<T, static_cast<std::uint32_t>(I)>...};
}
(std::make_index_sequence<256>{});

template <class T>
const Instr* threeBits(const Instr* ip, Batch& s) {
  const Operand* o = s.env->program->operands.data() + ip->operands;
  return kBitsByTable<T>[*s.slot<std::uint32_t>(o[3].offset) & 0xff](ip, s, o);
}

}  // namespace

void addIntegerRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) \
  addIntegerRow<types, ir::varies, isShift(ir::codeOf(code))>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/integer.inc"
#undef ROW
  t.add({ir::core(OpUDiv), Scalar::kI32, Scalar::kI32}, &divide<false>);
  t.add({ir::core(OpUMod), Scalar::kI32, Scalar::kI32}, &divide<true>);
  t.add({ir::codeOf(kAddress), Scalar::kI32, Scalar::kI32}, &address);
  t.add({ir::kRotateLeft, Scalar::kI32, Scalar::kI32}, &rotate<Xor::kNone>);
  t.add({ir::kRotateXor, Scalar::kI32, Scalar::kI32}, &rotate<Xor::kAfter>);
  t.add({ir::kXorRotate, Scalar::kI32, Scalar::kI32}, &rotate<Xor::kBefore>);
  t.add({ir::kTurnsXor, Scalar::kI32, Scalar::kI32}, &turnsXor);
  t.add({ir::kBits, Scalar::kI32, Scalar::kI32}, &threeBits<std::uint32_t>);
  t.add({ir::kBits, Scalar::kI64, Scalar::kI64}, &threeBits<std::uint64_t>);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
