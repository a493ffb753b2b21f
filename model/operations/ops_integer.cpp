// The rows of model/ir/rows/integer.inc, and a faster form of three of them.
#include "model/ir/rotation.h"
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
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

// kAddress with a stride that all lanes share, in 32 bits: index * stride does not fit where the index is beyond the quotient.
const Instr* address(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<std::uint32_t>(ip->dst);
    const auto* index = s.slot<std::uint32_t>(ip->a);
    const auto* stride = s.slot<std::uint32_t>(ip->b);
    const auto* base = s.slot<std::uint32_t>(ip->c);
    const std::uint32_t by = *stride;
    const std::uint32_t most = std::has_single_bit(by) ? 0xffffffffu >> std::countr_zero(by) : 0xffffffffu / std::max(by, 1u);
    for (std::uint32_t g = 0; g < ip->groups; ++g) {
      if (ip->stepB != 0) {
#pragma GCC ivdep
        for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = scalar::address(index[k], stride[k], base[k]);
      } else {
#pragma GCC ivdep
        for (std::uint32_t k = 0; k < kGroup; ++k) {
          const std::uint32_t sum = index[k] * by + base[k];
          d[k] = index[k] > most || sum < base[k] ? 0xffffffffu : sum;
        }
      }
      d += kGroup;
      index += ip->stepA * kGroup;
      stride += ip->stepB * kGroup;
      base += ip->stepC * kGroup;
      forget(d, index, stride, base);
    }
    ++ip;
  } while (ip->run == &address && !s.singleStep);
  return ip;
}

}  // namespace

void addIntegerRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/integer.inc"
#undef ROW
  t.add({ir::core(OpUDiv), Scalar::kI32, Scalar::kI32}, &divide<false>);
  t.add({ir::core(OpUMod), Scalar::kI32, Scalar::kI32}, &divide<true>);
  t.add({ir::codeOf(kAddress), Scalar::kI32, Scalar::kI32}, &address);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
