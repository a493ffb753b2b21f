// Conversions between scalar types (SPIR-V 1.6, 3.42.11).
#include "model/operations/convert_rows.h"
#include "model/operations/half_lanes.h"
#include "model/operations/ops.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using spv::Op;

template <class To, class From>
void addIntegers(OpTable& t) {
  row<std::make_unsigned_t<To>, std::make_unsigned_t<From>>(
      t, Op::OpUConvert, [](std::make_unsigned_t<From> x) { return static_cast<std::make_unsigned_t<To>>(x); });
  row<To, From>(t, Op::OpSConvert, [](From x) { return static_cast<To>(x); });
}

template <class F>
void addFloat(OpTable& t) {
  addFloatToInteger<FloatToInteger::kSaturate, F>(t);
  addIntegerToFloat<kStrict, F>(t);
  addFloatToFloat<kStrict, kStrict, scalar::Half, F>(t);
  addFloatToFloat<kStrict, kStrict, float, F>(t);
  addFloatToFloat<kStrict, kStrict, double, F>(t);
}

}  // namespace

void addConversionRows(OpTable& t) {
  forEachInteger([&t]<class From>(From) { forEachInteger([&t]<class To>(To) { addIntegers<To, From>(t); }); });
  addFloat<scalar::Half>(t);
  addFloat<float>(t);
  addFloat<double>(t);
  addRoundedToHalf<kStrict, scalar::kTruncating, kStrict, float>(t);
  addRoundedToHalf<kStrict, scalar::kTruncating, kStrict, double>(t);
  t.add({ir::core(Op::OpFConvert), Scalar::kF32, Scalar::kF16}, &convertHalves<false>);
  t.add({ir::core(Op::OpFConvert), Scalar::kF16, Scalar::kF32}, &convertHalves<true>);
  t.add({ir::kConvertToEven, Scalar::kF16, Scalar::kF32}, &convertHalves<true>);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
