// Subgroup operations, barriers and the clock. Each component of a value is an operation of its own.
//
// Source: SPIR-V 1.6, 3.42.24 "Non-Uniform Instructions", 3.42.20 "Barrier Instructions", 3.42.21 "Group and Subgroup Instructions" (a
// group is the subgroup here); SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote, SPV_KHR_subgroup_rotate, SPV_KHR_quad_control,
// SPV_NV_shader_subgroup_partitioned, SPV_AMD_shader_ballot, SPV_KHR_shader_clock.
#include <spirv/unified1/GLSL.std.450.h>

#include "model/ir/operation_info.h"
#include "model/program/lower_subgroup.h"
#include "model/spirv/newer.h"

namespace lanewise {
namespace {

using spv::Op;

// Older names of the same operations, and the number of operands (scopes) before the value or the group operation.
struct Renamed {
  Op from, to;
  std::uint8_t scopes;
};
constexpr Renamed kRenamed[] = {
    {Op::OpSubgroupBallotKHR, Op::OpGroupNonUniformBallot, 0},
    {Op::OpSubgroupFirstInvocationKHR, Op::OpGroupNonUniformBroadcastFirst, 0},
    {Op::OpSubgroupAllKHR, Op::OpGroupNonUniformAll, 0},
    {Op::OpSubgroupAnyKHR, Op::OpGroupNonUniformAny, 0},
    {Op::OpSubgroupAllEqualKHR, Op::OpGroupNonUniformAllEqual, 0},
    {Op::OpSubgroupReadInvocationKHR, Op::OpGroupNonUniformBroadcast, 0},
    {Op::OpGroupAll, Op::OpGroupNonUniformAll, 1},
    {Op::OpGroupAny, Op::OpGroupNonUniformAny, 1},
    {Op::OpGroupBroadcast, Op::OpGroupNonUniformBroadcast, 1},
    {Op::OpGroupIAdd, Op::OpGroupNonUniformIAdd, 1},
    {Op::OpGroupFAdd, Op::OpGroupNonUniformFAdd, 1},
    {Op::OpGroupFMin, Op::OpGroupNonUniformFMin, 1},
    {Op::OpGroupUMin, Op::OpGroupNonUniformUMin, 1},
    {Op::OpGroupSMin, Op::OpGroupNonUniformSMin, 1},
    {Op::OpGroupFMax, Op::OpGroupNonUniformFMax, 1},
    {Op::OpGroupUMax, Op::OpGroupNonUniformUMax, 1},
    {Op::OpGroupSMax, Op::OpGroupNonUniformSMax, 1},
    {Op::OpGroupIAddNonUniformAMD, Op::OpGroupNonUniformIAdd, 1},
    {Op::OpGroupFAddNonUniformAMD, Op::OpGroupNonUniformFAdd, 1},
    {Op::OpGroupFMinNonUniformAMD, Op::OpGroupNonUniformFMin, 1},
    {Op::OpGroupUMinNonUniformAMD, Op::OpGroupNonUniformUMin, 1},
    {Op::OpGroupSMinNonUniformAMD, Op::OpGroupNonUniformSMin, 1},
    {Op::OpGroupFMaxNonUniformAMD, Op::OpGroupNonUniformFMax, 1},
    {Op::OpGroupUMaxNonUniformAMD, Op::OpGroupNonUniformUMax, 1},
    {Op::OpGroupSMaxNonUniformAMD, Op::OpGroupNonUniformSMax, 1},
};

}  // namespace

bool SubgroupLowering::subgroup(const Inst& inst) {
  if (inst.op == Op::OpControlBarrier || inst.op == Op::OpMemoryBarrier) {
    barrier(inst);
    return true;
  }
  Op op = inst.op;
  std::size_t first = 1;  // operand 0 is the execution scope
  for (const Renamed& r : kRenamed)
    if (r.from == inst.op) {
      op = r.to;
      first = r.scopes;
    }
  spv::GroupOperation group{};
  std::vector<Val> extra;
  if (op == spirv::newer::OpGroupNonUniformQuadAllKHR || op == spirv::newer::OpGroupNonUniformQuadAnyKHR) {  // a vote among four
    op = op == spirv::newer::OpGroupNonUniformQuadAllKHR ? Op::OpGroupNonUniformLogicalAnd : Op::OpGroupNonUniformLogicalOr;
    first = 0;
    group = spv::GroupOperation::ClusteredReduce;
    extra.push_back({scalarType(Scalar::kI32), {constantU32(4)}, {}, {}});
  }
  if (ir::factsOf(op).across == ir::Across::kNone) return false;
  if (op == Op::OpGroupNonUniformPartitionNV) first = 0;
  if (first == 1 && constantOf(inst.operand(0)).value_or(0) != static_cast<std::uint32_t>(spv::Scope::Subgroup)) {
    unsupported("a group operation on another scope than Subgroup");
    return true;
  }
  const bool grouped = ir::factsOf(op).grouped && extra.empty();
  if (grouped) group = spv::GroupOperation{inst.operand(first++)};
  if (grouped && group == spv::GroupOperation::ClusteredReduce && inst.operands.size() > first + 1 &&
      !std::has_single_bit(constantOf(inst.operand(first + 1)).value_or(1))) {
    fail(Outcome::kBadInput, "the ClusterSize of a group operation is not a power of two");
    return true;
  }
  std::vector<Val> operands;
  for (std::size_t i = first; i < inst.operands.size(); ++i) operands.push_back(val(inst.operands[i]));
  operands.insert(operands.end(), extra.begin(), extra.end());
  defineLeaves(inst, acrossLanes(op, group, *typeOf(inst.type), std::move(operands)));
  return true;
}

Value SubgroupLowering::subgroupEffect(Op op, spv::GroupOperation group, Scalar type, std::span<const Value> args) {
  return effect(ir::kSubgroup, type, args, kind::Subgroup{op, group, static_cast<std::uint32_t>(args.size())});
}

Values SubgroupLowering::acrossLanes(Op op, spv::GroupOperation group, const Type& type, std::vector<Val> operands) {
  const auto words = [&](Value v) {  // a ballot
    Values four;
    const Value ballot = subgroupEffect(op, group, Scalar::kNone, Values{v});
    for (std::uint32_t c = 0; c < 4; ++c) four.push_back(results(ballot, Scalar::kI32, c));
    return four;
  };
  Values leaves;
  switch (ir::factsOf(op).makes) {
    case ir::Makes::kBallot:
      return words(leaf(operands[0], 0));
    case ir::Makes::kPartition:  // equal in every component
      for (Value v : operands[0].leaves) {
        const Values equal = words(v);
        for (std::size_t c = 0; c < 4; ++c) {
          if (leaves.size() < 4)
            leaves.push_back(equal[c]);
          else
            leaves[c] = make(ir::core(Op::OpBitwiseAnd), Scalar::kI32, {leaves[c], equal[c]});
        }
      }
      return leaves;
    case ir::Makes::kVote:
    case ir::Makes::kOfOwn: {
      Values args;
      for (const Val& v : operands) args.append(v.leaves);
      const Scalar out = leafScalar(type, 0);
      const Value result = subgroupEffect(op, group, out == Scalar::kBool ? out : Scalar::kI32, args);
      return {out == Scalar::kBool || out == Scalar::kI32 ? result : make(ir::core(Op::OpUConvert), out, {result})};
    }
    case ir::Makes::kEquality: {
      Value all = ir::kNoValue;
      for (Value v : operands[0].leaves) {
        const Value one = subgroupEffect(op, group, Scalar::kBool, Values{v});
        all = all == ir::kNoValue ? one : make(ir::core(Op::OpLogicalAnd), Scalar::kBool, {all, one});
      }
      return {all};
    }
    default:  // broadcasts, shuffles, reductions, scans, quads: component by component
      for (std::size_t i = 1; i < operands.size(); ++i)
        for (Value& v : operands[i].leaves)  // a lane or a size of another width
          if (f_.nodes[v].type != Scalar::kI32) v = make(ir::core(Op::OpUConvert), Scalar::kI32, {v});
      for (std::uint32_t l = 0; l < type.leaves; ++l) {
        Values args{leaf(operands[0], l)};
        for (std::size_t i = 1; i < operands.size(); ++i) args.append(operands[i].leaves);
        leaves.push_back(subgroupEffect(op, group, leafScalar(type, l), args));
      }
      return leaves;
  }
}

// Derivatives in quads of lanes (SPV_NV_compute_shader_derivatives): the difference to the neighbour in the lane's own row or column, or
// for coarse ones in the quad's first row or column.
bool SubgroupLowering::derivative(const Inst& inst) {
  const std::optional<ir::Derivative>& form = ir::factsOf(inst.op).derivative;
  if (!form) return false;
  const Type* type = typeOf(inst.type);
  const Val& p = val(inst.operand(0));
  const auto along = [&](std::uint32_t bit) {
    const Value lane = inputRow(ir::InputRow::kSubgroupLane);
    const Value low = make(ir::core(Op::OpBitwiseAnd), Scalar::kI32, {lane, constantU32(~(form->coarse ? 3u : bit))});
    const Value high = make(ir::core(Op::OpBitwiseOr), Scalar::kI32, {low, constantU32(bit)});
    const auto read = [&](Value from) {
      return acrossLanes(Op::OpGroupNonUniformShuffle, {}, *type, {p, {scalarType(Scalar::kI32), {from}, {}, {}}});
    };
    const Values a = read(low), b = read(high);
    Values out;
    for (std::size_t l = 0; l < a.size(); ++l)
      out.push_back(make(ir::core(Op::OpFSub), leafScalar(*type, static_cast<std::uint32_t>(l)), {b[l], a[l]}));
    return out;
  };
  Values leaves = form->x ? along(1) : along(2);
  if (form->x && form->y) {
    const Values down = along(2);
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      const Scalar s = leafScalar(*type, static_cast<std::uint32_t>(l));
      const auto absolute = [&](Value v) { return make(ir::kGlsl + GLSLstd450FAbs, s, {v}); };
      leaves[l] = make(ir::core(Op::OpFAdd), s, {absolute(leaves[l]), absolute(down[l])});
    }
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

// The clock is the number of steps. It only increases, and not at the rate of any device.
bool SubgroupLowering::clock(const Inst& inst) {
  if (inst.op != Op::OpReadClockKHR) return false;
  const Value now = effect(ir::kReadClock, Scalar::kI64, {});
  if (typeOf(inst.type)->leaves == 1)
    defineLeaves(inst, {now});
  else
    defineLeaves(inst, {make(ir::kUnpack, Scalar::kI32, {now, constantU32(0)}), make(ir::kUnpack, Scalar::kI32, {now, constantU32(1)})});
  return true;
}

}  // namespace lanewise
