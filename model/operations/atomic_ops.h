// The new value of an atomic instruction, from the old one and its operand: one pure function for buffers, workgroup memory and images.
#pragma once

#include <algorithm>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>

#include "model/operations/float_rules.h"
#include "model/scalar/integer.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

template <class T>
T atomicResult(const FloatRules& rules, spv::Op op, T old, T value, T comparator) {
  if constexpr (std::is_integral_v<T>) {
    using S = std::make_signed_t<T>;
    switch (op) {
      case spv::Op::OpAtomicIAdd:
        return scalar::iAdd(old, value);
      case spv::Op::OpAtomicISub:
        return scalar::iSub(old, value);
      case spv::Op::OpAtomicIIncrement:
        return scalar::iAdd(old, T{1});
      case spv::Op::OpAtomicIDecrement:
        return scalar::iSub(old, T{1});
      case spv::Op::OpAtomicSMin:
        return static_cast<T>(scalar::sMin(static_cast<S>(old), static_cast<S>(value)));
      case spv::Op::OpAtomicSMax:
        return static_cast<T>(scalar::sMax(static_cast<S>(old), static_cast<S>(value)));
      case spv::Op::OpAtomicUMin:
        return scalar::uMin(old, value);
      case spv::Op::OpAtomicUMax:
        return scalar::uMax(old, value);
      case spv::Op::OpAtomicAnd:
        return old & value;
      case spv::Op::OpAtomicOr:
        return old | value;
      case spv::Op::OpAtomicXor:
        return old ^ value;
      case spv::Op::OpAtomicCompareExchange:
        return old == comparator ? value : old;
      default:
        break;
    }
  } else {
    switch (op) {
      case spv::Op::OpAtomicFAddEXT:
        return fAddBy(rules, old, value);
      case spv::Op::OpAtomicFMinEXT:
        return fMinBy(rules, old, value);
      case spv::Op::OpAtomicFMaxEXT:
        return fMaxBy(rules, old, value);
      default:
        break;
    }
  }
  return op == spv::Op::OpAtomicLoad ? old : value;  // load; store and exchange
}

// Updates the aligned scalar at `p` and returns the old value. Nothing else accesses it meanwhile: a job runs in one host thread, its
// invocations in the order of its schedule.
template <class T>
T atomicUpdate(const FloatRules& rules, std::byte* p, spv::Op op, T value, T comparator) {
  T old;
  std::memcpy(&old, p, sizeof(T));
  if (op == spv::Op::OpAtomicLoad) return old;
  const T next = atomicResult<T>(rules, op, old, value, comparator);
  std::memcpy(p, &next, sizeof(T));
  return old;
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
