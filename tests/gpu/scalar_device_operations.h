// What a profile says of each operation of kernels/scalar_ops.comp, in the kernel's order.
#pragma once

#include "model/contract/profile.h"
#include "model/scalar/convert.h"
#include "model/scalar/integer.h"
#include "model/scalar/pack.h"
#include "model/scalar/transcendental.h"
#include "tests/model/scalar/reference.h"

namespace lanewise::device {

using namespace scalar;
using U = std::uint32_t;

struct Operands {
  U a, b, c;
  float x() const { return fromBits<float>(a); }
  float y() const { return fromBits<float>(b); }
  float z() const { return fromBits<float>(c); }
  std::int32_t i() const { return static_cast<std::int32_t>(a); }
  std::int32_t j() const { return static_cast<std::int32_t>(b); }
  U offset() const { return c & 15u; }
  U count() const { return c >> 8 & 15u; }
};

// Bits, and what they are: a NaN of floats or halves equals every other.
struct Value {
  enum Kind { kInteger, kFloat, kHalves } kind;
  U bits;
  Value(float f) : kind(kFloat), bits(bitsOf(f)) {}
  Value(U u) : kind(kInteger), bits(u) {}
  Value(std::int32_t i) : kind(kInteger), bits(static_cast<U>(i)) {}
  static Value halves(U u) {
    Value v(u);
    v.kind = kHalves;
    return v;
  }
  bool agrees(U got) const {
    if (got == bits) return true;
    if (kind == kFloat) return scalar::isNan(fromBits<float>(got)) && scalar::isNan(fromBits<float>(bits));
    if (kind != kHalves) return false;
    const auto same = [this, got](int shift) {
      const Half g{static_cast<std::uint16_t>(got >> shift)}, w{static_cast<std::uint16_t>(bits >> shift)};
      return g.bits == w.bits || (scalar::isNan(g) && scalar::isNan(w));
    };
    return same(0) && same(16);
  }
};

struct Operation {
  const char* name;
  Value (*value)(const Profile&, const Operands&);
};

template <Mode M, MinMax R>
Value extreme(int which, const Operands& o) {
  if (which == 0) return fMin<R, M>(o.x(), o.y());
  return which == 1 ? fMax<R, M>(o.x(), o.y()) : fClamp<R, M>(o.x(), 0.0f, 1.0f);
}
template <Mode M, int Which>
Value extreme(const Profile& p, const Operands& o) {
  if (p.minMax == MinMax::kNumber) return extreme<M, MinMax::kNumber>(Which, o);
  return p.minMax == MinMax::kNumberSecond ? extreme<M, MinMax::kNumberSecond>(Which, o) : extreme<M, MinMax::kSecond>(Which, o);
}

template <Mode M>
Value mix(const Profile& p, const Operands& o) {
  if (p.mix == Mix::kWeights) return fMix<Mix::kWeights, M>(o.x(), o.y(), o.z());
  return p.mix == Mix::kDelta ? fMix<Mix::kDelta, M>(o.x(), o.y(), o.z()) : fMix<Mix::kFusedDelta, M>(o.x(), o.y(), o.z());
}

template <class I>
Value toInteger(const Profile& p, const Operands& o) {
  if (p.floatToInteger == FloatToInteger::kSaturate) return convertFToI<I>(o.x());
  return p.floatToInteger == FloatToInteger::kAllOnes ? convertFToI<I, FloatToInteger::kAllOnes>(o.x())
                                                      : convertFToI<I, FloatToInteger::kSplit>(o.x());
}

template <DivideByZero Z>
Value quotient(const Profile& p, int which, const Operands& o) {
  if (which == 0) return uDiv<Z>(o.a, o.b);
  if (which == 1) return uMod<Z>(o.a, o.b);
  if (which == 2) return sDiv<Z>(o.a, o.b);
  return p.signedModulo == SignedModulo::kFloor ? sMod<SignedModulo::kFloor, Z>(o.a, o.b) : sMod<SignedModulo::kRemainder, Z>(o.a, o.b);
}
template <int Which>
Value quotient(const Profile& p, const Operands& o) {
  if (p.divideByZero == DivideByZero::kAllOnes) return quotient<DivideByZero::kAllOnes>(p, Which, o);
  return p.divideByZero == DivideByZero::kSignedZero ? quotient<DivideByZero::kSignedZero>(p, Which, o)
                                                     : quotient<DivideByZero::kDivisorAllOnes>(p, Which, o);
}

template <Mode M>
Value power(const Profile& p, const Operands& o) {
  const float x = static_cast<float>(o.a & 1u), y = static_cast<float>(o.b & 1u);
  if (p.powZeroZero == PowZeroZero::kOne) return scalar::pow<PowZeroZero::kOne, M>(x, y);
  return p.powZeroZero == PowZeroZero::kZero ? scalar::pow<PowZeroZero::kZero, M>(x, y) : scalar::pow<PowZeroZero::kNan, M>(x, y);
}

template <NormDecode R>
Value unpacked(int which, U p) {
  if (which == 0) return unpackUnorm4x8At<R>(p, 1);
  if (which == 1) return unpackSnorm4x8At<R>(p, 2);
  return which == 2 ? unpackUnorm2x16At<R>(p, 1) : unpackSnorm2x16At<R>(p, 0);
}
template <int Which>
Value unpacked(const Profile& p, const Operands& o) {
  return p.unpackNorm == NormDecode::kDivide ? unpacked<NormDecode::kDivide>(Which, o.a) : unpacked<NormDecode::kReciprocal>(Which, o.a);
}

template <Mode M>
Value comparisons(const Profile&, const Operands& o) {
  return U{fOrdLessThan<M>(o.x(), o.y())} | U{fOrdLessThanEqual<M>(o.x(), o.y())} << 1 | U{fOrdEqual<M>(o.x(), o.y())} << 2 |
         U{fUnordNotEqual<M>(o.x(), o.y())} << 3 | U{scalar::isNan(o.x())} << 4 | U{scalar::isInf(o.x())} << 5;
}

#define LANEWISE_VALUE(expression)                   \
  [](const Profile& p, const Operands& o) -> Value { \
    (void)p, (void)o;                                \
    return expression;                               \
  }

template <Mode M>
std::vector<Operation> floatOperations() {
  return {
      {"x + y", LANEWISE_VALUE((fAdd<M>(o.x(), o.y())))},
      {"x - y", LANEWISE_VALUE((fSub<M>(o.x(), o.y())))},
      {"x * y", LANEWISE_VALUE((fMul<M>(o.x(), o.y())))},
      {"x / y", LANEWISE_VALUE((fDiv<M>(o.x(), o.y())))},
      {"fma", LANEWISE_VALUE((p.fusedMultiplyAdd ? fmaFused<M>(o.x(), o.y(), o.z()) : fmaSeparate<M>(o.x(), o.y(), o.z())))},
      {"x * y + z", LANEWISE_VALUE((fmaSeparate<M>(o.x(), o.y(), o.z())))},
      {"sqrt", LANEWISE_VALUE((scalar::sqrt<M>(o.x())))},
      {"inversesqrt", LANEWISE_VALUE((p.inverseSqrt == InverseSqrt::kCorrect ? inverseSqrt<InverseSqrt::kCorrect, M>(o.x())
                                                                             : inverseSqrt<InverseSqrt::kReciprocal, M>(o.x())))},
      {"min", extreme<M, 0>},
      {"max", extreme<M, 1>},
      {"clamp", extreme<M, 2>},
      {"mix", mix<M>},
      {"smoothstep",
       LANEWISE_VALUE((p.smoothStep == SmoothStep::kSquareFirst ? smoothStep<SmoothStep::kSquareFirst, M>(o.x(), o.y(), o.z())
                                                                : smoothStep<SmoothStep::kSquareLast, M>(o.x(), o.y(), o.z())))},
      {"fract", LANEWISE_VALUE((p.fract == Fract::kSubtract ? fract<Fract::kSubtract, M>(o.x()) : fract<Fract::kBelowOne, M>(o.x())))},
      {"mod", LANEWISE_VALUE((fMod<M>(o.x(), o.y())))},
      {"floor", LANEWISE_VALUE((scalar::floor<M>(o.x())))},
      {"ceil", LANEWISE_VALUE((scalar::ceil<M>(o.x())))},
      {"trunc", LANEWISE_VALUE((scalar::trunc<M>(o.x())))},
      {"roundEven", LANEWISE_VALUE((roundEven<M>(o.x())))},
      {"round",
       LANEWISE_VALUE((p.roundTies == Ties::kEven ? scalar::round<Ties::kEven, M>(o.x()) : scalar::round<Ties::kAwayFromZero, M>(o.x())))},
      {"step", LANEWISE_VALUE((step<M>(o.x(), o.y())))},
      {"sign", LANEWISE_VALUE((fSign<M>(o.x())))},
      {"abs", LANEWISE_VALUE((fAbs<M>(o.x())))},
      {"-x", LANEWISE_VALUE((fNegate<M>(o.x())))},
      {"degrees", LANEWISE_VALUE((degrees<M>(o.x())))},
      {"radians", LANEWISE_VALUE((radians<M>(o.x())))},
  };
}

template <Mode M>
std::vector<Operation> otherOperations() {
  return {
      {"uint(x)", toInteger<U>},
      {"int(x)", toInteger<std::int32_t>},
      {"float(uint)", LANEWISE_VALUE((convertIToF<float, M>(o.a)))},
      {"float(int)", LANEWISE_VALUE((convertIToF<float, M>(o.i())))},
      {"packHalf2x16",
       LANEWISE_VALUE((Value::halves(p.packHalf == Rounding::kToNearestEven ? packHalf2x16(o.x(), o.y())
                                                                            : packHalf2x16<Rounding::kTowardZero>(o.x(), o.y()))))},
      {"unpackHalf2x16",
       LANEWISE_VALUE((unpackHalf2x16At(p.denormals16 == Denormals::kFlush && (o.a & 0x7c00u) == 0 ? o.a & 0x8000u : o.a, 0)))},
      {"packUnorm4x8", LANEWISE_VALUE((packUnorm4x8(o.x(), o.y(), o.x(), o.y())))},
      {"packSnorm4x8", LANEWISE_VALUE((packSnorm4x8(o.x(), o.y(), o.x(), o.y())))},
      {"packUnorm2x16", LANEWISE_VALUE((packUnorm2x16(o.x(), o.y())))},
      {"packSnorm2x16", LANEWISE_VALUE((packSnorm2x16(o.x(), o.y())))},
      {"unpackUnorm4x8", unpacked<0>},
      {"unpackSnorm4x8", unpacked<1>},
      {"unpackUnorm2x16", unpacked<2>},
      {"unpackSnorm2x16", unpacked<3>},
      {"uint / uint", quotient<0>},
      {"uint % uint", quotient<1>},
      {"int / int", quotient<2>},
      {"int % int", quotient<3>},
      {"bitfieldInsert", LANEWISE_VALUE((bitFieldInsert(o.a, o.b, o.offset(), o.count())))},
      {"bitfieldExtract(uint)", LANEWISE_VALUE((bitFieldUExtract(o.a, o.offset(), o.count())))},
      {"bitfieldExtract(int)", LANEWISE_VALUE((bitFieldSExtract(o.a, o.offset(), o.count())))},
      {"bitfieldReverse", LANEWISE_VALUE((bitReverse(o.a)))},
      {"bitCount", LANEWISE_VALUE((bitCount(o.a)))},
      {"findLSB", LANEWISE_VALUE((findILsb(o.a)))},
      {"findMSB(uint)", LANEWISE_VALUE((findUMsb(o.a)))},
      {"findMSB(int)", LANEWISE_VALUE((findSMsb(o.i())))},
      {"uint << n", LANEWISE_VALUE((shiftLeftLogical(o.a, o.b & 63u)))},
      {"uint >> n", LANEWISE_VALUE((shiftRightLogical(o.a, o.b & 63u)))},
      {"int >> n", LANEWISE_VALUE((shiftRightArithmetic(o.i(), o.b & 63u)))},
      {"umulExtended", LANEWISE_VALUE((uMulExtended(o.a, o.b).second))},
      {"imulExtended", LANEWISE_VALUE((sMulExtended(o.i(), o.j()).second))},
      {"uaddCarry", LANEWISE_VALUE((iAddCarry(o.a, o.b).second))},
      {"usubBorrow", LANEWISE_VALUE((iSubBorrow(o.a, o.b).second))},
      {"comparisons", comparisons<M>},
      {"ldexp", LANEWISE_VALUE((scalar::ldexp<M>(o.x(), sClamp(o.j() >> 23, -120, 120))))},
      {"frexp significand", LANEWISE_VALUE((scalar::frexp<M>(o.x()).significand))},
      {"frexp exponent", LANEWISE_VALUE((scalar::frexp<M>(o.x()).exponent))},
      {"pow of 0 and 1", power<M>},
  };
}

#undef LANEWISE_VALUE

inline std::vector<Operation> operationsOf(const Profile& p) {
  const Mode mode{p.rounding, p.denormals};
  std::vector<Operation> out;
  const auto add = [&]<Mode M>() {
    if (mode != M) return;
    for (const Operation& o : floatOperations<M>()) out.push_back(o);
    for (const Operation& o : otherOperations<M>()) out.push_back(o);
  };
  add.template operator()<kStrict>();
  add.template operator()<kFlushing>();
  add.template operator()<kTruncating>();
  add.template operator()<kTruncatingFlushing>();
  return out;
}

}  // namespace lanewise::device
