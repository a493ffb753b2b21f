#include "tools/arbitrate/open_operations.h"

#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "model/exec/table.h"
#include "model/profiles.h"

namespace lanewise {
namespace {

using When = OpenOperation::When;

constexpr std::uint32_t glsl(GLSLstd450 op) {
  return ir::kGlsl + static_cast<std::uint32_t>(op);
}

constexpr const char* kRounded = "correctly rounded, but the direction and denormals are the device's";
constexpr const char* kInherited = "no bound of its own: as the formula in GLSL.std.450 gives";

constexpr OpenOperation kOpen[] = {
    {ir::core(spv::Op::OpFAdd), When::kAlways, kRounded},
    {ir::core(spv::Op::OpFSub), When::kAlways, kRounded},
    {ir::core(spv::Op::OpFMul), When::kAlways, kRounded},
    {ir::core(spv::Op::OpFDiv), When::kAlways, "2.5 ULP for a divisor from 2^-126 to 2^126"},
    {ir::core(spv::Op::OpFRem), When::kAlways, "as x - y * trunc(x/y), each operation with its own error"},
    {ir::core(spv::Op::OpFMod), When::kAlways, "as x - y * floor(x/y), each operation with its own error"},
    {ir::core(spv::Op::OpDot), When::kAlways, "the order of the sums, and whether they are fused"},
    {ir::core(spv::Op::OpFConvert), When::kAlways, kRounded},
    {ir::core(spv::Op::OpConvertSToF), When::kAlways, kRounded},
    {ir::core(spv::Op::OpConvertUToF), When::kAlways, kRounded},
    {ir::core(spv::Op::OpConvertFToU), When::kAlways, "undefined for a value that does not fit"},
    {ir::core(spv::Op::OpConvertFToS), When::kAlways, "undefined for a value that does not fit"},
    {ir::core(spv::Op::OpQuantizeToF16), When::kAlways, "the direction of rounding"},
    {ir::core(spv::Op::OpUDiv), When::kByZero, "undefined for a divisor of 0"},
    {ir::core(spv::Op::OpSDiv), When::kByZero, "undefined for a divisor of 0"},
    {ir::core(spv::Op::OpUMod), When::kByZero, "undefined for a divisor of 0"},
    {ir::core(spv::Op::OpSRem), When::kAlways, "undefined for a divisor of 0 or a negative operand"},
    {ir::core(spv::Op::OpSMod), When::kAlways, "undefined for a divisor of 0 or a negative operand"},
    {glsl(GLSLstd450Fma), When::kAlways, "one rounding or two"},
    {glsl(GLSLstd450Sqrt), When::kAlways, "as 1 / inversesqrt(x)"},
    {glsl(GLSLstd450InverseSqrt), When::kAlways, "2 ULP"},
    {glsl(GLSLstd450Exp), When::kAlways, "3 + 2 * |x| ULP"},
    {glsl(GLSLstd450Exp2), When::kAlways, "3 + 2 * |x| ULP"},
    {glsl(GLSLstd450Log), When::kAlways, "3 ULP outside [0.5, 2]; 2^-21 inside"},
    {glsl(GLSLstd450Log2), When::kAlways, "3 ULP outside [0.5, 2]; 2^-21 inside"},
    {glsl(GLSLstd450Pow), When::kAlways, "as exp2(y * log2(x))"},
    {glsl(GLSLstd450Sin), When::kAlways, "2^-11 inside [-pi, pi]"},
    {glsl(GLSLstd450Cos), When::kAlways, "2^-11 inside [-pi, pi]"},
    {glsl(GLSLstd450Tan), When::kAlways, "as sin(x) / cos(x)"},
    {glsl(GLSLstd450Asin), When::kAlways, "as atan2(x, sqrt(1 - x * x))"},
    {glsl(GLSLstd450Acos), When::kAlways, "as atan2(sqrt(1 - x * x), x)"},
    {glsl(GLSLstd450Atan), When::kAlways, "4096 ULP"},
    {glsl(GLSLstd450Atan2), When::kAlways, "4096 ULP"},
    {glsl(GLSLstd450Sinh), When::kAlways, "as (exp(x) - exp(-x)) * 0.5"},
    {glsl(GLSLstd450Cosh), When::kAlways, "as (exp(x) + exp(-x)) * 0.5"},
    {glsl(GLSLstd450Tanh), When::kAlways, "as sinh(x) / cosh(x)"},
    {glsl(GLSLstd450Asinh), When::kAlways, "as log(x + sqrt(x * x + 1))"},
    {glsl(GLSLstd450Acosh), When::kAlways, "as log(x + sqrt(x * x - 1))"},
    {glsl(GLSLstd450Atanh), When::kAlways, "as log((1 + x) / (1 - x)) * 0.5"},
    {glsl(GLSLstd450Length), When::kAlways, kInherited},
    {glsl(GLSLstd450Distance), When::kAlways, kInherited},
    {glsl(GLSLstd450Normalize), When::kAlways, kInherited},
    {glsl(GLSLstd450FMix), When::kAlways, kInherited},
    {glsl(GLSLstd450SmoothStep), When::kAlways, kInherited},
    {glsl(GLSLstd450Fract), When::kAlways, "may give 1 for a tiny negative number"},
    {glsl(GLSLstd450Round), When::kAlways, "the direction of ties"},
    {glsl(GLSLstd450FMin), When::kAlways, "either operand beside a NaN; either zero"},
    {glsl(GLSLstd450FMax), When::kAlways, "either operand beside a NaN; either zero"},
    {glsl(GLSLstd450FClamp), When::kAlways, "either operand beside a NaN; either zero"},
    {glsl(GLSLstd450NMin), When::kAlways, "either of two zeros"},
    {glsl(GLSLstd450NMax), When::kAlways, "either of two zeros"},
    {glsl(GLSLstd450NClamp), When::kAlways, "either of two zeros"},
    {glsl(GLSLstd450PackHalf2x16), When::kAlways, "the direction of rounding"},
    {glsl(GLSLstd450UnpackUnorm4x8), When::kAlways, "c / 255 or c times the rounded 1 / 255"},
    {ir::kImageRead, When::kOnFloats, "a normalised code to a float: no rounding is stated"},
    {ir::kImageReadAdd, When::kOnFloats, "a normalised code to a float: no rounding is stated; the sum's direction"},
    {ir::kImageWrite, When::kOnFloats, "a float to a texel: either neighbour; NaN"},
};

template <class Change>
void vary(std::vector<ProfileVariation>& all, const char* name, const Change& change) {
  Profile p;
  change(p);
  all.push_back({name, std::move(p)});
}

}  // namespace

const OpenOperation* openOperation(const SliceStep& step) {
  const bool floats = step.values.find("f32") != std::string::npos || step.values.find("f16") != std::string::npos;
  for (const OpenOperation& row : kOpen) {
    if (row.code != step.code) continue;
    const bool open =
        row.when == When::kAlways || (row.when == When::kOnFloats && floats) || (row.when == When::kByZero && step.divisor == 0);
    if (open) return &row;
  }
  return nullptr;
}

std::vector<ProfileVariation> profileVariations() {
  std::vector<ProfileVariation> all;
  vary(all, "rounding toward zero", [](Profile& p) { p.rounding = Rounding::kTowardZero; });
  vary(all, "denormals flushed", [](Profile& p) { p.denormals = p.denormals16 = p.denormals64 = Denormals::kFlush; });
  vary(all, "fused multiply-add", [](Profile& p) { p.fusedMultiplyAdd = true; });
  vary(all, "min and max give the second operand", [](Profile& p) { p.minMax = MinMax::kSecond; });
  vary(all, "min and max give the second zero", [](Profile& p) { p.minMax = MinMax::kNumberSecond; });
  vary(all, "ties away from zero", [](Profile& p) { p.roundTies = Ties::kAwayFromZero; });
  vary(all, "mix as x + (y - x) * a", [](Profile& p) { p.mix = Mix::kDelta; });
  vary(all, "mix as x + (y - x) * a, fused", [](Profile& p) { p.mix = Mix::kFusedDelta; });
  vary(all, "smoothstep as t * (t * (3 - 2t))", [](Profile& p) { p.smoothStep = SmoothStep::kSquareLast; });
  vary(all, "fract below one", [](Profile& p) { p.fract = Fract::kBelowOne; });
  vary(all, "inversesqrt as 1 / sqrt", [](Profile& p) { p.inverseSqrt = InverseSqrt::kReciprocal; });
  vary(all, "a float that does not fit gives all ones", [](Profile& p) { p.floatToInteger = FloatToInteger::kAllOnes; });
  vary(all, "a float that does not fit is converted in halves", [](Profile& p) { p.floatToInteger = FloatToInteger::kSplit; });
  vary(all, "halves packed toward zero", [](Profile& p) { p.packHalf = Rounding::kTowardZero; });
  vary(all, "codes unpacked through 1 / max", [](Profile& p) { p.unpackNorm = NormDecode::kReciprocal; });
  vary(all, "division by zero gives 0 if signed", [](Profile& p) { p.divideByZero = DivideByZero::kSignedZero; });
  vary(all, "division by zero divides by all ones", [](Profile& p) { p.divideByZero = DivideByZero::kDivisorAllOnes; });
  vary(all, "modulo of a negative number as the remainder", [](Profile& p) { p.signedModulo = SignedModulo::kRemainder; });
  vary(all, "texels decoded through 1 / max", [](Profile& p) { p.texel.decode = NormDecode::kReciprocal; });
  vary(all, "texels encoded by truncation", [](Profile& p) { p.texel.encode = NormEncode::kTruncated; });
  vary(all, "float texels rounded toward zero", [](Profile& p) { p.texel.half = Rounding::kTowardZero; });
  vary(all, "integers that do not fit keep their low bits", [](Profile& p) { p.texel.saturateIntegers = false; });
  for (const std::string_view name : profileNames())
    if (name != "strict") all.push_back({fmt::format("profile {}", name), *profileByName(name)});
  return all;
}

}  // namespace lanewise
