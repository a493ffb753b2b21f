// The transcendental functions of GLSL.std.450 on 16- and 32-bit floats, round to nearest even, denormals kept.
#include "model/operations/ops.h"
#include "model/operations/transcendental_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addTranscendentalRows(OpTable& t) {
  addTranscendental<kStrict, scalar::Half>(t);
  addTranscendental<kStrict, float>(t);
  addPow<PowZeroZero::kOne, kStrict, scalar::Half>(t);
  addPow<PowZeroZero::kOne, kStrict, float>(t);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
