// Conversions between scalar types (SPIR-V 1.6, 3.42.11).
#include "model/exec/elementwise.h"
#include "model/exec/ops.h"
#include "model/scalar/convert.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/half.h"
#include "model/scalar/round.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using spv::Op;

template <class F, class S>
void addFloatAndInteger(OpTable& t) {
  using U = std::make_unsigned_t<S>;
  row<U, F>(t, Op::OpConvertFToU, [](F x) { return scalar::convertFToI<U>(x); });
  row<S, F>(t, Op::OpConvertFToS, [](F x) { return scalar::convertFToI<S>(x); });
  row<F, U>(t, Op::OpConvertUToF, [](U x) { return scalar::convertIToF<F>(x); });
  row<F, S>(t, Op::OpConvertSToF, [](S x) { return scalar::convertIToF<F>(x); });
}

template <class To, class From>
void addIntegers(OpTable& t) {
  row<std::make_unsigned_t<To>, std::make_unsigned_t<From>>(
      t, Op::OpUConvert, [](std::make_unsigned_t<From> x) { return static_cast<std::make_unsigned_t<To>>(x); });
  row<To, From>(t, Op::OpSConvert, [](From x) { return static_cast<To>(x); });
}

template <class S>
void addWidth(OpTable& t) {
  addFloatAndInteger<scalar::Half, S>(t);
  addFloatAndInteger<float, S>(t);
  addFloatAndInteger<double, S>(t);
  addIntegers<std::int8_t, S>(t);
  addIntegers<std::int16_t, S>(t);
  addIntegers<std::int32_t, S>(t);
  addIntegers<std::int64_t, S>(t);
}

template <class F>
void addFloats(OpTable& t) {
  row<scalar::Half, F>(t, Op::OpFConvert, [](F x) { return scalar::fConvert<scalar::Half>(x); });
  row<float, F>(t, Op::OpFConvert, [](F x) { return scalar::fConvert<float>(x); });
  row<double, F>(t, Op::OpFConvert, [](F x) { return scalar::fConvert<double>(x); });
}

}  // namespace

void addConversionRows(OpTable& t) {
  addWidth<std::int8_t>(t);
  addWidth<std::int16_t>(t);
  addWidth<std::int32_t>(t);
  addWidth<std::int64_t>(t);
  addFloats<scalar::Half>(t);
  addFloats<float>(t);
  addFloats<double>(t);
  row<float, float>(t, Op::OpQuantizeToF16, [](float x) { return scalar::quantizeToF16(x); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
