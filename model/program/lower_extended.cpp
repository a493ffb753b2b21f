// Extended instructions: GLSL.std.450. An instruction on each component alone becomes one operation per component, with the code ir::kGlsl
// + its number. The geometric ones become the formulas from which they inherit their precision (spirvenv, "Precision of GLSL.std.450").
#include <spirv/unified1/GLSL.std.450.h>

#include <fmt/format.h>

#include "model/ir/operation_info.h"
#include "model/program/lower_arithmetic.h"

namespace lanewise {

void ArithmeticLowering::extended(const Inst& inst) {
  const spirv::InstructionSet set = m_.setOf(inst);
  if (isNonSemantic(set)) return;
  if (set == spirv::InstructionSet::kGlsl) return glsl(inst, inst.operand(1), inst.operands.subspan(2));
  if (set == spirv::InstructionSet::kDebugPrintf) return print(inst.operands.subspan(2));
  if (!amd(inst, set, inst.operand(1), inst.operands.subspan(2)))
    unsupported("the extended instruction set " + spirv::literalString(m_.definition(inst.operand(0))->operands));
}

void ArithmeticLowering::print(std::span<const std::uint32_t> w) {
  ir::Print p;
  Values args;
  p.format = m_.string(w.empty() ? 0 : w[0]);
  for (std::uint32_t id : w.subspan(w.empty() ? 0 : 1)) {
    const Values leaves = leavesOf(val(id));
    if (leaves.empty()) continue;
    p.arguments.push_back({f_.nodes[leaves[0]].type, static_cast<std::uint32_t>(leaves.size())});
    args.append(leaves);
  }
  f_.prints.push_back(std::move(p));
  effect(ir::kPrint, Scalar::kNone, args, kind::Print{static_cast<std::uint32_t>(f_.prints.size() - 1)});
}

namespace {

// How DebugPrintf writes a value of this type.
std::string messageFormat(const Type& type) {
  if (type.kind == Type::Kind::kScalar) return isFloat(type.scalar) ? "%g" : type.isSigned || type.scalar == Scalar::kBool ? "%d" : "%u";
  std::string parts;
  for (std::uint32_t i = 0; i < type.constituents(); ++i) parts += (parts.empty() ? "" : ", ") + messageFormat(*type.constituent(i));
  return type.kind == Type::Kind::kVector ? "(" + parts + ")" : "{" + parts + "}";
}

}  // namespace

// The message is printed, and then the run ends.
void ArithmeticLowering::abort(const Inst& inst) {
  constexpr std::uint32_t kMostScalars = 256;
  const Val& message = val(inst.operand(1));
  ir::Print p;
  Values args;
  if (message.type->leaves <= kMostScalars) {
    args = leavesOf(message);
    p.format = "OpAbortKHR " + messageFormat(*message.type);
    for (const Value leaf : args) p.arguments.push_back({f_.nodes[leaf].type, 1});
  } else {
    p.format = "OpAbortKHR, whose message is too long";
  }
  f_.prints.push_back(std::move(p));
  effect(ir::kPrint, Scalar::kNone, args, kind::Print{static_cast<std::uint32_t>(f_.prints.size() - 1)});
  effect(ir::kTrapUnreachable, Scalar::kNone, {});
}

void ArithmeticLowering::glsl(const Inst& inst, std::uint32_t number, std::span<const std::uint32_t> w) {
  if (glslVector(inst, number, w)) return;
  const Type* type = typeOf(inst.type);
  const ir::OperationInfo* row = ir::operationInfo(ir::kGlsl + number);
  Values leaves;
  for (std::uint32_t l = 0; l < type->leaves; ++l)
    leaves.push_back(make(ir::kGlsl + number, leafScalar(*type, l), componentsOf(w, l, row ? row->common : ir::Signature{})));
  defineLeaves(inst, std::move(leaves));
}

// The fraction and whole part, or the significand and exponent. They are returned as a structure, or the second through a pointer.
Values ArithmeticLowering::twoParts(std::uint32_t number, const Type* type, const std::vector<Val>& args,
                                    std::span<const std::uint32_t> w) {
  using spv::Op;
  Values leaves;
  const bool modf = number == GLSLstd450Modf || number == GLSLstd450ModfStruct;
  const bool pointer = number == GLSLstd450Modf || number == GLSLstd450Frexp;
  const ir::Code first = ir::kGlsl + (modf ? GLSLstd450Modf : GLSLstd450Frexp);               // fraction, or significand
  const ir::Code second = ir::kGlsl + (modf ? GLSLstd450ModfStruct : GLSLstd450FrexpStruct);  // whole part, or exponent
  const std::uint32_t n = static_cast<std::uint32_t>(args[0].leaves.size());
  const std::optional<Pointer> target = pointer ? pointerOf(w[1]) : std::nullopt;
  const Type* secondType = target ? target->pointee : pointer ? type : type->members[1].type;
  Values others;
  for (Value v : args[0].leaves) {
    leaves.push_back(make(first, leafScalar(*args[0].type, 0), {v}));
    const Scalar out = leafScalar(*secondType, 0);
    const Value other = make(second, modf ? out : Scalar::kI32, {v});
    others.push_back(modf || out == Scalar::kI32 ? other : make(ir::core(Op::OpSConvert), out, {other}));
  }
  if (target)
    store(*target, others);
  else if (pointer)
    unsupported("a store through this pointer");
  else
    leaves.append(std::span(others).first(n));
  return leaves;
}

// Geometric functions; empty if it is another instruction.
Values ArithmeticLowering::geometric(std::uint32_t number, const std::vector<Val>& args, Scalar s) {
  using spv::Op;
  Values leaves;
  const auto op = [&](Op code, Value a, Value b) { return make(ir::core(code), s, {a, b}); };
  const auto root = [&](Value v) { return make(ir::kGlsl + GLSLstd450Sqrt, s, {v}); };
  switch (number) {
    case GLSLstd450Length:
      leaves = {root(dot(args[0].leaves, args[0].leaves, s))};
      break;
    case GLSLstd450Distance: {
      Values d;
      for (std::uint32_t i = 0; i < args[0].leaves.size(); ++i) d.push_back(op(Op::OpFSub, args[0].leaves[i], args[1].leaves[i]));
      leaves = {root(dot(d, d, s))};
      break;
    }
    case GLSLstd450Normalize: {
      const Value length = root(dot(args[0].leaves, args[0].leaves, s));
      for (Value v : args[0].leaves) leaves.push_back(op(Op::OpFDiv, v, length));
      break;
    }
    case GLSLstd450Cross: {
      const auto &a = args[0].leaves, &b = args[1].leaves;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        leaves.push_back(op(Op::OpFSub, op(Op::OpFMul, a[j], b[k]), op(Op::OpFMul, a[k], b[j])));
      }
      break;
    }
    case GLSLstd450FaceForward: {
      const Value below = make(ir::core(Op::OpFOrdLessThan), Scalar::kBool, {dot(args[2].leaves, args[1].leaves, s), f_.constant(s, 0)});
      for (Value v : args[0].leaves) leaves.push_back(make(ir::core(Op::OpSelect), s, {below, v, make(ir::core(Op::OpFNegate), s, {v})}));
      break;
    }
    case GLSLstd450Reflect: {
      const Value two = make(ir::core(Op::OpConvertSToF), s, {constantU32(2)});
      const Value d = op(Op::OpFMul, two, dot(args[1].leaves, args[0].leaves, s));
      for (std::size_t i = 0; i < args[0].leaves.size(); ++i)
        leaves.push_back(op(Op::OpFSub, args[0].leaves[i], op(Op::OpFMul, d, args[1].leaves[i])));
      break;
    }
    case GLSLstd450Refract: {
      const auto &i = args[0].leaves, &n = args[1].leaves;
      const Value eta = make(ir::core(Op::OpFConvert), s, {args[2].leaves[0]});
      const Value one = make(ir::core(Op::OpConvertSToF), s, {constantU32(1)});
      const Value d = dot(n, i, s);
      const Value k = op(Op::OpFSub, one, op(Op::OpFMul, op(Op::OpFMul, eta, eta), op(Op::OpFSub, one, op(Op::OpFMul, d, d))));
      const Value scale = op(Op::OpFAdd, op(Op::OpFMul, eta, d), root(k));
      const Value none = make(ir::core(Op::OpFOrdLessThan), Scalar::kBool, {k, f_.constant(s, 0)});
      for (std::size_t c = 0; c < i.size(); ++c)
        leaves.push_back(make(ir::core(Op::OpSelect), s,
                              {none, f_.constant(s, 0), op(Op::OpFSub, op(Op::OpFMul, eta, i[c]), op(Op::OpFMul, scale, n[c]))}));
      break;
    }
    default:
      break;
  }
  return leaves;
}

