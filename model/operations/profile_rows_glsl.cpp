// GLSL.std.450 on floats, without its transcendental functions, with other choices than the strict ones.
#include "model/operations/float_rows.h"
#include "model/operations/profile_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using scalar::kFlushing;

// Operations whose choice of formula and mode both matter.
template <Mode M, class T>
void addFormulas(OpTable& t, const Profile& p) {
  constexpr bool strict = M == kStrict;
  if (!strict || p.fusedMultiplyAdd) choose<false, true>(p.fusedMultiplyAdd, [&]<bool F>() { addFma<F, M, T>(t); });
  if (!strict || p.mix != Mix::kWeights) choose<Mix::kWeights, Mix::kDelta, Mix::kFusedDelta>(p.mix, [&]<Mix R>() { addMix<R, M, T>(t); });
  if (!strict || p.smoothStep != SmoothStep::kSquareFirst)
    choose<SmoothStep::kSquareFirst, SmoothStep::kSquareLast>(p.smoothStep, [&]<SmoothStep R>() { addSmoothStep<R, M, T>(t); });
  if (!strict || p.fract != Fract::kSubtract) choose<Fract::kSubtract, Fract::kBelowOne>(p.fract, [&]<Fract R>() { addFract<R, M, T>(t); });
  if (!strict || p.inverseSqrt != InverseSqrt::kCorrect)
    choose<InverseSqrt::kCorrect, InverseSqrt::kReciprocal>(p.inverseSqrt, [&]<InverseSqrt R>() { addInverseSqrt<R, M, T>(t); });
}

// Those that are exact: of the mode only the denormals matter.
template <Mode M, class T>
void addSelections(OpTable& t, const Profile& p) {
  constexpr bool strict = M == kStrict;
  using enum MinMax;
  if (!strict || p.minMax != kNumber) choose<kNumber, kNumberSecond, kSecond>(p.minMax, [&]<MinMax R>() { addMinMax<R, M, T>(t); });
  if (!strict || p.roundTies != Ties::kEven) choose<Ties::kEven, Ties::kAwayFromZero>(p.roundTies, [&]<Ties R>() { addRound<R, M, T>(t); });
}

template <class T>
void addWidth(OpTable& t, const Profile& p, Mode mode) {
  chooseMode(mode, [&]<Mode M>() {
    addFormulas<M, T>(t, p);
    if constexpr (M != kStrict) addGlslRounding<M, T>(t);
  });
  const Mode exact{Rounding::kToNearestEven, mode.denormals};
  choose<kStrict, kFlushing>(exact, [&]<Mode M>() {
    addSelections<M, T>(t, p);
    if constexpr (M != kStrict) addGlslExact<M, T>(t);
  });
}

}  // namespace

void addGlslChoices(OpTable& t, const Choices& c) {
  addWidth<scalar::Half>(t, c.profile, c.mode16);
  addWidth<float>(t, c.profile, c.mode32);
  addWidth<double>(t, c.profile, c.mode64);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
