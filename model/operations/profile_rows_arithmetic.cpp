// Core arithmetic, comparisons, conversions, packing and division with other choices than the strict ones.
#include "model/operations/convert_rows.h"
#include "model/operations/pack_rows.h"
#include "model/operations/profile_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using scalar::Half;
using scalar::kFlushing;

template <class T>
void addWidth(OpTable& t, const Profile& p, Mode mode) {
  if (mode != kStrict) choose<kFlushing, scalar::kTruncating, scalar::kTruncatingFlushing>(mode, [&]<Mode M>() { addRounding<M, T>(t); });
  if (mode.denormals == Denormals::kFlush) addExact<kFlushing, T>(t);
  if (mode.rounding == Rounding::kTowardZero) addIntegerToFloat<scalar::kTruncating, T>(t);
  choose<FloatToInteger::kAllOnes, FloatToInteger::kSplit>(p.floatToInteger, [&]<FloatToInteger C>() { addFloatToInteger<C, T>(t); });
}

// A float that becomes wider is never denormal: then only the operand's mode matters.
template <class R, class A>
void addWider(OpTable& t, Mode from) {
  if (from.denormals == Denormals::kFlush) addFloatToFloat<kStrict, kFlushing, R, A>(t);
}
template <class R, class A>
void addNarrower(OpTable& t, Mode to, Mode from) {
  const Mode in{Rounding::kToNearestEven, from.denormals};
  if (to == kStrict && in == kStrict) return;
  choose<kStrict, kFlushing>(in, [&]<Mode In>() {
    chooseMode(to, [&]<Mode To>() { addFloatToFloat<To, In, R, A>(t); });
    if constexpr (std::is_same_v<R, Half>) {
      if (to.denormals == Denormals::kFlush)
        addRoundedToHalf<kFlushing, scalar::kTruncatingFlushing, In, A>(t);
      else
        addRoundedToHalf<kStrict, scalar::kTruncating, In, A>(t);
    }
  });
}

void addDivisions(OpTable& t, const Profile& p) {
  if (p.divideByZero == DivideByZero::kAllOnes && p.signedModulo == SignedModulo::kFloor) return;
  using enum DivideByZero;
  choose<kAllOnes, kSignedZero, kDivisorAllOnes>(p.divideByZero, [&]<DivideByZero Z>() {
    choose<SignedModulo::kFloor, SignedModulo::kRemainder>(
        p.signedModulo, [&]<SignedModulo R>() { forEachInteger([&t]<class S>(S) { addDivision<Z, R, S>(t); }); });
  });
}

}  // namespace

void addArithmeticChoices(OpTable& t, const Choices& c) {
  addWidth<Half>(t, c.profile, c.mode16);
  addWidth<float>(t, c.profile, c.mode32);
  addWidth<double>(t, c.profile, c.mode64);
  addNarrower<Half, float>(t, c.mode16, c.mode32);
  addNarrower<Half, double>(t, c.mode16, c.mode64);
  addNarrower<float, double>(t, c.mode32, c.mode64);
  addWider<float, Half>(t, c.mode16);
  addWider<double, Half>(t, c.mode16);
  addWider<double, float>(t, c.mode32);
  if (c.profile.packHalf == Rounding::kTowardZero) addHalfPacking<Rounding::kTowardZero>(t);
  if (c.profile.unpackNorm == NormDecode::kReciprocal) addUnpackNorm<NormDecode::kReciprocal>(t);
  addDivisions(t, c.profile);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
