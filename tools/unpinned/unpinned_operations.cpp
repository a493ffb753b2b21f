#include "tools/unpinned/unpinned_operations.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace lanewise {
namespace {

using When = OpenOperation::When;

constexpr ir::Code glsl(GLSLstd450 op) {
  return ir::kGlsl + static_cast<ir::Code>(op);
}

constexpr const char* kRounded = "correctly rounded, but the direction and denormals are the device's";
constexpr const char* kUnstated = "no precision is stated";
constexpr const char* kFiltered = "the weights' precision is the device's";

constexpr OpenOperation kOpen[] = {
    {ir::core(spv::Op::OpFAdd), When::kModes, kRounded},
    {ir::core(spv::Op::OpFSub), When::kModes, kRounded},
    {ir::core(spv::Op::OpFMul), When::kModes, kRounded},
    {ir::core(spv::Op::OpConvertSToF), When::kModes, kRounded},
    {ir::core(spv::Op::OpConvertUToF), When::kModes, kRounded},
    {ir::core(spv::Op::OpFConvert), When::kNarrowing, "either neighbour, unless the rounding mode is declared"},
    {ir::core(spv::Op::OpFDiv), When::kAlways, "2.5 ULP for a divisor from 2^-126 to 2^126"},
    {ir::core(spv::Op::OpFRem), When::kAlways, "as x - y * trunc(x / y), each operation with its own error"},
    {ir::core(spv::Op::OpFMod), When::kAlways, "as x - y * floor(x / y), each operation with its own error"},
    {ir::core(spv::Op::OpDot), When::kAlways, "as a sum of products, in any order, fused or not"},
    {ir::core(spv::Op::OpVectorTimesMatrix), When::kAlways, "as sums of products, in any order"},
    {ir::core(spv::Op::OpMatrixTimesVector), When::kAlways, "as sums of products, in any order"},
    {ir::core(spv::Op::OpMatrixTimesMatrix), When::kAlways, "as sums of products, in any order"},
    {ir::core(spv::Op::OpQuantizeToF16), When::kAlways, "either neighbouring half"},
    {ir::core(spv::Op::OpGroupNonUniformFAdd), When::kAlways, "the order of the sum"},
    {ir::core(spv::Op::OpGroupNonUniformFMul), When::kAlways, "the order of the product"},
    {ir::core(spv::Op::OpAtomicFAddEXT), When::kAlways, "the order of the sum"},
    {ir::core(spv::Op::OpConvertFToU), When::kUnfit, "undefined for a value that does not fit"},
    {ir::core(spv::Op::OpConvertFToS), When::kUnfit, "undefined for a value that does not fit"},
    {ir::core(spv::Op::OpUDiv), When::kByZero, "undefined for a divisor of 0"},
    {ir::core(spv::Op::OpSDiv), When::kByZero, "undefined for a divisor of 0"},
    {ir::core(spv::Op::OpUMod), When::kByZero, "undefined for a divisor of 0"},
    {ir::core(spv::Op::OpSRem), When::kUnfit, "undefined for a divisor of 0 or a negative operand"},
    {ir::core(spv::Op::OpSMod), When::kUnfit, "undefined for a divisor of 0 or a negative operand"},
    {ir::core(spv::Op::OpImageSampleImplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleExplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleDrefImplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleDrefExplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleProjImplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleProjExplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleProjDrefImplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageSampleProjDrefExplicitLod), When::kAlways, kFiltered},
    {ir::core(spv::Op::OpImageRead), When::kOnFloats, "no rounding is stated"},
    {ir::core(spv::Op::OpImageFetch), When::kOnFloats, "no rounding is stated"},
    {ir::core(spv::Op::OpImageGather), When::kOnFloats, "no rounding is stated"},
    {ir::core(spv::Op::OpImageWrite), When::kOnFloats, "either neighbour"},
    {glsl(GLSLstd450Round), When::kAlways, "a fraction of 0.5 goes either way"},
    {glsl(GLSLstd450Radians), When::kAlways, "as x * C, C near pi / 180"},
    {glsl(GLSLstd450Degrees), When::kAlways, "as x * C, C near 180 / pi"},
    {glsl(GLSLstd450Sin), When::kAlways, "an absolute error of 2^-11 in [-pi, pi]"},
    {glsl(GLSLstd450Cos), When::kAlways, "an absolute error of 2^-11 in [-pi, pi]"},
    {glsl(GLSLstd450Tan), When::kAlways, "as sin(x) / cos(x)"},
    {glsl(GLSLstd450Asin), When::kAlways, "as atan2(x, sqrt(1 - x * x))"},
    {glsl(GLSLstd450Acos), When::kAlways, "as atan2(sqrt(1 - x * x), x)"},
    {glsl(GLSLstd450Atan), When::kAlways, "4096 ULP"},
    {glsl(GLSLstd450Sinh), When::kAlways, "as (exp(x) - exp(-x)) * 0.5"},
    {glsl(GLSLstd450Cosh), When::kAlways, "as (exp(x) + exp(-x)) * 0.5"},
    {glsl(GLSLstd450Tanh), When::kAlways, "as sinh(x) / cosh(x)"},
    {glsl(GLSLstd450Asinh), When::kAlways, "as log(x + sqrt(x * x + 1))"},
    {glsl(GLSLstd450Acosh), When::kAlways, "as log(x + sqrt(x * x - 1))"},
    {glsl(GLSLstd450Atanh), When::kAlways, "as log((1 + x) / (1 - x)) * 0.5"},
    {glsl(GLSLstd450Atan2), When::kAlways, "4096 ULP"},
    {glsl(GLSLstd450Pow), When::kAlways, "as exp2(y * log2(x))"},
    {glsl(GLSLstd450Exp), When::kAlways, "3 + 2 * |x| ULP"},
    {glsl(GLSLstd450Log), When::kAlways, "3 ULP, an absolute error of 2^-21 in [0.5, 2]"},
    {glsl(GLSLstd450Exp2), When::kAlways, "3 + 2 * |x| ULP"},
    {glsl(GLSLstd450Log2), When::kAlways, "3 ULP, an absolute error of 2^-21 in [0.5, 2]"},
    {glsl(GLSLstd450Sqrt), When::kAlways, "as 1 / inversesqrt(x)"},
    {glsl(GLSLstd450InverseSqrt), When::kAlways, "2 ULP"},
    {glsl(GLSLstd450Determinant), When::kAlways, kUnstated},
    {glsl(GLSLstd450MatrixInverse), When::kAlways, kUnstated},
    {glsl(GLSLstd450Fract), When::kAlways, "as x - floor(x): 1 for a tiny negative number, or less"},
    {glsl(GLSLstd450FMin), When::kAlways, "of a NaN and a number either; of -0 and +0 either"},
    {glsl(GLSLstd450FMax), When::kAlways, "of a NaN and a number either; of -0 and +0 either"},
    {glsl(GLSLstd450FClamp), When::kAlways, "as min(max(x, low), high)"},
    {glsl(GLSLstd450NMin), When::kAlways, "of -0 and +0 either"},
    {glsl(GLSLstd450NMax), When::kAlways, "of -0 and +0 either"},
    {glsl(GLSLstd450NClamp), When::kAlways, "of -0 and +0 either"},
    {glsl(GLSLstd450FMix), When::kAlways, "as x * (1 - a) + y * a"},
    {glsl(GLSLstd450SmoothStep), When::kAlways, "as t * t * (3 - 2 * t), t a quotient"},
    {glsl(GLSLstd450Fma), When::kAlways, "rounded once or twice"},
    {glsl(GLSLstd450PackSnorm4x8), When::kAlways, "a fraction of 0.5 goes either way"},
    {glsl(GLSLstd450PackUnorm4x8), When::kAlways, "a fraction of 0.5 goes either way"},
    {glsl(GLSLstd450PackSnorm2x16), When::kAlways, "a fraction of 0.5 goes either way"},
    {glsl(GLSLstd450PackUnorm2x16), When::kAlways, "a fraction of 0.5 goes either way"},
    {glsl(GLSLstd450PackHalf2x16), When::kAlways, "either neighbouring half"},
    {glsl(GLSLstd450UnpackSnorm4x8), When::kAlways, "as a division"},
    {glsl(GLSLstd450UnpackUnorm4x8), When::kAlways, "as a division"},
    {glsl(GLSLstd450UnpackSnorm2x16), When::kAlways, "as a division"},
    {glsl(GLSLstd450UnpackUnorm2x16), When::kAlways, "as a division"},
    {glsl(GLSLstd450Length), When::kAlways, "as sqrt(dot(x, x))"},
    {glsl(GLSLstd450Distance), When::kAlways, "as length(x - y)"},
    {glsl(GLSLstd450Cross), When::kAlways, "as differences of products"},
    {glsl(GLSLstd450Normalize), When::kAlways, "as x / length(x)"},
    {glsl(GLSLstd450FaceForward), When::kAlways, "the sign of a dot product"},
    {glsl(GLSLstd450Reflect), When::kAlways, "as x - 2 * dot(n, x) * n"},
    {glsl(GLSLstd450Refract), When::kAlways, "as its formula with sqrt and dot"},
    // The model's own operations, which stand for several of SPIR-V's.
    {ir::kImageRead, When::kOnFloats, "a normalised code to a float: no rounding is stated"},
    {ir::kImageReadAdd, When::kOnFloats, "a normalised code to a float: no rounding is stated; the sum's direction"},
    {ir::kImageWrite, When::kOnFloats, "a float to a texel: either neighbour; NaN"},
    {ir::kImageSample, When::kOnFloats, kFiltered},
};

constexpr OpenOperation kAccessOutside{
    0, When::kOutside,
    "outside of a buffer a load may give any of its values and a store may change one; outside of an image alpha is 0 or 1"};

bool isConversion(ir::Code code) {
  for (const spv::Op op : {spv::Op::OpImageRead, spv::Op::OpImageFetch, spv::Op::OpImageGather, spv::Op::OpImageWrite})
    if (code == ir::core(op)) return true;
  return code == ir::kImageRead || code == ir::kImageReadAdd || code == ir::kImageWrite;
}

}  // namespace

std::span<const OpenOperation> openOperations() {
  return kOpen;
}

const OpenOperation& openOutside() {
  return kAccessOutside;
}

const OpenOperation* openOperation(ir::Code code) {
  for (const OpenOperation& row : kOpen)
    if (row.code == code) return &row;
  return nullptr;
}

const char* openClause(ir::Code code) {
  if (isConversion(code)) return "Floating-Point and Fixed-Point Conversions of texels";
  if (const OpenOperation* row = openOperation(code)) {
    if (row->open == kFiltered) return "Texel Filtering";
    if (row->open == kUnstated) return "none: Vulkan's table of precision has no row for it";
  }
  return code >= ir::kGlsl ? "Precision of GLSL.std.450 Instructions" : "Precision of Core SPIR-V Instructions";
}

}  // namespace lanewise
