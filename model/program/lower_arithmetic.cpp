// Arithmetic, comparisons, conversions, bits, composites and matrices. Each becomes scalar operations, one per component.
//
// A dot product or matrix product is a sum of products from the first component to the last, with each operation rounded. That is one of
// the orders that the specification allows (spirvenv, "Precision of Core SPIR-V Instructions": inherited from FMul and FAdd).
#include <spirv/unified1/spirv.hpp11>

#include "model/ir/operation_info.h"
#include "model/program/lower_arithmetic.h"
#include "model/spirv/newer.h"

namespace lanewise {

// SPV_EXT_replicated_composites and SPV_VALVE_mixed_float_dot_product. The sum of the last is computed in binary32, from the
// first product to the accumulator, and then rounded to the result's type.
bool ArithmeticLowering::newerArithmetic(const Inst& inst, std::span<const std::uint32_t> w) {
  if (!inst.type) return false;
  const Type* type = typeOf(inst.type);
  Values leaves;
  if (inst.op == spirv::newer::OpCompositeConstructReplicateEXT) {
    leaves = repeated(val(w[0]), *type);
  } else if (inst.op == spirv::newer::OpFDot2MixAcc32VALVE || inst.op == spirv::newer::OpFDot2MixAcc16VALVE) {
    const auto wide = [&](std::uint32_t id) {
      Values out;
      for (const Value v : val(id).leaves) out.push_back(convertFloat(v, Scalar::kF32));
      return out;
    };
    const Values a = wide(w[0]), b = wide(w[1]), sum = wide(w[2]);
    if (a.size() != 2 || b.size() != 2 || sum.size() != 1) return false;
    leaves = {convertFloat(make(ir::core(spv::Op::OpFAdd), Scalar::kF32, {dot(a, b, Scalar::kF32), sum[0]}), type->scalar)};
  } else {
    return false;
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

Value ArithmeticLowering::convertFloat(Value v, Scalar to) {
  return f_.nodes[v].type == to ? v : make(ir::core(spv::Op::OpFConvert), to, {v});
}

bool ArithmeticLowering::arithmetic(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w) {
  return elementwise(op, inst, w) || composite(op, inst, w) || matrix(op, inst, w) || integerDot(op, inst, w) || newerArithmetic(inst, w) ||
         intel(inst, w);
}

// An amount of a shift, an offset, a count or an exponent may have any width; the row says which it takes. One that does not fit becomes
// the nearest that does: no result, 0 and infinity stay so.
Value ArithmeticLowering::amount(Value v, ir::OperandType to) {
  const Scalar from = f_.nodes[v].type;
  if (from == to.scalar || !isInteger(to.scalar)) return v;
  const auto limit = [this](std::uint64_t bits) { return f_.constant(Scalar::kI64, bits); };
  if (from == Scalar::kI64)
    v = to.isSigned ? make(ir::kGlsl + GLSLstd450SClamp, from, {v, limit(~std::uint64_t{0x7fffffff}), limit(0x7fffffff)})
                    : make(ir::kGlsl + GLSLstd450UMin, from, {v, limit(0xffffffff)});
  return make(ir::core(to.isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert), to.scalar, {v});
}

// Component `l` of each operand, as the row takes it. A scalar beside vectors, as a bit field's offset, is for all components.
Values ArithmeticLowering::componentsOf(std::span<const std::uint32_t> w, std::uint32_t l, const ir::Signature& takes) {
  Values out;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Val& v = val(w[i]);
    out.push_back(amount(leaf(v, v.leaves.size() == 1 ? 0 : l), i < takes.count ? takes.arguments[i] : ir::OperandType{}));
  }
  return out;
}

bool ArithmeticLowering::elementwise(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w) {
  const ir::OperationInfo* row = ir::operationInfo(ir::core(op));
  if (!row || !row->computes() || row->facts.assembled) return false;
  const ir::Signature& takes = row->common;
  if (w.size() < takes.count) return false;
  const Type* type = typeOf(inst.type);
  ir::Code code = ir::core(op);
  const auto* const rounding = op == spv::Op::OpFConvert ? m_.decoration(inst.result, spv::Decoration::FPRoundingMode) : nullptr;
  if (rounding) {
    const auto mode = static_cast<spv::FPRoundingMode>(rounding->operands[0]);
    if (mode != spv::FPRoundingMode::RTE && mode != spv::FPRoundingMode::RTZ) {
      unsupported("an FPRoundingMode other than RTE and RTZ");
      return true;
    }
    code = mode == spv::FPRoundingMode::RTE ? ir::kConvertToEven : ir::kConvertToZero;
  }
  Values leaves;
  for (std::uint32_t l = 0; l < type->leaves; ++l) {
    const Values args = componentsOf(w.first(takes.count), l, takes);
    const Scalar out = leafScalar(*type, l);
    if (op == spv::Op::OpFConvert && f_.nodes[args[0]].type == out)  // to its own type: spirv/newer.h
      leaves.push_back(args[0]);
    else if (takes.result.scalar == Scalar::kI32)  // OpBitCount, which counts in 32 bits
      leaves.push_back(amount(make(code, Scalar::kI32, args), {out, false}));
    else
      leaves.push_back(make(code, out, args));
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

Values ArithmeticLowering::repeated(const Val& constituent, const Type& type) {
  Values leaves;
  while (!constituent.leaves.empty() && leaves.size() < type.leaves) leaves.append(constituent.leaves);
  return leaves;
}

// The leaf at a path of constant indices, and its type.
std::pair<std::uint32_t, const Type*> ArithmeticLowering::walk(const Type* type, std::span<const std::uint32_t> path) {
  std::uint32_t at = 0;
  for (std::uint32_t i : path) {
    if (type->constituents() <= i) {
      fail(Outcome::kBadInput, "a composite index out of range");
      break;
    }
    at += type->constituentLeaf(i);
    type = type->constituent(i);
  }
  return {at, type};
}

// The component at an index that is known only at run time, or the vector with that component replaced.
Values ArithmeticLowering::dynamicComponent(bool insert, std::span<const std::uint32_t> w) {
  const Val& v = val(w[0]);
  const Value component = insert ? scalar(w[1]) : ir::kNoValue, index = toIndex(val(w[insert ? 2 : 1]));
  if (options_.checkIndices && inFunction_) checkIndex({&index, 1}, v.type->count, w[0], 0);
  const auto where = [&](std::uint32_t i, Value yes, Value no) {
    const Value here = make(ir::core(spv::Op::OpIEqual), Scalar::kBool, {index, constantU32(i)});
    return make(ir::core(spv::Op::OpSelect), leafScalar(*v.type, 0), {here, yes, no});
  };
  Values leaves;
  if (!insert) leaves = {leaf(v, 0)};
  for (std::uint32_t i = 0; i < v.leaves.size(); ++i)
    if (insert)
      leaves.push_back(where(i, component, v.leaves[i]));
    else if (i > 0)
      leaves[0] = where(i, v.leaves[i], leaves[0]);
  return leaves;
}

bool ArithmeticLowering::composite(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w) {
  if (!inst.type) return false;
  const Type* type = typeOf(inst.type);
  Values leaves;
  switch (op) {
    case spv::Op::OpCompositeConstruct:
      for (std::uint32_t id : w)
        for (Value v : leavesOf(val(id))) leaves.push_back(v);
      break;
    case spv::Op::OpCompositeExtract: {
      const Val& v = val(w[0]);
      const auto [at, t] = walk(v.type, w.subspan(1));
      for (std::uint32_t l = 0; l < t->leaves; ++l) leaves.push_back(leaf(v, at + l));
      break;
    }
    case spv::Op::OpCompositeInsert: {
      const Values object = leavesOf(val(w[0]));
      leaves = val(w[1]).leaves;
      const auto [at, t] = walk(type, w.subspan(2));
      for (std::uint32_t l = 0; l < object.size() && at + l < leaves.size(); ++l) leaves[at + l] = object[l];
      break;
    }
    case spv::Op::OpVectorShuffle: {
      const Val &a = val(w[0]), &b = val(w[1]);
      for (std::uint32_t i : w.subspan(2)) {
        if (i == 0xffffffffu)
          leaves.push_back(undefinedLeaves(inst, *type->element)[0]);
        else
          leaves.push_back(i < a.leaves.size() ? a.leaves[i] : leaf(b, i - static_cast<std::uint32_t>(a.leaves.size())));
      }
      break;
    }
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic:
      leaves = dynamicComponent(op == spv::Op::OpVectorInsertDynamic, w);
      break;
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpExpectKHR: {
      Val v = val(w[0]);
      v.type = type;
      define(inst, std::move(v));
      return true;
    }
    default:
      return acrossComponents(op, inst, w);
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

// Operations where a component of the result depends on several components of an operand, or with several results.
bool ArithmeticLowering::acrossComponents(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w) {
  if (!inst.type) return false;
  const Type* type = typeOf(inst.type);
  Values leaves;
  switch (op) {
    case spv::Op::OpSelect: {
      const Val& c = val(w[0]);
      const Values a = leavesOf(val(w[1])), b = leavesOf(val(w[2]));
      for (std::uint32_t l = 0; l < type->leaves && l < a.size() && l < b.size(); ++l)
        leaves.push_back(make(ir::core(op), leafScalar(*type, l), {leaf(c, c.leaves.size() == 1 ? 0 : l), a[l], b[l]}));
      const bool composite = type->kind == Type::Kind::kStruct || type->kind == Type::Kind::kArray;  // may be empty
      if (leaves.size() != type->leaves || (leaves.empty() && !composite)) return false;
      break;
    }
    case spv::Op::OpAny:
    case spv::Op::OpAll: {
      const Val& v = val(w[0]);
      Value out = leaf(v, 0);
      for (std::size_t i = 1; i < v.leaves.size(); ++i)
        out = make(ir::core(op == spv::Op::OpAny ? spv::Op::OpLogicalOr : spv::Op::OpLogicalAnd), Scalar::kBool, {out, v.leaves[i]});
      leaves.push_back(out);
      break;
    }
    case spv::Op::OpBitcast: {
      Val v = val(w[0]);
      v.leaves = leavesOf(v);
      if (v.leaves.empty() || (type->kind == Type::Kind::kPointer && type->leaves != 1)) return false;
      const std::size_t from = v.leaves.size(), to = type->leaves;
      if (from == to)
        for (std::uint32_t l = 0; l < to; ++l) leaves.push_back(make(ir::core(op), leafScalar(*type, l), {v.leaves[l]}));
      else if (from > to)  // several narrow components make a wide one, the first in the low bits
        for (std::size_t l = 0; l < to; ++l)
          leaves.push_back(make(ir::kPack, leafScalar(*type, 0), std::span(v.leaves).subspan(l * from / to, from / to)));
      else
        for (std::size_t l = 0; l < to; ++l) {
          // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): from < to
          const Value part = constantU32(static_cast<std::uint32_t>(l % (to / from)));
          leaves.push_back(make(ir::kUnpack, leafScalar(*type, 0), {v.leaves[l * from / to], part}));
        }
      break;
    }
    case spv::Op::OpUMulExtended:
    case spv::Op::OpSMulExtended:
    case spv::Op::OpIAddCarry:
    case spv::Op::OpISubBorrow: {
      // The result is a structure of (low, high) or (result, carry). The first member is the plain operation; the second has a code of its
      // own.
      const bool multiply = op == spv::Op::OpUMulExtended || op == spv::Op::OpSMulExtended;
      const ir::Code low = ir::core(multiply ? spv::Op::OpIMul : op == spv::Op::OpIAddCarry ? spv::Op::OpIAdd : spv::Op::OpISub);
      const Val &a = val(w[0]), &b = val(w[1]);
      for (ir::Code code : {low, ir::core(op)})
        for (std::uint32_t l = 0; l < a.leaves.size(); ++l) leaves.push_back(make(code, leafScalar(*a.type, l), {a.leaves[l], leaf(b, l)}));
      break;
    }
    default:
      return false;
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

Value ArithmeticLowering::dot(std::span<const Value> a, std::span<const Value> b, Scalar type) {
  Value sum = make(ir::core(spv::Op::OpFMul), type, {a[0], b[0]});
  for (std::size_t i = 1; i < a.size(); ++i)
    sum = make(ir::core(spv::Op::OpFAdd), type, {sum, make(ir::core(spv::Op::OpFMul), type, {a[i], b[i]})});
  return sum;
}

bool ArithmeticLowering::matrix(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w) {
  switch (op) {
    case spv::Op::OpDot:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpTranspose:
      break;
    default:
      return false;
  }
  const Type* type = typeOf(inst.type);
  const Scalar s = leafScalar(*type, 0);
  const Val &a = val(w[0]), &b = val(w.back());
  Values leaves;
  const auto column = [](const Val& m, std::uint32_t c) {
    const std::uint32_t rows = m.type->element->leaves;
    return Values(std::span(m.leaves).subspan(c * rows, rows));
  };
  const auto row = [](const Val& m, std::uint32_t r) {
    Values out;
    for (std::uint32_t c = 0; c < m.type->count; ++c) out.push_back(m.leaves[c * m.type->element->leaves + r]);
    return out;
  };
  switch (op) {
    case spv::Op::OpDot:
      leaves = {dot(a.leaves, b.leaves, s)};
      break;
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
      for (Value v : a.leaves) leaves.push_back(make(ir::core(spv::Op::OpFMul), s, {v, b.leaves[0]}));
      break;
    case spv::Op::OpVectorTimesMatrix:
      for (std::uint32_t c = 0; c < b.type->count; ++c) leaves.push_back(dot(a.leaves, column(b, c), s));
      break;
    case spv::Op::OpMatrixTimesVector:
      for (std::uint32_t r = 0; r < a.type->element->leaves; ++r) leaves.push_back(dot(row(a, r), b.leaves, s));
      break;
    case spv::Op::OpMatrixTimesMatrix:
      for (std::uint32_t c = 0; c < b.type->count; ++c)
        for (std::uint32_t r = 0; r < a.type->element->leaves; ++r) leaves.push_back(dot(row(a, r), column(b, c), s));
      break;
    case spv::Op::OpOuterProduct:
      for (Value right : b.leaves)
        for (Value left : a.leaves) leaves.push_back(make(ir::core(spv::Op::OpFMul), s, {left, right}));
      break;
    default:  // OpTranspose
      for (std::uint32_t r = 0; r < a.type->element->leaves; ++r)
        for (Value v : row(a, r)) leaves.push_back(v);
      break;
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

}  // namespace lanewise
