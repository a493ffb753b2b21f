// The new value of an atomic instruction, from the old one and its operand: one pure function for buffers, workgroup memory and images.
#pragma once

#include <cstring>

#include "model/operations/fold.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// Of a store and an exchange it is the operand.
template <class T>
T atomicResult(const Choices& choices, spv::Op op, T old, T value, T comparator) {
  using namespace ir;
  using namespace row;
  if constexpr (std::is_integral_v<T>)
    if (op == OpAtomicCompareExchange) return old == comparator ? value : old;
  switch (op) {
#define ROW(...)
#define OWN(...)
#define OPERATION(code, ...)                                                                           \
  case code:                                                                                           \
    if constexpr (folds<Facts(__VA_ARGS__).fold, T>())                                                 \
      return foldedBy<Facts(__VA_ARGS__).fold>(choices, old, Facts(__VA_ARGS__).byOne ? T{1} : value); \
    break;
#include "model/ir/rows/memory.inc"
#undef ROW
#undef OWN
#undef OPERATION
    default:
      break;
  }
  return value;
}

// Updates the aligned scalar at `p` and returns the old value. Nothing else accesses it meanwhile: a job runs in one host thread, its
// invocations in the order of its schedule.
template <class T>
T atomicUpdate(const Choices& choices, std::byte* p, spv::Op op, T value, T comparator) {
  T old;
  std::memcpy(&old, p, sizeof(T));
  if (op == spv::Op::OpAtomicLoad) return old;
  const T next = atomicResult<T>(choices, op, old, value, comparator);
  std::memcpy(p, &next, sizeof(T));
  return old;
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
