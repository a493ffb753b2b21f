#include "tools/run/open_results.h"

#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <set>

namespace lanewise {
namespace {

constexpr const char* kCore = "Precision of Core SPIR-V Instructions";
constexpr const char* kGlsl = "Precision of GLSL.std.450 Instructions";
constexpr const char* kFiltering = "Texel Filtering";
constexpr const char* kConversion = "Floating-Point and Fixed-Point Conversions of texels";

struct CoreRow {
  spv::Op op;
  const char* allowed;
};
// Float instructions of SPIR-V itself.
constexpr CoreRow kCoreRows[] = {
    {spv::Op::OpFDiv, "2.5 ULP"},
    {spv::Op::OpFRem, "as x - y * trunc(x / y)"},
    {spv::Op::OpFMod, "as x - y * floor(x / y)"},
    {spv::Op::OpDot, "as a sum of products, in any order"},
    {spv::Op::OpVectorTimesMatrix, "as sums of products, in any order"},
    {spv::Op::OpMatrixTimesVector, "as sums of products, in any order"},
    {spv::Op::OpMatrixTimesMatrix, "as sums of products, in any order"},
    {spv::Op::OpQuantizeToF16, "either neighbouring half"},
    {spv::Op::OpGroupNonUniformFAdd, "the order of the sum is open"},
    {spv::Op::OpGroupNonUniformFMul, "the order of the product is open"},
    {spv::Op::OpAtomicFAddEXT, "the order of the sum is open"},
};

struct GlslRow {
  std::uint32_t number;
  const char* name;
  const char* allowed;
};
constexpr GlslRow kGlslRows[] = {
    {GLSLstd450Round, "Round", "a fraction of 0.5 goes either way"},
    {GLSLstd450Radians, "Radians", "as x * C, C near pi / 180"},
    {GLSLstd450Degrees, "Degrees", "as x * C, C near 180 / pi"},
    {GLSLstd450Sin, "Sin", "an absolute error of 2^-11 in [-pi, pi]"},
    {GLSLstd450Cos, "Cos", "an absolute error of 2^-11 in [-pi, pi]"},
    {GLSLstd450Tan, "Tan", "as sin(x) / cos(x)"},
    {GLSLstd450Asin, "Asin", "as atan2(x, sqrt(1 - x * x))"},
    {GLSLstd450Acos, "Acos", "as atan2(sqrt(1 - x * x), x)"},
    {GLSLstd450Atan, "Atan", "4096 ULP"},
    {GLSLstd450Sinh, "Sinh", "as (exp(x) - exp(-x)) * 0.5"},
    {GLSLstd450Cosh, "Cosh", "as (exp(x) + exp(-x)) * 0.5"},
    {GLSLstd450Tanh, "Tanh", "as sinh(x) / cosh(x)"},
    {GLSLstd450Asinh, "Asinh", "as log(x + sqrt(x * x + 1))"},
    {GLSLstd450Acosh, "Acosh", "as log(x + sqrt(x * x - 1))"},
    {GLSLstd450Atanh, "Atanh", "as log((1 + x) / (1 - x)) * 0.5"},
    {GLSLstd450Atan2, "Atan2", "4096 ULP"},
    {GLSLstd450Pow, "Pow", "as exp2(y * log2(x))"},
    {GLSLstd450Exp, "Exp", "3 + 2 * |x| ULP"},
    {GLSLstd450Log, "Log", "3 ULP, an absolute error of 2^-21 in [0.5, 2]"},
    {GLSLstd450Exp2, "Exp2", "3 + 2 * |x| ULP"},
    {GLSLstd450Log2, "Log2", "3 ULP, an absolute error of 2^-21 in [0.5, 2]"},
    {GLSLstd450Sqrt, "Sqrt", "as 1 / inversesqrt(x)"},
    {GLSLstd450InverseSqrt, "InverseSqrt", "2 ULP"},
    {GLSLstd450Determinant, "Determinant", "as products and sums, in any order"},
    {GLSLstd450MatrixInverse, "MatrixInverse", "as products, sums and divisions, in any order"},
    {GLSLstd450FMin, "FMin", "of a NaN and a number either; of -0 and +0 either"},
    {GLSLstd450FMax, "FMax", "of a NaN and a number either; of -0 and +0 either"},
    {GLSLstd450FClamp, "FClamp", "as min(max(x, low), high)"},
    {GLSLstd450FMix, "FMix", "as x * (1 - a) + y * a"},
    {GLSLstd450SmoothStep, "SmoothStep", "as t * t * (3 - 2 * t), t a quotient"},
    {GLSLstd450Fma, "Fma", "rounded once or twice"},
    {GLSLstd450PackSnorm4x8, "PackSnorm4x8", "a fraction of 0.5 goes either way"},
    {GLSLstd450PackUnorm4x8, "PackUnorm4x8", "a fraction of 0.5 goes either way"},
    {GLSLstd450PackSnorm2x16, "PackSnorm2x16", "a fraction of 0.5 goes either way"},
    {GLSLstd450PackUnorm2x16, "PackUnorm2x16", "a fraction of 0.5 goes either way"},
    {GLSLstd450PackHalf2x16, "PackHalf2x16", "either neighbouring half"},
    {GLSLstd450UnpackSnorm4x8, "UnpackSnorm4x8", "as a division"},
    {GLSLstd450UnpackUnorm4x8, "UnpackUnorm4x8", "as a division"},
    {GLSLstd450UnpackSnorm2x16, "UnpackSnorm2x16", "as a division"},
    {GLSLstd450UnpackUnorm2x16, "UnpackUnorm2x16", "as a division"},
    {GLSLstd450Length, "Length", "as sqrt(dot(x, x))"},
    {GLSLstd450Distance, "Distance", "as length(x - y)"},
    {GLSLstd450Cross, "Cross", "as differences of products"},
    {GLSLstd450Normalize, "Normalize", "as x / length(x)"},
    {GLSLstd450FaceForward, "FaceForward", "the sign of a dot product"},
    {GLSLstd450Reflect, "Reflect", "as x - 2 * dot(n, x) * n"},
    {GLSLstd450Refract, "Refract", "as its formula with sqrt and dot"},
};

bool isSampling(spv::Op op) {
  return (op >= spv::Op::OpImageSampleImplicitLod && op <= spv::Op::OpImageSampleProjDrefExplicitLod);
}

class Scan {
 public:
  Scan(const Interface& interface, const InterfaceEntry& entry) : m_(interface.module) {
    for (const spirv::Instruction& inst : m_.instructions)
      if (inst.op == spv::Op::OpExtInstImport && spirv::literalString(inst.operands) == "GLSL.std.450") glsl_ = inst.result;
    for (const spirv::Instruction* inst : reachableInstructions(m_, entry.name)) look(*inst);
  }
  std::vector<OpenResult> take() { return std::move(out_); }

