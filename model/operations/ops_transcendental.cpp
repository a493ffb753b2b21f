// The rows of model/ir/rows/transcendental.inc.
//
// Sine, cosine and tangent of floats near 0 are vector code; lanes with others, whose quotient by pi/2 takes integers of 128 bits, are done
// one by one. Every other function is vector code for all operands.
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/transcendental.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <float (*Near)(float), float (*Any)(float)>
const Instr* circularLanes(const Instr* ip, Batch& s) {
  auto* d = s.slot<std::uint32_t>(ip->dst);
  const auto* a = s.slot<std::uint32_t>(ip->a);
  for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
    alignas(64) float x[kGroup];  // the result may take the operand's place
    std::memcpy(x, a, sizeof x);
    std::uint32_t far = 0;
#pragma GCC ivdep
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      d[k] = toLane<float>(Near(x[k]));
      far |= scalar::isNear(x[k]) ? 0u : 1u;
    }
    for (std::uint32_t k = 0; far != 0 && k < kGroup; ++k)
      if (!scalar::isNear(x[k])) d[k] = toLane<float>(Any(x[k]));
    d += kGroup;
    a += ip->stepA * (64 / sizeof(float));
    forget(d, a);
  }
  return ip + 1;
}

template <float (*Near)(float), float (*Any)(float)>
void addCircular(OpTable& t, GLSLstd450 code) {
  t.add({ir::codeOf(code), Scalar::kF32, Scalar::kF32}, &circularLanes<Near, Any>);
}

}  // namespace

void addTranscendentalRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/transcendental.inc"
#undef ROW
  addCircular<&scalar::sinNear, &scalar::sin<scalar::kStrict, float>>(t, GLSLstd450Sin);
  addCircular<&scalar::cosNear, &scalar::cos<scalar::kStrict, float>>(t, GLSLstd450Cos);
  addCircular<&scalar::tanNear, &scalar::tan<scalar::kStrict, float>>(t, GLSLstd450Tan);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
