// The function of a row at compile time: its types as C++'s, and what it is with the strict choices or with others.
//
// LANEWISE_FUNCTION makes the function from the last words of a row, and forEachSignature gives each combination of its types.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "model/ir/rows/facts.h"
#include "model/ir/rows/signature.h"
#include "model/scalar/mode.h"

// In model/scalar's name, with what the row takes as template arguments.
#define LANEWISE_FUNCTION(...)                                             \
  []<class R, scalar::Mode M, scalar::Mode N, auto C, auto D>(auto... x) { \
    return static_cast<R>(scalar::__VA_ARGS__(x...));                      \
  }

namespace lanewise {
inline namespace LANEWISE_ISA {

using scalar::Mode;

// A row's types as a template argument.
template <std::size_t N>
struct TypesText {
  char text[N]{};
  constexpr TypesText(const char (&from)[N]) { std::copy(from, from + N, text); }
  static constexpr std::size_t size = N - 1;
};

template <ir::OperandType O>
constexpr auto typeOf() {
  constexpr bool isSigned = O.isSigned;
  if constexpr (O.scalar == Scalar::kBool)
    return bool{};
  else if constexpr (O.scalar == Scalar::kF16)
    return scalar::Half{};
  else if constexpr (O.scalar == Scalar::kF32)
    return float{};
  else if constexpr (O.scalar == Scalar::kF64)
    return double{};
  else if constexpr (O.scalar == Scalar::kI8)
    return std::conditional_t<isSigned, std::int8_t, std::uint8_t>{};
  else if constexpr (O.scalar == Scalar::kI16)
    return std::conditional_t<isSigned, std::int16_t, std::uint16_t>{};
  else if constexpr (O.scalar == Scalar::kI32)
    return std::conditional_t<isSigned, std::int32_t, std::uint32_t>{};
  else
    return std::conditional_t<isSigned, std::int64_t, std::uint64_t>{};
}
template <ir::OperandType O>
using TypeOf = decltype(typeOf<O>());

// A row's function with everything but its operands fixed.
template <class F, class R, Mode M, Mode N, auto C, auto D>
struct Settled {
  template <class... A>
  [[gnu::always_inline]] constexpr R operator()(A... x) const {
    return F{}.template operator()<R, M, N, C, D>(x...);
  }
};

// Calls `use` with each of a row's signatures as a template argument.
template <TypesText Types, class Use>
void forEachSignature(const Use& use) {
  static constexpr ir::Signatures all = ir::signaturesOf({Types.text, Types.size});
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (use.template operator()<all.all[I]>(), ...);
  }
  (std::make_index_sequence<all.count>{});
}

// The values of a field of Profile, the strict one first; without a field, only nullptr.
template <auto Field>
struct FieldValues {
  template <class T>
  static constexpr T strictOf(T Profile::*) {
    return {};
  }
  static constexpr auto strict = strictOf(Field);
  static constexpr std::size_t count = kValueCount<std::remove_const_t<decltype(strict)>>;
  template <std::size_t I>
  static constexpr auto at = static_cast<std::remove_const_t<decltype(strict)>>(I);
  static bool is(const Profile& p, auto value) { return p.*Field == value; }
};
template <>
struct FieldValues<nullptr> {
  static constexpr auto strict = nullptr;
  static constexpr std::size_t count = 1;
  template <std::size_t I>
  static constexpr auto at = nullptr;
  static bool is(const Profile&, std::nullptr_t) { return true; }
};

// With everything but its operands fixed to the strict choices.
template <class F, ir::Signature S, class V>
using Strict =
    Settled<F, TypeOf<S.result>, scalar::kStrict, scalar::kStrict, FieldValues<V::first>::strict, FieldValues<V::second>::strict>;

}  // namespace LANEWISE_ISA
}  // namespace lanewise