bool ArithmeticLowering::glslVector(const Inst& inst, std::uint32_t number, std::span<const std::uint32_t> w) {
  const Type* type = typeOf(inst.type);
  const Scalar s = leafScalar(*type, 0);
  std::vector<Val> args;
  for (std::uint32_t id : w) args.push_back(val(id));
  Values leaves;
  switch (number) {
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
      return matrixInverse(inst, number == GLSLstd450Determinant, args[0]);
    case GLSLstd450Modf:
    case GLSLstd450Frexp:
    case GLSLstd450ModfStruct:
    case GLSLstd450FrexpStruct:
      leaves = twoParts(number, type, args, w);
      break;
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450PackDouble2x32:
      leaves = {make(ir::kGlsl + number, s, args[0].leaves)};
      break;
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450UnpackDouble2x32:
      for (std::uint32_t l = 0; l < type->leaves; ++l) leaves.push_back(make(ir::kGlsl + number, s, {args[0].leaves[0], constantU32(l)}));
      break;
    default:
      leaves = geometric(number, args, s);
      if (leaves.empty()) return false;
      break;
  }
  defineLeaves(inst, std::move(leaves));
  return true;
}

// Laplace expansion: det(M) along the first row, and the adjugate over the determinant. Halves are computed as doubles and rounded once,
// because products of four halves have 44 bits.
bool ArithmeticLowering::matrixInverse(const Inst& inst, bool determinantOnly, const Val& m) {
  using spv::Op;
  const std::uint32_t n = m.type->count;
  const Scalar given = leafScalar(*m.type, 0), s = given == Scalar::kF16 ? Scalar::kF64 : given;
  const auto convert = [&](Value v, Scalar to) { return s == given ? v : make(ir::core(Op::OpFConvert), to, {v}); };
  const auto op = [&](Op code, Value a, Value b) { return make(ir::core(code), s, {a, b}); };
  Values elements;
  for (Value v : m.leaves) elements.push_back(convert(v, s));
  const std::function<Value(const Values&, std::uint32_t)> determinant = [&](const Values& a, std::uint32_t size) {
    if (size == 1) return a[0];
    Value sum = ir::kNoValue;
    for (std::uint32_t c = 0; c < size; ++c) {
      Values minor;
      for (std::uint32_t k = 0; k < size; ++k)
        for (std::uint32_t r = 1; r < size; ++r)
          if (k != c) minor.push_back(a[k * size + r]);
      const Value term = op(Op::OpFMul, a[c * size], determinant(minor, size - 1));
      sum = c == 0 ? term : op(c % 2 ? Op::OpFSub : Op::OpFAdd, sum, term);
    }
    return sum;
  };
  const Value det = determinant(elements, n);
  if (determinantOnly) {
    defineLeaves(inst, {convert(det, given)});
    return true;
  }
  Values leaves = m.leaves;  // each is replaced below
  for (std::uint32_t c = 0; c < n; ++c)
    for (std::uint32_t r = 0; r < n; ++r) {
      Values minor;
      for (std::uint32_t k = 0; k < n; ++k)
        for (std::uint32_t q = 0; q < n; ++q)
          if (k != c && q != r) minor.push_back(elements[k * n + q]);
      const Value cofactor = determinant(minor, n - 1);
      const Value signedCofactor = (r + c) % 2 ? make(ir::core(Op::OpFNegate), s, {cofactor}) : cofactor;
      leaves[r * n + c] = convert(make(ir::kOverDeterminant, s, {signedCofactor, det}), given);  // transposed
    }
  defineLeaves(inst, std::move(leaves));
  return true;
}

}  // namespace lanewise
