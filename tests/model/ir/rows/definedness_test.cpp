// Each rule at its edge: the last operands that have a result, and the first that have none.
#include "model/ir/operation_info.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <bit>
#include <limits>

namespace lanewise::ir {
namespace {

struct Operand {
  Scalar type;
  std::uint64_t bits;
};

Operand u32(std::uint32_t v) {
  return {Scalar::kI32, v};
}
Operand i32(std::int32_t v) {
  return {Scalar::kI32, static_cast<std::uint32_t>(v)};
}
Operand i8(std::int8_t v) {
  return {Scalar::kI8, static_cast<std::uint8_t>(v)};
}
Operand i64(std::int64_t v) {
  return {Scalar::kI64, static_cast<std::uint64_t>(v)};
}
Operand f32(float v) {
  return {Scalar::kF32, std::bit_cast<std::uint32_t>(v)};
}
Operand f64(double v) {
  return {Scalar::kF64, std::bit_cast<std::uint64_t>(v)};
}
Operand f16(std::uint16_t bits) {
  return {Scalar::kF16, bits};
}

bool defined(Code op, Scalar result, std::initializer_list<Operand> operands) {
  std::vector<Scalar> types;
  std::vector<std::uint64_t> bits;
  for (const Operand& o : operands) {
    types.push_back(o.type);
    bits.push_back(o.bits);
  }
  return definedFor(op, result, types, bits);
}
bool defined(spv::Op op, Scalar result, std::initializer_list<Operand> operands) {
  return defined(core(op), result, operands);
}
bool defined(GLSLstd450 op, std::initializer_list<Operand> operands) {
  return defined(kGlsl + static_cast<Code>(op), operands.begin()->type, operands);
}

using spv::Op;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();

TEST(Definedness, Shifts) {
  for (const Op op : {Op::OpShiftLeftLogical, Op::OpShiftRightLogical, Op::OpShiftRightArithmetic}) {
    EXPECT_TRUE(defined(op, Scalar::kI32, {u32(1), u32(31)}));
    EXPECT_FALSE(defined(op, Scalar::kI32, {u32(1), u32(32)}));
    EXPECT_TRUE(defined(op, Scalar::kI8, {i8(1), u32(7)}));
    EXPECT_FALSE(defined(op, Scalar::kI8, {i8(1), u32(8)})) << "of the width of the base";
    EXPECT_TRUE(defined(op, Scalar::kI64, {i64(1), u32(63)}));
    EXPECT_FALSE(defined(op, Scalar::kI64, {i64(1), i64(-1)}));
  }
}

TEST(Definedness, Divisions) {
  EXPECT_FALSE(defined(Op::OpUDiv, Scalar::kI32, {u32(7), u32(0)}));
  EXPECT_TRUE(defined(Op::OpUDiv, Scalar::kI32, {u32(0), u32(7)}));
  EXPECT_FALSE(defined(Op::OpUMod, Scalar::kI32, {u32(7), u32(0)}));
  EXPECT_FALSE(defined(Op::OpSDiv, Scalar::kI32, {i32(7), i32(0)}));
  EXPECT_FALSE(defined(Op::OpSDiv, Scalar::kI32, {i32(std::numeric_limits<std::int32_t>::min()), i32(-1)}));
  EXPECT_TRUE(defined(Op::OpSDiv, Scalar::kI32, {i32(std::numeric_limits<std::int32_t>::min() + 1), i32(-1)}));
  EXPECT_FALSE(defined(Op::OpSDiv, Scalar::kI8, {i8(-128), i8(-1)}));
  EXPECT_TRUE(defined(Op::OpSDiv, Scalar::kI32, {i32(-128), i32(-1)}));
  EXPECT_FALSE(defined(Op::OpSDiv, Scalar::kI64, {i64(std::numeric_limits<std::int64_t>::min()), i64(-1)}));
  for (const Op op : {Op::OpSRem, Op::OpSMod}) {
    EXPECT_TRUE(defined(op, Scalar::kI32, {i32(7), i32(3)}));
    EXPECT_FALSE(defined(op, Scalar::kI32, {i32(-7), i32(3)}));
    EXPECT_FALSE(defined(op, Scalar::kI32, {i32(7), i32(-3)}));
    EXPECT_FALSE(defined(op, Scalar::kI32, {i32(7), i32(0)}));
  }
  EXPECT_FALSE(defined(Op::OpFMod, Scalar::kF32, {f32(1), f32(-0.0f)}));
  EXPECT_TRUE(defined(Op::OpFDiv, Scalar::kF32, {f32(1), f32(0)})) << "an infinity";
  EXPECT_FALSE(defined(Op::OpFDiv, Scalar::kF32, {f32(0), f32(-0.0f)})) << "a NaN";
  EXPECT_TRUE(defined(Op::OpFDiv, Scalar::kF16, {f16(0x0001), f16(0)})) << "a denormal is not 0";
}

TEST(Definedness, ConversionsToIntegers) {
  EXPECT_TRUE(defined(Op::OpConvertFToU, Scalar::kI32, {f32(-0.75f)})) << "the whole part is 0";
  EXPECT_FALSE(defined(Op::OpConvertFToU, Scalar::kI32, {f32(-1)}));
  EXPECT_TRUE(defined(Op::OpConvertFToU, Scalar::kI32, {f64(4294967295.9)}));
  EXPECT_FALSE(defined(Op::OpConvertFToU, Scalar::kI32, {f64(4294967296.0)}));
  EXPECT_TRUE(defined(Op::OpConvertFToS, Scalar::kI32, {f64(-2147483648.9)}));
  EXPECT_FALSE(defined(Op::OpConvertFToS, Scalar::kI32, {f64(-2147483649.0)}));
  EXPECT_FALSE(defined(Op::OpConvertFToS, Scalar::kI32, {f32(0x1p31f)}));
  EXPECT_TRUE(defined(Op::OpConvertFToS, Scalar::kI64, {f32(-0x1p63f)}));
  EXPECT_FALSE(defined(Op::OpConvertFToS, Scalar::kI64, {f32(0x1p63f)}));
  EXPECT_FALSE(defined(Op::OpConvertFToS, Scalar::kI32, {f32(kNan)}));
  EXPECT_FALSE(defined(Op::OpConvertFToU, Scalar::kI64, {f32(kInfinite)}));
  EXPECT_TRUE(defined(Op::OpConvertFToS, Scalar::kI8, {f16(0x57f0)})) << "127";
  EXPECT_FALSE(defined(Op::OpConvertFToS, Scalar::kI8, {f16(0x5800)})) << "128";
}

TEST(Definedness, BitFields) {
  EXPECT_TRUE(defined(Op::OpBitFieldUExtract, Scalar::kI32, {u32(1), u32(8), u32(24)}));
  EXPECT_FALSE(defined(Op::OpBitFieldUExtract, Scalar::kI32, {u32(1), u32(8), u32(25)}));
  EXPECT_TRUE(defined(Op::OpBitFieldSExtract, Scalar::kI32, {u32(1), u32(32), u32(0)}));
  EXPECT_FALSE(defined(Op::OpBitFieldSExtract, Scalar::kI32, {u32(1), u32(33), u32(0)}));
  EXPECT_TRUE(defined(Op::OpBitFieldInsert, Scalar::kI32, {u32(1), u32(1), u32(0), u32(32)}));
  EXPECT_FALSE(defined(Op::OpBitFieldInsert, Scalar::kI32, {u32(1), u32(1), u32(1), u32(32)}));
  EXPECT_FALSE(defined(Op::OpBitFieldInsert, Scalar::kI32, {u32(1), u32(1), u32(1), u32(0xffffffff)})) << "the sum does not wrap";
}

TEST(Definedness, ClampsNeedALowBelowTheHigh) {
  EXPECT_TRUE(defined(GLSLstd450UClamp, {u32(5), u32(1), u32(1)}));
  EXPECT_FALSE(defined(GLSLstd450UClamp, {u32(5), u32(2), u32(1)}));
  EXPECT_FALSE(defined(GLSLstd450UClamp, {u32(5), i32(-1), u32(1)})) << "as unsigned";
  EXPECT_TRUE(defined(GLSLstd450SClamp, {i32(5), i32(-1), i32(1)}));
  EXPECT_FALSE(defined(GLSLstd450SClamp, {i32(5), i32(1), i32(-1)}));
  for (const GLSLstd450 op : {GLSLstd450FClamp, GLSLstd450NClamp}) {
    EXPECT_TRUE(defined(op, {f32(5), f32(1), f32(1)}));
    EXPECT_FALSE(defined(op, {f32(5), f32(2), f32(1)}));
    EXPECT_TRUE(defined(op, {f32(5), f32(kNan), f32(1)})) << "the choice of an operand";
  }
  EXPECT_TRUE(defined(GLSLstd450SmoothStep, {f32(0), f32(1), f32(5)}));
  EXPECT_FALSE(defined(GLSLstd450SmoothStep, {f32(1), f32(1), f32(5)}));
}

TEST(Definedness, DomainsOfFunctions) {
  EXPECT_TRUE(defined(GLSLstd450Sqrt, {f32(-0.0f)}));
  EXPECT_FALSE(defined(GLSLstd450Sqrt, {f32(-1e-40f)}));
  EXPECT_FALSE(defined(GLSLstd450InverseSqrt, {f32(0)}));
  EXPECT_TRUE(defined(GLSLstd450InverseSqrt, {f32(1e-40f)}));
  EXPECT_FALSE(defined(GLSLstd450Log, {f32(0)}));
  EXPECT_FALSE(defined(GLSLstd450Log2, {f16(0x8001)}));
  EXPECT_TRUE(defined(GLSLstd450Asin, {f32(-1)}));
  EXPECT_FALSE(defined(GLSLstd450Acos, {f32(1.0000001f)}));
  EXPECT_FALSE(defined(GLSLstd450Atanh, {f32(1)}));
  EXPECT_TRUE(defined(GLSLstd450Acosh, {f32(1)}));
  EXPECT_FALSE(defined(GLSLstd450Acosh, {f32(0.99999994f)}));
  EXPECT_TRUE(defined(GLSLstd450Pow, {f32(0), f32(1)}));
  EXPECT_FALSE(defined(GLSLstd450Pow, {f32(0), f32(0)}));
  EXPECT_FALSE(defined(GLSLstd450Pow, {f32(-1), f32(2)}));
  EXPECT_FALSE(defined(GLSLstd450Atan2, {f32(0), f32(-0.0f)}));
  EXPECT_TRUE(defined(GLSLstd450Atan2, {f32(0), f32(1)}));
  EXPECT_FALSE(defined(GLSLstd450Frexp, {f32(kInfinite)}));
  EXPECT_TRUE(defined(GLSLstd450Frexp, {f64(1e300)}));
}

TEST(Definedness, ScalingByAPowerOfTwo) {
  EXPECT_TRUE(defined(GLSLstd450Ldexp, {f32(1), i32(127)}));
  EXPECT_FALSE(defined(GLSLstd450Ldexp, {f32(1), i32(128)}));
  EXPECT_TRUE(defined(GLSLstd450Ldexp, {f32(0.5f), i32(128)}));
  EXPECT_FALSE(defined(GLSLstd450Ldexp, {f32(0.25f), i32(129)})) << "the exponent alone";
  EXPECT_TRUE(defined(GLSLstd450Ldexp, {f32(1), i32(std::numeric_limits<std::int32_t>::min())}));
}

TEST(Definedness, EachRuleSaysWhatItAsksFor) {
  EXPECT_STREQ(undefinedText(Definedness::kAlways), "");
  for (int rule = 1; rule <= static_cast<int>(Definedness::kScaled); ++rule)
    EXPECT_TRUE(std::string_view(undefinedText(static_cast<Definedness>(rule))).starts_with("undefined for ")) << rule;
}

TEST(Definedness, EverythingElseAlwaysIs) {
  EXPECT_TRUE(defined(Op::OpIAdd, Scalar::kI32, {i32(std::numeric_limits<std::int32_t>::max()), i32(1)})) << "it wraps";
  EXPECT_TRUE(defined(GLSLstd450FMin, {f32(kNan), f32(1)}));
  EXPECT_TRUE(defined(GLSLstd450Exp, {f32(1000)}));
}

}  // namespace
}  // namespace lanewise::ir
