// What atomics, reductions and scans do with two values: the function of the row that theirs names.
#pragma once

#include "model/ir/rows/joined.h"
#include "model/operations/instantiate.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/joined.h"
#include "model/scalar/logic.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// A row by its code.
template <ir::Code>
struct RowOf;
#define ROW(code, types, varies, facts, ...)                          \
  template <>                                                         \
  struct RowOf<ir::codeOf(code)> {                                    \
    static constexpr TypesText kTypes{types};                         \
    using Takes = ir::varies;                                         \
    static constexpr auto kFunction = LANEWISE_FUNCTION(__VA_ARGS__); \
    static constexpr ir::Identity kIdentity = [] {                    \
      using namespace ir;                                             \
      using namespace ir::row;                                        \
      return (facts).identity;                                        \
    }();                                                              \
  };
#include "model/ir/rows/float.inc"
#include "model/ir/rows/glsl.inc"
#include "model/ir/rows/integer.inc"
#include "model/ir/rows/logic.inc"
#undef ROW

// The row's types where its first operand is a T; none: no count.
template <class Row, class T>
constexpr ir::Signature signatureWith() {
  for (const ir::Signature& s : ir::signaturesOf({Row::kTypes.text, Row::kTypes.size}))
    if (s.arguments[0].scalar == scalarOf<T>()) return s;
  return {};
}

template <class Row, ir::Signature S, class T>
T computed(const Choices& choices, T a, T b) {
  using A = TypeOf<S.arguments[0]>;
  T out{};
  withChoices<typename Row::Takes, S>(
      choices, [&]<Mode M, Mode N, auto C, auto D>() {
        using Function = Settled<decltype(Row::kFunction), TypeOf<S.result>, M, N, C, D>;
        out = static_cast<T>(Function{}(static_cast<A>(a), static_cast<A>(b)));
      });
  return out;
}

// Whether `By` is an operation, and takes a T.
template <ir::Code By, class T>
constexpr bool folds() {
  if constexpr (By != 0) return signatureWith<RowOf<By>, T>().count != 0;
  return false;
}

// What it makes of two values.
template <ir::Code By, class T>
T foldedBy(const Choices& choices, T a, T b) {
  return computed<RowOf<By>, signatureWith<RowOf<By>, T>()>(choices, a, b);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