 private:
  void add(const spirv::Instruction& inst, std::string op, const char* allowed, const char* clause) {
    std::string line = placeOf(m_, inst);
    for (OpenResult& r : out_)
      if (r.line == line && r.op == op) {
        ++r.count;
        return;
      }
    out_.push_back({std::move(line), std::move(op), allowed, clause, 1});
  }

  void look(const spirv::Instruction& inst) {
    for (const CoreRow& row : kCoreRows)
      if (row.op == inst.op) add(inst, spirv::opName(inst.op), row.allowed, kCore);
    if (inst.op == spv::Op::OpExtInst && glsl_ != 0 && inst.operand(0) == glsl_)
      for (const GlslRow& row : kGlslRows)
        if (row.number == inst.operand(1)) add(inst, row.name, row.allowed, kGlsl);
    if (inst.op == spv::Op::OpFConvert && narrows(inst))
      add(inst, "OpFConvert", "either neighbour, unless the rounding mode is declared", kCore);
    if (inst.op == spv::Op::OpFAdd || inst.op == spv::Op::OpFSub) contraction(inst);
    if (isSampling(inst.op)) add(inst, spirv::opName(inst.op), "the weights' precision is the device's", kFiltering);
    if (inst.op == spv::Op::OpImageWrite || inst.op == spv::Op::OpImageRead || inst.op == spv::Op::OpImageFetch ||
        inst.op == spv::Op::OpImageGather)
      texels(inst);
  }

  std::uint32_t floatWidth(std::uint32_t value) const {
    const spirv::Instruction* inst = m_.definition(value);
    const spirv::Instruction* type = inst ? m_.definition(inst->type) : nullptr;
    if (type && type->op == spv::Op::OpTypeVector) type = m_.definition(type->operand(0));
    return type && type->op == spv::Op::OpTypeFloat ? type->operand(0) : 0;
  }

  bool narrows(const spirv::Instruction& inst) const { return floatWidth(inst.result) < floatWidth(inst.operand(0)); }

  bool contractable(std::uint32_t id) const { return m_.decoration(id, spv::Decoration::NoContraction) == nullptr; }

  // A sum of a product, neither decorated NoContraction: a device may round once.
  void contraction(const spirv::Instruction& sum) {
    if (!contractable(sum.result)) return;
    for (const std::uint32_t id : sum.operands)
      if (const spirv::Instruction* product = m_.definition(id); product && product->op == spv::Op::OpFMul && contractable(id)) {
        add(sum, fmt::format("OpFMul {}", spirv::opName(sum.op)), "rounded once or twice: not NoContraction", "SPIR-V, NoContraction");
        return;
      }
  }

