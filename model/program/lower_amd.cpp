// AMD's extended instruction sets, made of other operations.
//
// Source: SPV_AMD_shader_trinary_minmax, SPV_AMD_shader_ballot, SPV_AMD_gcn_shader.
#include <spirv/unified1/GLSL.std.450.h>

#include "model/program/lowering.h"

namespace lanewise {
namespace {

using spv::Op;

// Instruction numbers.
enum Trinary : std::uint32_t { kFMin3 = 1, kSMin3 = 3, kSMax3 = 6, kSMid3 = 9 };
enum Ballot : std::uint32_t { kSwizzle = 1, kSwizzleMasked = 2, kWriteInvocation = 3, kMbcnt = 4 };
constexpr std::uint32_t kTime = 3;  // of SPV_AMD_gcn_shader

// The smallest, largest and middle of three, of floats, unsigned and signed integers: by AMD's numbers from 1.
struct Kind {
  GLSLstd450 min, max;
};
constexpr Kind kKinds[] = {{GLSLstd450FMin, GLSLstd450FMax}, {GLSLstd450UMin, GLSLstd450UMax}, {GLSLstd450SMin, GLSLstd450SMax}};

}  // namespace

bool Lowering::amd(const Inst& inst, const std::string& set, std::uint32_t number, std::span<const std::uint32_t> w) {
  const Type* type = typeOf(inst.type);
  std::vector<Val> args;
  for (std::uint32_t id : w) args.push_back(val(id));
  std::vector<Value> leaves;
  if (set == "SPV_AMD_shader_trinary_minmax" && number >= kFMin3 && number <= kSMid3 && args.size() == 3) {
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
  } else if (set == "SPV_AMD_shader_ballot" && amdBallot(*type, number, args, leaves)) {
  } else if (set == "SPV_AMD_gcn_shader" && number == kTime) {
    leaves = {effect(ir::kReadClock, Scalar::kI64, {})};
  } else {
    return false;
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

bool Lowering::amdBallot(const Type& type, std::uint32_t number, const std::vector<Val>& args, std::vector<Value>& leaves) {
  const auto u32 = [&](Op op, Value a, Value b) { return make(ir::core(op), Scalar::kI32, {a, b}); };
  const auto equal = [&](Value a, Value b) { return make(ir::core(Op::OpIEqual), Scalar::kBool, {a, b}); };
  const Value lane = inputRow(ir::InputRow::kSubgroupLane);
  switch (number) {
    case kSwizzle: {  // within four lanes, each reads the one that its component of the offset names
      const Value in = u32(Op::OpBitwiseAnd, lane, constantU32(3));
      Value offset = leaf(args[1], 0);
      for (std::uint32_t i = 1; i < 4; ++i)
        offset = make(ir::core(Op::OpSelect), Scalar::kI32, {equal(in, constantU32(i)), leaf(args[1], i), offset});
      const Value from = u32(Op::OpIAdd, u32(Op::OpISub, lane, in), offset);
      leaves = acrossLanes(Op::OpGroupNonUniformShuffle, 0, type, {args[0], {scalarType(Scalar::kI32), {from}, {}, {}}});
      return true;
    }
    case kSwizzleMasked: {  // within 32 lanes: (lane & x | y) ^ z
      const Value in = u32(Op::OpBitwiseAnd, lane, constantU32(31));
      const Value kept = u32(Op::OpBitwiseOr, u32(Op::OpBitwiseAnd, in, leaf(args[1], 0)), leaf(args[1], 1));
      const Value from = u32(Op::OpIAdd, u32(Op::OpISub, lane, in), u32(Op::OpBitwiseXor, kept, leaf(args[1], 2)));
      leaves = acrossLanes(Op::OpGroupNonUniformShuffle, 0, type, {args[0], {scalarType(Scalar::kI32), {from}, {}, {}}});
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
