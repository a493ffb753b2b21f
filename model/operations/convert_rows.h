// The rows of conversions between floats and integers, and between floats, for modes and choices; see float_rows.h.
//
// A mode belongs to a width: what comes in is flushed as the operand's width says, the result rounded and flushed as the result's.
#pragma once

#include "model/operations/float_rows.h"
#include "model/scalar/convert.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// Calls `use` with a value of each signed integer type.
template <class Use>
void forEachInteger(const Use& use) {
  use(std::int8_t{});
  use(std::int16_t{});
  use(std::int32_t{});
  use(std::int64_t{});
}

template <FloatToInteger C, class F>
void addFloatToInteger(OpTable& t) {
  forEachInteger([&t]<class S>(S) {
    using U = std::make_unsigned_t<S>;
    row<U, F>(t, spv::Op::OpConvertFToU, [](F x) { return scalar::convertFToI<U, C>(x); });
    row<S, F>(t, spv::Op::OpConvertFToS, [](F x) { return scalar::convertFToI<S, C>(x); });
  });
}

// No integer is denormal as a float: of a mode, only the rounding matters.
template <Mode M, class F>
void addIntegerToFloat(OpTable& t) {
  forEachInteger([&t]<class S>(S) {
    using U = std::make_unsigned_t<S>;
    row<F, U>(t, spv::Op::OpConvertUToF, [](U x) { return scalar::convertIToF<F, M>(x); });
    row<F, S>(t, spv::Op::OpConvertSToF, [](S x) { return scalar::convertIToF<F, M>(x); });
  });
}

template <Mode To, Mode From, class R, class A>
void addFloatToFloat(OpTable& t) {
  row<R, A>(t, spv::Op::OpFConvert, [](A x) { return scalar::fConvert<R, To, From>(x); });
}

// To a half with the rounding direction of an FPRoundingMode, which only those conversions may have.
template <Mode ToEven, Mode ToZero, Mode From, class A>
void addRoundedToHalf(OpTable& t) {
  row<scalar::Half, A>(t, ir::kConvertToEven, [](A x) { return scalar::fConvert<scalar::Half, ToEven, From>(x); });
  row<scalar::Half, A>(t, ir::kConvertToZero, [](A x) { return scalar::fConvert<scalar::Half, ToZero, From>(x); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
