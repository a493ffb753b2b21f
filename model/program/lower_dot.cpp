// Integer dot products: the products of the widened components are added modulo the result's width, and saturated if the instruction
// accumulates.
//
// Source: SPIR-V 1.6, 3.42.13, OpSDot .. OpSUDotAccSat. Sums are computed in 64 bits. If one overflows before the final accumulation, the
// specification leaves the result undefined.
#include "model/ir/operation_info.h"
#include "model/program/lower_arithmetic.h"

namespace lanewise {

// a + b in 64 bits, saturated.
Value ArithmeticLowering::addSaturating(Value a, Value b, bool isSigned) {
  using spv::Op;
  const auto op = [&](Op code, Value x, Value y) { return make(ir::core(code), Scalar::kI64, {x, y}); };
  const auto pick = [&](Value c, Value x, Value y) { return make(ir::core(Op::OpSelect), Scalar::kI64, {c, x, y}); };
  const auto below = [&](Value x, Value y, Op less) { return make(ir::core(less), Scalar::kBool, {x, y}); };
  const Value sum = op(Op::OpIAdd, a, b), zero = f_.constant(Scalar::kI64, 0);
  if (!isSigned) return pick(below(sum, a, Op::OpULessThan), f_.constant(Scalar::kI64, ~std::uint64_t{0}), sum);
  const Value overflow = op(Op::OpBitwiseAnd, op(Op::OpBitwiseXor, a, sum), op(Op::OpBitwiseXor, b, sum));  // in the sign bit
  const Value least = f_.constant(Scalar::kI64, std::uint64_t{1} << 63), most = f_.constant(Scalar::kI64, ~(std::uint64_t{1} << 63));
  return pick(below(overflow, zero, Op::OpSLessThan), pick(below(b, zero, Op::OpSLessThan), least, most), sum);
}

bool ArithmeticLowering::integerDot(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w) {
  using spv::Op;
  const std::optional<ir::DotForm>& form = ir::factsOf(op).dot;
  if (!form || w.size() < 2) return false;
  const auto [signedA, signedB, accumulates] = *form;
  const Type* type = typeOf(inst.type);
  const Scalar out = leafScalar(*type, 0);
  const auto extend = [&](Value v, bool isSigned) {
    return f_.nodes[v].type == Scalar::kI64 ? v : make(ir::core(isSigned ? Op::OpSConvert : Op::OpUConvert), Scalar::kI64, {v});
  };
  // The components of a vector, or of a 32-bit integer that holds four of 8 bits.
  const auto components = [&](std::uint32_t id, bool isSigned) {
    const Val& v = val(id);
    Values list;
    if (v.type->kind == Type::Kind::kVector)
      list = v.leaves;
    else
      for (std::uint32_t i = 0; i < 4; ++i) list.push_back(make(ir::kUnpack, Scalar::kI8, {leaf(v, 0), constantU32(i)}));
    for (Value& c : list) c = extend(c, isSigned);
    return list;
  };
  const Values a = components(w[0], signedA), b = components(w[1], signedB);
  if (a.size() != b.size()) {
    fail(Outcome::kBadInput, "a dot product of vectors of different sizes");
    return true;
  }
  Value sum = f_.constant(Scalar::kI64, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = make(ir::core(Op::OpIAdd), Scalar::kI64, {sum, make(ir::core(Op::OpIMul), Scalar::kI64, {a[i], b[i]})});
  if (accumulates && out == Scalar::kI64) {
    defineLeaves(inst, {addSaturating(sum, scalar(w[2]), signedA)});
    return true;
  }
  if (accumulates) {
    const Value accumulator = scalar(w[2]);
    sum = make(ir::core(Op::OpIAdd), Scalar::kI64, {sum, extend(accumulator, signedA)});
    const std::uint32_t bits = 8 * scalarBytes(out);
    const auto pick = [&](Op less, Value x, Value y) {
      return make(ir::core(Op::OpSelect), Scalar::kI64, {make(ir::core(less), Scalar::kBool, {x, y}), x, y});
    };
    if (signedA) {
      // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 8 to 32 bits
      sum = pick(Op::OpSLessThan, sum, f_.constant(Scalar::kI64, (std::uint64_t{1} << (bits - 1)) - 1));
      sum = pick(Op::OpSGreaterThan, sum, f_.constant(Scalar::kI64, ~std::uint64_t{0} << (bits - 1)));
    } else {
      // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 8 to 32 bits
      sum = pick(Op::OpULessThan, sum, f_.constant(Scalar::kI64, (std::uint64_t{1} << bits) - 1));
    }
  }
  defineLeaves(inst, {out == Scalar::kI64 ? sum : make(ir::core(Op::OpUConvert), out, {sum})});
  return true;
}

}  // namespace lanewise
