// The transcendental functions of GLSL.std.450 with other choices than the strict ones.
#include "model/operations/profile_rows.h"
#include "model/operations/transcendental_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <class T>
void addWidth(OpTable& t, const Profile& p, Mode mode) {
  using enum PowZeroZero;
  chooseMode(mode, [&]<Mode M>() {
    if constexpr (M != kStrict) addTranscendental<M, T>(t);
    if (M != kStrict || p.powZeroZero != kOne) choose<kOne, kZero, kNan>(p.powZeroZero, [&]<PowZeroZero Z>() { addPow<Z, M, T>(t); });
  });
}

}  // namespace

void addTranscendentalChoices(OpTable& t, const Choices& c) {
  addWidth<scalar::Half>(t, c.profile, c.mode16);
  addWidth<float>(t, c.profile, c.mode32);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
