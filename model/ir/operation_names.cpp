#include "model/ir/operation_names.h"

#include <fmt/format.h>

#include "model/ir/operation_info.h"

namespace lanewise {
namespace {

// GLSL.std.450, by instruction number.
constexpr const char* kGlslNames[] = {
    "",
    "Round",
    "RoundEven",
    "Trunc",
    "FAbs",
    "SAbs",
    "FSign",
    "SSign",
    "Floor",
    "Ceil",
    "Fract",
    "Radians",
    "Degrees",
    "Sin",
    "Cos",
    "Tan",
    "Asin",
    "Acos",
    "Atan",
    "Sinh",
    "Cosh",
    "Tanh",
    "Asinh",
    "Acosh",
    "Atanh",
    "Atan2",
    "Pow",
    "Exp",
    "Log",
    "Exp2",
    "Log2",
    "Sqrt",
    "InverseSqrt",
    "Determinant",
    "MatrixInverse",
    "Modf",
    "ModfStruct",
    "FMin",
    "UMin",
    "SMin",
    "FMax",
    "UMax",
    "SMax",
    "FClamp",
    "UClamp",
    "SClamp",
    "FMix",
    "IMix",
    "Step",
    "SmoothStep",
    "Fma",
    "Frexp",
    "FrexpStruct",
    "Ldexp",
    "PackSnorm4x8",
    "PackUnorm4x8",
    "PackSnorm2x16",
    "PackUnorm2x16",
    "PackHalf2x16",
    "PackDouble2x32",
    "UnpackSnorm2x16",
    "UnpackUnorm2x16",
    "UnpackHalf2x16",
    "UnpackSnorm4x8",
    "UnpackUnorm4x8",
    "UnpackDouble2x32",
    "Length",
    "Distance",
    "Cross",
    "Normalize",
    "FaceForward",
    "Reflect",
    "Refract",
    "FindILsb",
    "FindSMsb",
    "FindUMsb",
    "InterpolateAtCentroid",
    "InterpolateAtSample",
    "InterpolateAtOffset",
    "NMin",
    "NMax",
    "NClamp",
};

}  // namespace

std::string codeName(ir::Code op) {
  const ir::OperationInfo* row = ir::operationInfo(op);
  if (row && *row->facts.name) return row->facts.name;
  if (op < ir::kGlsl) return spirv::opName(static_cast<spv::Op>(op));
  if (op < ir::kOwn)
    return op - ir::kGlsl < std::size(kGlslNames) ? kGlslNames[op - ir::kGlsl] : fmt::format("GLSL.std.450 {}", op - ir::kGlsl);
  return fmt::format("operation {:#x}", op);
}

}  // namespace lanewise
