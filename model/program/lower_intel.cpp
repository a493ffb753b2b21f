// Lowers SPV_INTEL_shader_integer_functions2 to other integer operations, component by component.
#include <spirv/unified1/GLSL.std.450.h>

#include "model/ir/operation_info.h"
#include "model/program/lower_arithmetic.h"

namespace lanewise {

using spv::Op;

bool ArithmeticLowering::intel(const Inst& inst, std::span<const std::uint32_t> w) {
  if (!ir::factsOf(inst.op).intel || w.empty()) return false;
  const Type* type = typeOf(inst.type);
  const Val a = val(w[0]), b = val(w.back());
  Values leaves;
  for (std::uint32_t l = 0; l < type->leaves; ++l) leaves.push_back(intelScalar(inst.op, leaf(a, l), leaf(b, l)));
  defineLeaves(inst, std::move(leaves));
  return true;
}

Value ArithmeticLowering::intelScalar(Op code, Value a, Value b) {
  const Scalar s = f_.nodes[a].type;
  const std::uint64_t bits = 8 * scalarBytes(s);
  const auto constant = [&](std::uint64_t v) { return f_.constant(s, v); };
  const auto op = [&](Op o, Value x, Value y) { return make(ir::core(o), s, {x, y}); };
  const auto is = [&](Op o, Value x, Value y) { return make(ir::core(o), Scalar::kBool, {x, y}); };
  const auto pick = [&](Value c, Value x, Value y) { return make(ir::core(Op::OpSelect), s, {c, x, y}); };
  const auto halfOfDifference = [&](bool isSigned) {
    return op(isSigned ? Op::OpShiftRightArithmetic : Op::OpShiftRightLogical, op(Op::OpBitwiseXor, a, b), constantU32(1));
  };
  // Saturates a signed `result` with the wrong sign. `wrong` has the sign bit set for those.
  const auto saturated = [&](Value result, Value wrong) {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): an operand has a type
    const Value most = constant((std::uint64_t{1} << (bits - 1)) - 1), least = constant(std::uint64_t{1} << (bits - 1));
    return pick(is(Op::OpSLessThan, wrong, constant(0)), pick(is(Op::OpSLessThan, a, constant(0)), least, most), result);
  };
  switch (code) {
    case Op::OpUCountLeadingZerosINTEL:  // of 0 the highest bit is -1
      return op(Op::OpISub, constant(bits - 1), make(ir::kGlsl + GLSLstd450FindUMsb, s, {a}));
    case Op::OpUCountTrailingZerosINTEL:
      return pick(is(Op::OpIEqual, a, constant(0)), constant(bits), make(ir::kGlsl + GLSLstd450FindILsb, s, {a}));
    case Op::OpAbsISubINTEL:
      return pick(is(Op::OpSLessThan, a, b), op(Op::OpISub, b, a), op(Op::OpISub, a, b));
    case Op::OpAbsUSubINTEL:
      return pick(is(Op::OpULessThan, a, b), op(Op::OpISub, b, a), op(Op::OpISub, a, b));
    case Op::OpIAddSatINTEL: {
      const Value sum = op(Op::OpIAdd, a, b);
      return saturated(sum, op(Op::OpBitwiseAnd, op(Op::OpBitwiseXor, a, sum), op(Op::OpBitwiseXor, b, sum)));
    }
    case Op::OpISubSatINTEL: {
      const Value rest = op(Op::OpISub, a, b);
      return saturated(rest, op(Op::OpBitwiseAnd, op(Op::OpBitwiseXor, a, b), op(Op::OpBitwiseXor, a, rest)));
    }
    case Op::OpUAddSatINTEL: {
      const Value sum = op(Op::OpIAdd, a, b);
      return pick(is(Op::OpULessThan, sum, a), constant(~std::uint64_t{0}), sum);
    }
    case Op::OpUSubSatINTEL:
      return pick(is(Op::OpULessThan, a, b), constant(0), op(Op::OpISub, a, b));
    case Op::OpIAverageINTEL:
    case Op::OpUAverageINTEL:
      return op(Op::OpIAdd, op(Op::OpBitwiseAnd, a, b), halfOfDifference(code == Op::OpIAverageINTEL));
    case Op::OpIAverageRoundedINTEL:
    case Op::OpUAverageRoundedINTEL:
      return op(Op::OpISub, op(Op::OpBitwiseOr, a, b), halfOfDifference(code == Op::OpIAverageRoundedINTEL));
    default: {  // OpIMul32x16INTEL, OpUMul32x16INTEL: the low 16 bits of the second operand
      const Op widen = code == Op::OpIMul32x16INTEL ? Op::OpSConvert : Op::OpUConvert;
      const Value low = make(ir::core(Op::OpUConvert), Scalar::kI16, {b});
      return op(Op::OpIMul, a, make(ir::core(widen), s, {low}));
    }
  }
}

}  // namespace lanewise
