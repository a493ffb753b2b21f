// Lowers AMD's extended instruction sets to other operations.
//
// Source: SPV_AMD_shader_trinary_minmax, SPV_AMD_shader_ballot, SPV_AMD_gcn_shader.
#include <spirv/unified1/GLSL.std.450.h>

#include "model/program/lower_arithmetic.h"

namespace lanewise {
namespace {

using spv::Op;

// Instruction numbers.
enum Trinary : std::uint32_t { kFMin3 = 1, kSMin3 = 3, kSMax3 = 6, kSMid3 = 9 };
enum Ballot : std::uint32_t { kSwizzle = 1, kSwizzleMasked = 2, kWriteInvocation = 3, kMbcnt = 4 };
enum Gcn : std::uint32_t { kCubeFaceIndex = 1, kCubeFaceCoord = 2, kTime = 3 };

// The smallest, largest and middle of three floats, unsigned and signed integers, by AMD's numbers from 1.
struct Kind {
  GLSLstd450 min, max;
};
constexpr Kind kKinds[] = {{GLSLstd450FMin, GLSLstd450FMax}, {GLSLstd450UMin, GLSLstd450UMax}, {GLSLstd450SMin, GLSLstd450SMax}};

}  // namespace

bool ArithmeticLowering::amd(const Inst& inst, spirv::InstructionSet set, std::uint32_t number, std::span<const std::uint32_t> w) {
  using Set = spirv::InstructionSet;
  const Type* type = typeOf(inst.type);
  std::vector<Val> args;
  for (std::uint32_t id : w) args.push_back(val(id));
  Values leaves;
  if (set == Set::kAmdTrinary && number >= kFMin3 && number <= kSMid3 && args.size() == 3) {
    const Kind kind = kKinds[(number - kFMin3) % 3];
    for (std::uint32_t l = 0; l < type->leaves; ++l) {
      const Value x = leaf(args[0], l), y = leaf(args[1], l), z = leaf(args[2], l);
      const auto pick = [&](GLSLstd450 op, Value a, Value b) {
        return make(ir::kGlsl + static_cast<ir::Code>(op), leafScalar(*type, l), {a, b});
      };
      if (number <= kSMin3)
        leaves.push_back(pick(kind.min, pick(kind.min, x, y), z));
      else if (number <= kSMax3)
        leaves.push_back(pick(kind.max, pick(kind.max, x, y), z));
      else
        leaves.push_back(pick(kind.max, pick(kind.min, x, y), pick(kind.min, pick(kind.max, x, y), z)));
    }
  } else if (set == Set::kAmdBallot && amdBallot(*type, number, args, leaves)) {
  } else if (set == Set::kAmdGcn && number == kTime) {
    leaves = {effect(ir::kReadClock, Scalar::kI64, {})};
  } else if (set == Set::kAmdGcn && number <= kCubeFaceCoord && args.size() == 1 && args[0].leaves.size() == 3) {
    leaves = amdCube(args[0].leaves, number == kCubeFaceCoord);
  } else {
    return false;
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

// The face of a cube in a direction, or the position on it, from 0 to 1 (Vulkan, "Cube Map Face Selection"; of equal axes z, then y).
Values ArithmeticLowering::amdCube(std::span<const Value> direction, bool coordinates) {
  const Scalar f = Scalar::kF32;
  const Value x = direction[0], y = direction[1], z = direction[2], zero = f_.constant(f, 0);
  const auto number = [&](std::uint32_t n) { return make(ir::core(Op::OpConvertUToF), f, {constantU32(n)}); };
  const auto size = [&](Value v) { return make(ir::kGlsl + GLSLstd450FAbs, f, {v}); };
  const auto minus = [&](Value v) { return make(ir::core(Op::OpFNegate), f, {v}); };
  const auto select = [&](Value c, Value a, Value b) { return make(ir::core(Op::OpSelect), f, {c, a, b}); };
  const auto negative = [&](Value v) { return make(ir::core(Op::OpFOrdLessThan), Scalar::kBool, {v, zero}); };
  const auto atLeast = [&](Value a, Value b) { return make(ir::core(Op::OpFOrdGreaterThanEqual), Scalar::kBool, {a, b}); };
  const Value larger = make(ir::kGlsl + GLSLstd450FMax, f, {size(x), size(y)});
  const Value isZ = atLeast(size(z), larger), isY = atLeast(size(y), size(x));
  const auto axis = [&](Value ofX, Value ofY, Value ofZ) { return select(isZ, ofZ, select(isY, ofY, ofX)); };
  const auto sign = [&](Value v, Value ifNegative, Value otherwise) { return select(negative(v), ifNegative, otherwise); };
  if (!coordinates) return {axis(sign(x, number(1), number(0)), sign(y, number(3), number(2)), sign(z, number(5), number(4)))};
  const Value s = axis(sign(x, z, minus(z)), x, sign(z, minus(x), x)), t = axis(minus(y), sign(y, minus(z), z), minus(y));
  const Value twice = make(ir::core(Op::OpFMul), f, {number(2), make(ir::kGlsl + GLSLstd450FMax, f, {size(z), larger})});
  const Value half = make(ir::core(Op::OpFDiv), f, {number(1), number(2)});
  const auto placed = [&](Value v) { return make(ir::core(Op::OpFAdd), f, {make(ir::core(Op::OpFDiv), f, {v, twice}), half}); };
  return {placed(s), placed(t)};
}

bool ArithmeticLowering::amdBallot(const Type& type, std::uint32_t number, const std::vector<Val>& args, Values& leaves) {
  const auto u32 = [&](Op op, Value a, Value b) { return make(ir::core(op), Scalar::kI32, {a, b}); };
  const auto equal = [&](Value a, Value b) { return make(ir::core(Op::OpIEqual), Scalar::kBool, {a, b}); };
  const Value lane = inputRow(ir::InputRow::kSubgroupLane);
  switch (number) {
    case kSwizzle: {  // among four lanes, each reads the one named by its component of the offset
      const Value in = u32(Op::OpBitwiseAnd, lane, constantU32(3));
      Value offset = leaf(args[1], 0);
      for (std::uint32_t i = 1; i < 4; ++i)
        offset = make(ir::core(Op::OpSelect), Scalar::kI32, {equal(in, constantU32(i)), leaf(args[1], i), offset});
      const Value from = u32(Op::OpIAdd, u32(Op::OpISub, lane, in), offset);
      leaves = acrossLanes(Op::OpGroupNonUniformShuffle, {}, type, {args[0], {scalarType(Scalar::kI32), {from}, {}, {}}});
      return true;
    }
    case kSwizzleMasked: {  // within 32 lanes: (lane & x | y) ^ z
      const Value in = u32(Op::OpBitwiseAnd, lane, constantU32(31));
      const Value kept = u32(Op::OpBitwiseOr, u32(Op::OpBitwiseAnd, in, leaf(args[1], 0)), leaf(args[1], 1));
      const Value from = u32(Op::OpIAdd, u32(Op::OpISub, lane, in), u32(Op::OpBitwiseXor, kept, leaf(args[1], 2)));
      leaves = acrossLanes(Op::OpGroupNonUniformShuffle, {}, type, {args[0], {scalarType(Scalar::kI32), {from}, {}, {}}});
      return true;
    }
    case kWriteInvocation:
      for (std::uint32_t l = 0; l < type.leaves; ++l)
        leaves.push_back(
            make(ir::core(Op::OpSelect), leafScalar(type, l), {equal(lane, leaf(args[2], 0)), leaf(args[1], l), leaf(args[0], l)}));
      return true;
    case kMbcnt: {  // the bits below this lane
      const Value one = f_.constant(Scalar::kI64, 1);
      const Value bit = make(ir::core(Op::OpShiftLeftLogical), Scalar::kI64, {one, lane});
      const Value below = make(ir::core(Op::OpISub), Scalar::kI64, {bit, one});
      leaves = {make(ir::core(Op::OpBitCount), Scalar::kI32, {make(ir::core(Op::OpBitwiseAnd), Scalar::kI64, {leaf(args[0], 0), below})})};
      return true;
    }
    default:
      return false;
  }
}

}  // namespace lanewise
