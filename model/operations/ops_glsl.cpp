// The rows of model/ir/rows/glsl.inc and pack.inc, and a faster form of those that compare halves or unpack them.
#include "model/operations/half_lanes.h"
#include "model/operations/instantiate.h"
#include "model/operations/ops.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/pack.h"
#include "model/scalar/parts.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

// The bits of the one that scalar::fMin or fMax chooses.
template <bool Max>
inline void chooseHalves(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out) {
  alignas(64) float x[kGroup], y[kGroup];
  halvesToFloats(a, x);
  halvesToFloats(b, y);
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) {
    const bool before = Max ? x[k] > y[k] : x[k] < y[k], isNegative = (a[k] & 0x8000) != 0;
    const bool first = before | (y[k] != y[k]) | ((x[k] == y[k]) & (Max ? !isNegative : isNegative));
    out[k] = (first ? a[k] : b[k]) & 0xffff;
  }
}

template <bool Max>
const Instr* chooseOfTwoHalves(const Instr* ip, Batch& s) {
  do {
    for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g)
      chooseHalves<Max>(s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64), s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64),
                        s.slot<std::uint32_t>(ip->dst + g * 64));
    ++ip;
  } while (ip->run == &chooseOfTwoHalves<Max> && !s.singleStep);
  return ip;
}

const Instr* clampHalves(const Instr* ip, Batch& s) {
  do {
    for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
      alignas(64) std::uint32_t above[kGroup];
      chooseHalves<true>(s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64), s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64), above);
      chooseHalves<false>(above, s.slot<std::uint32_t>(ip->c + g * ip->stepC * 64), s.slot<std::uint32_t>(ip->dst + g * 64));
    }
    ++ip;
  } while (ip->run == &clampHalves && !s.singleStep);
  return ip;
}

const Instr* unpackHalves(const Instr* ip, Batch& s) {
  do {
    for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
      const auto* packed = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
      const auto* which = s.slot<std::uint32_t>(ip->b + g * ip->stepB * 64);
      alignas(64) std::uint32_t half[kGroup];
      for (std::uint32_t k = 0; k < kGroup; ++k) half[k] = packed[k] >> (which[k] & 1) * 16;
      halvesToFloats(half, s.slot<float>(ip->dst + g * 64));
    }
    ++ip;
  } while (ip->run == &unpackHalves && !s.singleStep);
  return ip;
}

}  // namespace

void addGlslRows(OpTable& t) {
#define ROW(code, types, varies, facts, ...) addRow<types, ir::varies>(t, ir::codeOf(code), LANEWISE_FUNCTION(__VA_ARGS__));
#include "model/ir/rows/glsl.inc"
#include "model/ir/rows/pack.inc"
#undef ROW
  const auto halves = [&t](GLSLstd450 code, Handler handler) { t.add({ir::codeOf(code), Scalar::kF16, Scalar::kF16}, handler); };
  for (const auto code : {GLSLstd450FMin, GLSLstd450NMin}) halves(code, &chooseOfTwoHalves<false>);
  for (const auto code : {GLSLstd450FMax, GLSLstd450NMax}) halves(code, &chooseOfTwoHalves<true>);
  for (const auto code : {GLSLstd450FClamp, GLSLstd450NClamp}) halves(code, &clampHalves);
  t.add({ir::codeOf(GLSLstd450UnpackHalf2x16), Scalar::kF32, Scalar::kI32}, &unpackHalves);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
