// Subgroup operations and barriers. Each component of a value is an operation of its own; bits hold the opcode and the group operation.
//
// Source: SPIR-V 1.6, 3.42.24 "Non-Uniform Instructions", 3.42.20 "Barrier Instructions".
#include "model/program/lowering.h"

namespace lanewise {

// SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote: the same operations under older names, without a scope.
bool Lowering::subgroupKhr(const Inst& inst) {
  using spv::Op;
  Op now = Op::OpNop;
  switch (inst.op) {
    case Op::OpSubgroupBallotKHR:
      now = Op::OpGroupNonUniformBallot;
      break;
    case Op::OpSubgroupFirstInvocationKHR:
      now = Op::OpGroupNonUniformBroadcastFirst;
      break;
    case Op::OpSubgroupAllKHR:
      now = Op::OpGroupNonUniformAll;
      break;
    case Op::OpSubgroupAnyKHR:
      now = Op::OpGroupNonUniformAny;
      break;
    case Op::OpSubgroupAllEqualKHR:
      now = Op::OpGroupNonUniformAllEqual;
      break;
    case Op::OpSubgroupReadInvocationKHR:
      now = Op::OpGroupNonUniformBroadcast;
      break;
    default:
      return false;
  }
  const std::uint64_t bits = static_cast<std::uint32_t>(now);
  const Type* type = typeOf(inst.type);
  const Val value = val(inst.operand(0));
  std::vector<Value> leaves;
  if (now == Op::OpGroupNonUniformBallot) {
    const Value ballot = effect(ir::kSubgroup, Scalar::kNone, value.leaves, 0, bits);
    for (std::uint32_t c = 0; c < 4; ++c) leaves.push_back(results(ballot, Scalar::kI32, c));
  } else {
    for (std::uint32_t l = 0; l < type->leaves; ++l) {
      std::vector<Value> args{leaf(value, l)};
      if (now == Op::OpGroupNonUniformBroadcast) args.push_back(scalar(inst.operand(1)));
      leaves.push_back(effect(ir::kSubgroup, leafScalar(*type, l), args, 0, bits));
    }
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

bool Lowering::subgroup(const Inst& inst) {
  const auto code = static_cast<std::uint32_t>(inst.op);
  if (inst.op == spv::Op::OpControlBarrier) {
    const std::uint64_t memory = constantOf(inst.operand(1)).value_or(0) << 32 | constantOf(inst.operand(2)).value_or(0);
    effect(ir::kControlBarrier, Scalar::kNone, {}, static_cast<std::uint32_t>(constantOf(inst.operand(0)).value_or(2)), memory);
    return true;
  }
  if (inst.op == spv::Op::OpMemoryBarrier) {
    effect(ir::kMemoryBarrier, Scalar::kNone, {}, 0,
           constantOf(inst.operand(0)).value_or(0) << 32 | constantOf(inst.operand(1)).value_or(0));
    return true;
  }
  if (subgroupKhr(inst)) return true;
  constexpr std::uint32_t kRotate = 4431;
  const bool nonUniform = code >= static_cast<std::uint32_t>(spv::Op::OpGroupNonUniformElect) &&
                          code <= static_cast<std::uint32_t>(spv::Op::OpGroupNonUniformQuadSwap);
  if (!nonUniform && code != kRotate) return false;
  const Type* type = typeOf(inst.type);
  std::size_t first = 1;  // operand 0 is the execution scope
  std::uint64_t group = 0;
  const bool reduction = code >= static_cast<std::uint32_t>(spv::Op::OpGroupNonUniformIAdd) &&
                         code <= static_cast<std::uint32_t>(spv::Op::OpGroupNonUniformLogicalXor);
  if (reduction || inst.op == spv::Op::OpGroupNonUniformBallotBitCount) group = inst.operand(first++);
  const std::uint64_t bits = code | group << 16;
  std::vector<Val> operands;
  for (std::size_t i = first; i < inst.operands.size(); ++i) operands.push_back(val(inst.operands[i]));
  std::vector<Value> leaves;
  switch (inst.op) {
    case spv::Op::OpGroupNonUniformBallot: {
      const Value ballot = effect(ir::kSubgroup, Scalar::kNone, operands[0].leaves, 0, bits);
      for (std::uint32_t c = 0; c < 4; ++c) leaves.push_back(results(ballot, Scalar::kI32, c));
      break;
    }
    case spv::Op::OpGroupNonUniformElect:
    case spv::Op::OpGroupNonUniformAll:
    case spv::Op::OpGroupNonUniformAny:
    case spv::Op::OpGroupNonUniformInverseBallot:
    case spv::Op::OpGroupNonUniformBallotBitExtract:
    case spv::Op::OpGroupNonUniformBallotBitCount:
    case spv::Op::OpGroupNonUniformBallotFindLSB:
    case spv::Op::OpGroupNonUniformBallotFindMSB: {
      std::vector<Value> args;
      for (const Val& v : operands) args.insert(args.end(), v.leaves.begin(), v.leaves.end());
      leaves = {effect(ir::kSubgroup, leafScalar(*type, 0), args, 0, bits)};
      break;
    }
    case spv::Op::OpGroupNonUniformAllEqual: {
      Value all = ir::kNoValue;
      for (Value v : operands[0].leaves) {
        const Value one = effect(ir::kSubgroup, Scalar::kBool, std::vector{v}, 0, bits);
        all = all == ir::kNoValue ? one : make(ir::core(spv::Op::OpLogicalAnd), Scalar::kBool, {all, one});
      }
      leaves = {all};
      break;
    }
    default:  // broadcasts, shuffles, reductions, scans, quads: component by component
      for (std::uint32_t l = 0; l < type->leaves; ++l) {
        std::vector<Value> args{leaf(operands[0], l)};
        for (std::size_t i = 1; i < operands.size(); ++i) args.insert(args.end(), operands[i].leaves.begin(), operands[i].leaves.end());
        leaves.push_back(effect(ir::kSubgroup, leafScalar(*type, l), args, 0, bits));
      }
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

}  // namespace lanewise
