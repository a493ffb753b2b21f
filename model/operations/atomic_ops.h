// The new value of an atomic instruction, from the old one and its operand: one pure function for buffers, workgroup memory and images.
#pragma once

#include <cstring>

#include "model/operations/fold.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// Calls `use` with the operation that an atomic of a T folds by, and whether its operand is 1, as template arguments. False: it does not.
template <class T, class Use>
bool withFold(spv::Op op, const Use& use) {
  using namespace ir;
  using namespace row;
  switch (op) {
#define ROW(...)
#define OPERATION(code, ...)                                                        \
  case code:                                                                        \
    if constexpr (folds<Facts(__VA_ARGS__).fold, T>()) {                            \
      use.template operator()<Facts(__VA_ARGS__).fold, Facts(__VA_ARGS__).byOne>(); \
      return true;                                                                  \
    }                                                                               \
    return false;
#include "model/ir/rows/memory.inc"
#undef ROW
#undef OPERATION
    default:
      return false;
  }
}

// Of a store and an exchange it is the operand.
template <class T>
T atomicResult(const Choices& choices, spv::Op op, T old, T value, T comparator) {
  if constexpr (std::is_integral_v<T>)
    if (op == spv::Op::OpAtomicCompareExchange) return old == comparator ? value : old;
  withFold<T>(op, [&]<ir::Code By, bool One>() { value = foldedBy<By>(choices, old, One ? T{1} : value); });
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
