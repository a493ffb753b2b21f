// The rows of packing, quantizing and integer division that Vulkan leaves a choice in, named after Profile's fields; see float_rows.h.
#pragma once

#include "model/operations/float_rows.h"
#include "model/scalar/integer.h"
#include "model/scalar/pack.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// PackHalf2x16 and OpQuantizeToF16: float controls do not reach them (Vulkan, "Precision of Core SPIR-V Instructions").
template <Rounding R>
void addHalfPacking(OpTable& t) {
  row<std::uint32_t, float, float>(t, glsl(GLSLstd450PackHalf2x16), [](float x, float y) { return scalar::packHalf2x16<R>(x, y); });
  row<float, float>(t, spv::Op::OpQuantizeToF16, [](float x) { return scalar::quantizeToF16<R>(x); });
}

template <NormDecode R>
void addUnpackNorm(OpTable& t) {
  using U = std::uint32_t;
  row<float, U, U>(t, glsl(GLSLstd450UnpackUnorm4x8), [](U p, U i) { return scalar::unpackUnorm4x8<R>(p)[i & 3]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackSnorm4x8), [](U p, U i) { return scalar::unpackSnorm4x8<R>(p)[i & 3]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackUnorm2x16), [](U p, U i) { return scalar::unpackUnorm2x16<R>(p)[i & 1]; });
  row<float, U, U>(t, glsl(GLSLstd450UnpackSnorm2x16), [](U p, U i) { return scalar::unpackSnorm2x16<R>(p)[i & 1]; });
}

// S is a signed integer.
template <DivideByZero Z, SignedModulo R, class S>
void addDivision(OpTable& t) {
  using spv::Op;
  using U = std::make_unsigned_t<S>;
  row<U, U, U>(t, Op::OpUDiv, [](U a, U b) { return scalar::uDiv<Z>(a, b); });
  row<U, U, U>(t, Op::OpUMod, [](U a, U b) { return scalar::uMod<Z>(a, b); });
  row<S, S, S>(t, Op::OpSDiv, [](S a, S b) { return scalar::sDiv<Z>(a, b); });
  row<S, S, S>(t, Op::OpSRem, [](S a, S b) { return scalar::sRem<Z>(a, b); });
  row<S, S, S>(t, Op::OpSMod, [](S a, S b) { return scalar::sMod<R, Z>(a, b); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
