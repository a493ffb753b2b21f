// Makes handlers from a row of model/ir/rows: its function for every combination of its types, with the strict choices or with others.
//
// A family's file defines ROW as `addRow<types, varies>(table, code, function)` or as `addChosenRow<..>(table, choices, code, function)`
// and includes the family's rows.
#pragma once

#include "model/contract/choices.h"
#include "model/ir/operation_info.h"
#include "model/ir/rows/function.h"
#include "model/operations/elementwise.h"
#include "model/operations/profile_rows.h"
#include "model/spirv/newer.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

using enum spv::Op;
using enum ir::Own;
using scalar::Mode;

template <ir::Signature S, class Function>
void addSignature(OpTable& t, ir::Code code) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    row<TypeOf<S.result>, TypeOf<S.arguments[I]>...>(t, code, Function{});
  }
  (std::make_index_sequence<S.count>{});
}

// The strict row of every type.
template <TypesText Types, class V, class F>
void addRow(OpTable& t, ir::Code code, F) {
  forEachSignature<Types>([&]<ir::Signature S>() { addSignature<S, Strict<F, S, V>>(t, code); });
}

// The types whose modes are used: that of the result, if it is a float, and that of the operand.
constexpr Scalar modeType(const ir::Signature& s) {
  return isFloat(s.result.scalar) ? s.result.scalar : s.arguments[0].scalar;
}
inline Mode modeOf(const Choices& c, Scalar type) {
  return type == Scalar::kF16 ? c.mode16 : type == Scalar::kF64 ? c.mode64 : c.mode32;
}

struct Modes {
  Mode result, operand;
};
// Which of a program's modes a signature uses.
template <ir::TakesMode Takes>
Modes modesOf(const Choices& c, const ir::Signature& s) {
  const Mode m = modeOf(c, modeType(s));
  const Mode operand{Rounding::kToNearestEven, modeOf(c, s.arguments[0].scalar).denormals};
  switch (Takes) {
    case ir::TakesMode::kWhole:
      return {m, {}};
    case ir::TakesMode::kDenormals:
      return {{Rounding::kToNearestEven, m.denormals}, {}};
    case ir::TakesMode::kRounding:
      return {{m.rounding, Denormals::kPreserve}, {}};
    case ir::TakesMode::kTwo:  // a float that becomes wider is exact and never denormal
      return {scalarBytes(s.result.scalar) < scalarBytes(s.arguments[0].scalar) ? m : Mode{}, operand};
    case ir::TakesMode::kHalves:
      return {{Rounding::kToNearestEven, c.mode16.denormals}, {}};
    default:
      return {};
  }
}

// Calls `use` with the mode as a template argument, if it is one that can be requested.
template <ir::TakesMode Takes, bool OfOperand, class Use>
void withMode(const Mode& mode, const Use& use) {
  using enum ir::TakesMode;
  if constexpr (OfOperand ? Takes == kTwo : Takes == kDenormals || Takes == kHalves)
    choose<scalar::kStrict, scalar::kFlushing>(mode, use);
  else if constexpr (!OfOperand && Takes == kRounding)
    choose<scalar::kStrict, scalar::kTruncating>(mode, use);
  else if constexpr (!OfOperand && (Takes == kWhole || Takes == kTwo))
    chooseMode(mode, use);
  else
    use.template operator()<scalar::kStrict>();
}

// Calls `use` with the profile's value of a field as a template argument.
template <auto Field, class Use>
void withValue(const Profile& p, const Use& use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto is = [&]<std::size_t J>() {
      constexpr auto value = FieldValues<Field>::template at<J>;
      if (!FieldValues<Field>::is(p, value)) return false;
      use.template operator()<value>();
      return true;
    };
    static_cast<void>((is.template operator()<I>() || ...));
  }
  (std::make_index_sequence<FieldValues<Field>::count>{});
}

// Calls `use` with what a row's function takes from the profile, for one of the row's signatures.
template <class V, ir::Signature S, class Use>
void withChoices(const Choices& choices, const Use& use) {
  const Modes modes = modesOf<V::mode>(choices, S);
  withMode<V::mode, false>(modes.result, [&]<Mode M>() {
    withMode<V::mode, true>(modes.operand, [&]<Mode N>() {
      withValue<V::first>(
          choices.profile, [&]<auto C>() {
            withValue<V::second>(
                choices.profile, [&]<auto D>() { use.template operator()<M, N, C, D>(); });
          });
    });
  });
}

// Adds the rows for the types for which `choices` is not strict.
template <TypesText Types, class V, class F>
void addChosenRow(OpTable& t, const Choices& choices, ir::Code code, F) {
  forEachSignature<Types>([&]<ir::Signature S>() {
    withChoices<V, S>(
        choices, [&]<Mode M, Mode N, auto C, auto D>() {
          constexpr bool strict =
              M == scalar::kStrict && N == scalar::kStrict && C == FieldValues<V::first>::strict && D == FieldValues<V::second>::strict;
          if constexpr (!strict) addSignature<S, Settled<F, TypeOf<S.result>, M, N, C, D>>(t, code);
        });
  });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