  const spirv::Instruction* imageType(std::uint32_t value) const {
    const spirv::Instruction* inst = m_.definition(value);
    const spirv::Instruction* type = inst ? m_.definition(inst->type) : nullptr;
    if (type && type->op == spv::Op::OpTypeSampledImage) type = m_.definition(type->operand(0));
    return type && type->op == spv::Op::OpTypeImage ? type : nullptr;
  }

  void texels(const spirv::Instruction& inst) {
    const spirv::Instruction* type = imageType(inst.operand(0));
    const spirv::Instruction* sampled = type ? m_.definition(type->operand(0)) : nullptr;
    if (!sampled || sampled->op != spv::Op::OpTypeFloat) return;
    const FormatInfo* format = formatInfo(formatBySpirv(type->operand(6)));
    const bool writes = inst.op == spv::Op::OpImageWrite;
    if (!format) {
      add(inst, spirv::opName(inst.op),
          writes ? "either neighbour, where the view is UNORM, SNORM, SRGB or half"
                 : "no rounding is stated, where the view is UNORM, SNORM or SRGB",
          kConversion);
      return;
    }
    const NumericFormat n = format->numeric;
    const bool normalised = n == NumericFormat::kUnorm || n == NumericFormat::kSnorm || n == NumericFormat::kSrgb;
    const bool small =
        n == NumericFormat::kUfloat || n == NumericFormat::kSharedExponent || (n == NumericFormat::kSfloat && format->componentBits == 16);
    if (writes ? !normalised && !small : !normalised) return;
    add(inst, fmt::format("{} {}", spirv::opName(inst.op), format->name), writes ? "either neighbour" : "no rounding is stated",
        kConversion);
  }

  const spirv::Module& m_;
  std::uint32_t glsl_ = 0;
  std::vector<OpenResult> out_;
};

}  // namespace

std::vector<const spirv::Instruction*> reachableInstructions(const spirv::Module& m, const std::string& entry) {
  std::set<std::uint32_t> functions;
  std::vector<std::uint32_t> open;
  for (const spirv::EntryPoint& e : m.entryPoints)
    if (e.name == entry && e.model == spv::ExecutionModel::GLCompute) open.push_back(e.function);
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    const spirv::FunctionRange* range = m.function(id);
    if (!range || !functions.insert(id).second) continue;
    for (std::uint32_t i = range->first; i < range->last; ++i)
      if (m.instructions[i].op == spv::Op::OpFunctionCall) open.push_back(m.instructions[i].operand(0));
  }
  std::vector<const spirv::Instruction*> out;
  for (const spirv::FunctionRange& range : m.functions)
    if (functions.contains(range.id))
      for (std::uint32_t i = range.first; i < range.last; ++i) out.push_back(&m.instructions[i]);
  return out;
}

std::string placeOf(const spirv::Module& module, const spirv::Instruction& inst) {
  const std::string line = module.lineText(inst.source);
  return line.empty() ? fmt::format("word {}", inst.offset) : line;
}

std::vector<OpenResult> openResults(const Interface& interface, const InterfaceEntry& entry) {
  return Scan(interface, entry).take();
}

std::string floatModesText(const Interface& interface, const InterfaceEntry& entry) {
  const spirv::Module& m = interface.module;
  std::uint32_t function = 0;
  for (const spirv::EntryPoint& e : m.entryPoints)
    if (e.name == entry.name && e.model == spv::ExecutionModel::GLCompute) function = e.function;
  std::string out;
  for (const spirv::Instruction& inst : m.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op != spv::Op::OpTypeFloat) continue;
    const std::uint32_t width = inst.operand(0);
    const auto declared = [&](std::initializer_list<spv::ExecutionMode> modes) {
      return std::any_of(m.instructions.begin(), m.instructions.end(), [&](const spirv::Instruction& mode) {
        return mode.op == spv::Op::OpExecutionMode && mode.operand(0) == function && mode.operand(2) == width &&
               std::find(modes.begin(), modes.end(), static_cast<spv::ExecutionMode>(mode.operand(1))) != modes.end();
      });
    };
    if (!declared({spv::ExecutionMode::DenormPreserve, spv::ExecutionMode::DenormFlushToZero}))
      out += fmt::format("{}denormals of {}-bit floats may be flushed to zero", out.empty() ? "" : "; ", width);
    if (!declared({spv::ExecutionMode::RoundingModeRTE, spv::ExecutionMode::RoundingModeRTZ}))
      out += fmt::format("{}the direction that {}-bit floats round in is not declared", out.empty() ? "" : "; ", width);
  }
  return out;
}

}  // namespace lanewise
