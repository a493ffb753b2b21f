#include "model/debug/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/debug/advice.h"
#include "model/ir/operation_info.h"
#include "model/operations/evaluate.h"

namespace lanewise::debug {
namespace {

using enum spv::Op;
using ir::Code;
using State = ScalarValue::State;

Error cannot(std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), "", std::move(hint)};
}

// A scalar type as the source has it.
struct NumberType {
  Scalar scalar = Scalar::kI32;
  bool isSigned = true;
};

// The code of an operation of either instruction set; none.
struct AnyCode {
  Code code = 0;
  constexpr AnyCode() = default;
  constexpr AnyCode(spv::Op op) : code(ir::codeOf(op)) {}
  constexpr AnyCode(GLSLstd450 number) : code(ir::codeOf(number)) {}
};

// What an operator or a function does besides its operation.
enum class Special : std::uint8_t {
  kNone,
  kShift,        // the second operand keeps its type
  kUnequal,      // true where one pair of components is
  kNot,          // of a boolean
  kIdentity,     // of numbers
  kPositiveToo,  // what is unsigned stays as it is
};

// An operator or a function, and the operation that it is, by the type that its operands are converted to.
struct Named {
  std::string_view name;
  AnyCode onFloats, onSigned, onUnsigned, onBooleans;
  Special special = Special::kNone;
};
constexpr Named kAdd{"+", OpFAdd, OpIAdd, OpIAdd, {}}, kMultiply{"*", OpFMul, OpIMul, OpIMul, {}};
constexpr Named kSquareRoot{"sqrt", GLSLstd450Sqrt, {}, {}, {}};

struct OperatorRow {
  Operator op;
  Named named;
};
constexpr OperatorRow kUnary[] = {{Operator::kAdd, {"+", {}, {}, {}, {}, Special::kIdentity}},
                                  {Operator::kSubtract, {"-", OpFNegate, OpSNegate, OpSNegate, {}}},
                                  {Operator::kComplement, {"~", {}, OpNot, OpNot, {}}},
                                  {Operator::kNot, {"!", {}, {}, {}, OpLogicalNot, Special::kNot}}};
constexpr OperatorRow kBinary[] = {
    {Operator::kAdd, kAdd},
    {Operator::kSubtract, {"-", OpFSub, OpISub, OpISub, {}}},
    {Operator::kMultiply, kMultiply},
    {Operator::kDivide, {"/", OpFDiv, OpSDiv, OpUDiv, {}}},
    {Operator::kRemainder, {"%", {}, OpSMod, OpUMod, {}}},
    {Operator::kAnd, {"&", {}, OpBitwiseAnd, OpBitwiseAnd, {}}},
    {Operator::kOr, {"|", {}, OpBitwiseOr, OpBitwiseOr, {}}},
    {Operator::kXor, {"^", {}, OpBitwiseXor, OpBitwiseXor, {}}},
    {Operator::kShiftLeft, {"<<", {}, OpShiftLeftLogical, OpShiftLeftLogical, {}, Special::kShift}},
    {Operator::kShiftRight, {">>", {}, OpShiftRightArithmetic, OpShiftRightLogical, {}, Special::kShift}},
    {Operator::kEqual, {"==", OpFOrdEqual, OpIEqual, OpIEqual, OpLogicalEqual}},
    {Operator::kUnequal, {"!=", OpFUnordNotEqual, OpINotEqual, OpINotEqual, OpLogicalNotEqual, Special::kUnequal}},
    {Operator::kLess, {"<", OpFOrdLessThan, OpSLessThan, OpULessThan, {}}},
    {Operator::kLessEqual, {"<=", OpFOrdLessThanEqual, OpSLessThanEqual, OpULessThanEqual, {}}},
    {Operator::kGreater, {">", OpFOrdGreaterThan, OpSGreaterThan, OpUGreaterThan, {}}},
    {Operator::kGreaterEqual, {">=", OpFOrdGreaterThanEqual, OpSGreaterThanEqual, OpUGreaterThanEqual, {}}},
};
// Those of floats alone take integers as floats.
constexpr Named kOfOne[] = {
    {"floor", GLSLstd450Floor, {}, {}, {}},
    {"ceil", GLSLstd450Ceil, {}, {}, {}},
    {"trunc", GLSLstd450Trunc, {}, {}, {}},
    {"round", GLSLstd450Round, {}, {}, {}},
    {"fract", GLSLstd450Fract, {}, {}, {}},
    kSquareRoot,
    {"isnan", OpIsNan, {}, {}, {}},
    {"isinf", OpIsInf, {}, {}, {}},
    {"abs", GLSLstd450FAbs, GLSLstd450SAbs, {}, {}, Special::kPositiveToo},
};
constexpr Named kOfTwo[] = {{"min", GLSLstd450FMin, GLSLstd450SMin, GLSLstd450UMin, {}},
                            {"max", GLSLstd450FMax, GLSLstd450SMax, GLSLstd450UMax, {}},
                            {"mod", OpFMod, {}, {}, {}}};
constexpr Named kOfThree[] = {{"clamp", GLSLstd450FClamp, GLSLstd450SClamp, GLSLstd450UClamp, {}}};

// Whether all of several truths must hold, or one.
struct Fold {
  std::string_view name;
  bool isAll;
};
constexpr Fold kBoth{"&&", true}, kEither{"||", false}, kFolds[] = {{"all", true}, {"any", false}};
// Of several operations: Arithmetic::ofVectors.
constexpr std::string_view kDot = "dot", kLength = "length";

// By the number of operands.
constexpr std::span<const Named> kFunctions[] = {kOfOne, kOfTwo, kOfThree};
constexpr std::size_t kMostOperands = std::size(kFunctions);

template <std::size_t kCount>
const Named& rowOf(const OperatorRow (&all)[kCount], Operator op) {
  return std::ranges::find(all, op, &OperatorRow::op)->named;
}

template <class Row, std::size_t kExtent>
const Row* named(std::span<const Row, kExtent> all, std::string_view name) {
  const auto it = std::ranges::find(all, name, &Row::name);
  return it == all.end() ? nullptr : &*it;
}

Code codeFor(const Named& n, Scalar type, bool isSigned) {
  if (isFloat(type)) return n.onFloats.code;
  if (type == Scalar::kBool) return n.onBooleans.code;
  return isSigned ? n.onSigned.code : n.onUnsigned.code;
}

ScalarValue known(Scalar type, bool isSigned, std::uint64_t bits) {
  return {State::kKnown, type, isSigned, isWide(type) ? bits : bits & 0xffffffff};
}
ScalarValue boolean(bool value) {
  return known(Scalar::kBool, false, value);
}
ScalarValue unknown(Scalar type, bool isSigned, State state) {
  return {state, type, isSigned, 0};
}

// True or false if the known components decide it, else unknown.
ScalarValue folded(const Tuple& t, bool isAll) {
  std::optional<State> open;
  for (const ScalarValue& v : t.parts) {
    if (v.state == State::kKnown && (v.bits != 0) != isAll) return boolean(!isAll);
    if (v.state != State::kKnown) open = v.state;
  }
  return open ? unknown(Scalar::kBool, false, *open) : boolean(isAll);
}

// "float", "ivec3", "uint2", "float4": the type of a component, and how many there are.
std::optional<std::pair<NumberType, std::size_t>> castByName(std::string_view name) {
  struct Word {
    std::string_view scalar, vector;
    NumberType type;
  };
  constexpr Word kWords[] = {{"float", "vec", {Scalar::kF32, true}},       {"int", "ivec", {Scalar::kI32, true}},
                             {"uint", "uvec", {Scalar::kI32, false}},      {"bool", "bvec", {Scalar::kBool, false}},
                             {"double", "dvec", {Scalar::kF64, true}},     {"int64_t", "i64vec", {Scalar::kI64, true}},
                             {"uint64_t", "u64vec", {Scalar::kI64, false}}};
  for (const Word& w : kWords) {
    if (name == w.scalar) return std::pair(w.type, std::size_t{1});
    for (const std::string_view before : {w.vector, w.scalar})
      if (name.size() == before.size() + 1 && name.starts_with(before) && name.back() >= '2' && name.back() <= '4')
        return std::pair(w.type, static_cast<std::size_t>(name.back() - '0'));
  }
  return {};
}

struct BitCast {
  std::string_view name;
  Scalar from;
  NumberType to;
};
constexpr BitCast kBitCasts[] = {
    {"floatBitsToInt", Scalar::kF32, {Scalar::kI32, true}}, {"floatBitsToUint", Scalar::kF32, {Scalar::kI32, false}},
    {"intBitsToFloat", Scalar::kI32, {Scalar::kF32, true}}, {"uintBitsToFloat", Scalar::kI32, {Scalar::kF32, true}},
    {"asint", Scalar::kF32, {Scalar::kI32, true}},          {"asint", Scalar::kI32, {Scalar::kI32, true}},
    {"asuint", Scalar::kF32, {Scalar::kI32, false}},        {"asuint", Scalar::kI32, {Scalar::kI32, false}},
    {"asfloat", Scalar::kI32, {Scalar::kF32, true}},        {"asfloat", Scalar::kF32, {Scalar::kF32, true}}};

class Arithmetic {
 public:
  explicit Arithmetic(const OpRows& rows) : rows_(rows) {}
  Expected<Tuple> unary(Operator op, const Tuple& a) const;
  Expected<Tuple> binary(Operator op, const Tuple& a, const Tuple& b) const;
  Expected<Tuple> call(const std::string& function, std::span<const Tuple> arguments) const;

 private:
  Expected<ScalarValue> compute(std::string_view name, Code code, NumberType result, std::span<const ScalarValue> operands) const;
  Expected<ScalarValue> convert(const ScalarValue& v, NumberType to) const;
  Expected<Tuple> convert(const Tuple& t, NumberType to) const;
  Expected<Tuple> componentwise(std::string_view name, Code code, NumberType result, std::span<const Tuple> operands) const;
  Expected<Tuple> apply(const Named& n, std::span<const Tuple> operands) const;
  Expected<Tuple> comparison(const Named& n, std::span<const Tuple> operands) const;
  Expected<Tuple> logic(const Fold& op, const Tuple& a, const Tuple& b) const;
  Expected<Tuple> cast(const std::string& name, NumberType to, std::size_t count, std::span<const Tuple> arguments) const;
  Expected<Tuple> dot(const Tuple& a, const Tuple& b) const;
  std::optional<Expected<Tuple>> ofVectors(std::string_view function, std::span<const Tuple> arguments) const;

  const OpRows& rows_;
};

// The type that operands are converted to.
NumberType commonOf(std::span<const Tuple> operands) {
  const auto any = [&](Scalar type) { return std::ranges::any_of(operands, [&](const Tuple& t) { return t.type == type; }); };
  if (any(Scalar::kF64)) return {Scalar::kF64, true};
  if (any(Scalar::kF32)) return {Scalar::kF32, true};
  if (std::ranges::all_of(operands, [](const Tuple& t) { return t.type == Scalar::kBool; })) return {Scalar::kBool, false};
  return {any(Scalar::kI64) ? Scalar::kI64 : Scalar::kI32, std::ranges::all_of(operands, &Tuple::isSigned)};
}

Expected<ScalarValue> Arithmetic::compute(std::string_view name, Code code, NumberType result,
                                          std::span<const ScalarValue> operands) const {
  std::array<Scalar, kMostOperands> typesOf;
  std::array<std::uint64_t, kMostOperands> bitsOf;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ScalarValue& v = operands[i];
    if (v.state != State::kKnown) return unknown(result.scalar, result.isSigned, v.state);
    typesOf[i] = v.type;
    bitsOf[i] = v.bits;
  }
  const auto types = std::span(typesOf).first(operands.size());
  const auto bits = std::span(bitsOf).first(operands.size());
  // 0 / 0 is a NaN here: some modules ask for NaNs, and a condition may look for one.
  if (code != ir::codeOf(OpFDiv) && !ir::definedFor(code, result.scalar, types, bits))
    return cannot(fmt::format("'{}' is {}", name, ir::undefinedText(ir::definednessOf(code))));
  const std::optional<std::uint64_t> value = evaluate(rows_, code, result.scalar, types, bits);
  if (!value) return cannot(fmt::format("'{}' does not take operands of this type", name));
  return known(result.scalar, result.isSigned, result.scalar == Scalar::kBool ? *value != 0 : *value);
}

Expected<ScalarValue> Arithmetic::convert(const ScalarValue& v, NumberType to) const {
  const auto by = [&](Code code) { return compute("conversion", code, to, std::span(&v, 1)); };
  if (v.state != State::kKnown) return unknown(to.scalar, to.isSigned, v.state);
  if (v.type == to.scalar) return known(to.scalar, to.isSigned, v.bits);
  if (to.scalar == Scalar::kBool) {
    const ScalarValue both[] = {v, known(v.type, v.isSigned, 0)};
    return compute("conversion", ir::codeOf(isFloat(v.type) ? OpFUnordNotEqual : OpINotEqual), to, both);
  }
  if (v.type == Scalar::kBool) return convert(known(Scalar::kI32, false, v.bits), to);
  if (isFloat(v.type) && isFloat(to.scalar)) return by(ir::codeOf(OpFConvert));
  if (isFloat(v.type)) return by(ir::codeOf(to.isSigned ? OpConvertFToS : OpConvertFToU));
  if (isFloat(to.scalar)) return by(ir::codeOf(v.isSigned ? OpConvertSToF : OpConvertUToF));
  return by(ir::codeOf(v.isSigned ? OpSConvert : OpUConvert));
}

Expected<Tuple> Arithmetic::convert(const Tuple& t, NumberType to) const {
  Tuple out{to.scalar, to.isSigned, {}};
  for (const ScalarValue& v : t.parts) {
    const Expected<ScalarValue> part = convert(v, to);
    if (!part) return part.error();
    out.parts.push_back(*part);
  }
  return out;
}

// A scalar goes with each component of a vector.
Expected<Tuple> Arithmetic::componentwise(std::string_view name, Code code, NumberType result, std::span<const Tuple> operands) const {
  const Tuple& longest = *std::ranges::max_element(operands, {}, [](const Tuple& t) { return t.parts.size(); });
  Tuple out{result.scalar, result.isSigned, {}};
  for (std::size_t i = 0; i < longest.parts.size(); ++i) {
    std::array<ScalarValue, kMostOperands> each;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const Tuple& t = operands[k];
      if (t.isVector() && t.parts.size() != longest.parts.size())
        return cannot(fmt::format("a vector of {} and one of {} do not go together", operands[0].parts.size(), operands[1].parts.size()));
      each[k] = t.parts[t.isVector() ? i : 0];
    }
    const Expected<ScalarValue> v = compute(name, code, result, std::span(each).first(operands.size()));
    if (!v) return v.error();
    out.parts.push_back(*v);
  }
  return out;
}

Expected<Tuple> Arithmetic::apply(const Named& n, std::span<const Tuple> operands) const {
  const bool shifts = n.special == Special::kShift, onlyFloats = n.onSigned.code == 0 && n.onFloats.code != 0;
  NumberType kind = shifts ? NumberType{operands[0].type, operands[0].isSigned} : commonOf(operands);
  if (n.onBooleans.code == 0 && std::ranges::any_of(operands, [](const Tuple& t) { return t.type == Scalar::kBool; }))
    return cannot(fmt::format("'{}' asks for numbers, not booleans", n.name));
  if (onlyFloats && !isFloat(kind.scalar)) kind = {Scalar::kF32, true};
  const Code code = codeFor(n, kind.scalar, kind.isSigned);
  if (code == 0 || (shifts && isFloat(operands[1].type))) return cannot(fmt::format("'{}' asks for integers", n.name));
  std::vector<Tuple> converted;
  for (const Tuple& t : operands) {
    Expected<Tuple> each = shifts && !converted.empty() ? t : convert(t, kind);
    if (!each) return each.error();
    converted.push_back(std::move(*each));
  }
  const bool isTruth = ir::operationInfo(code)->common.result.scalar == Scalar::kBool;
  return componentwise(n.name, code, isTruth ? NumberType{Scalar::kBool, false} : kind, converted);
}

// For vectors, == and != compare all components and give one boolean.
Expected<Tuple> Arithmetic::comparison(const Named& n, std::span<const Tuple> operands) const {
  const bool isEquality = n.onBooleans.code != 0;
  if (!isEquality && (operands[0].isVector() || operands[1].isVector()))
    return cannot(fmt::format("'{}' compares numbers, not vectors", n.name), "name a component");
  if (operands[0].isVector() != operands[1].isVector()) return cannot("a vector and a number are never equal", "name a component");
  const Expected<Tuple> each = apply(n, operands);
  if (!each) return each.error();
  return Tuple{Scalar::kBool, false, {folded(*each, n.special != Special::kUnequal)}};
}

Expected<Tuple> Arithmetic::logic(const Fold& op, const Tuple& a, const Tuple& b) const {
  if (a.isVector() || b.isVector())
    return cannot(fmt::format("'{}' asks for two booleans", op.name), "all() and any() make one of a vector");
  const Expected<Tuple> both = convert(Tuple{a.type, a.isSigned, {a.parts[0], b.parts[0]}}, {Scalar::kBool, false});
  if (!both) return both.error();
  return Tuple{Scalar::kBool, false, {folded(*both, op.isAll)}};
}

Expected<Tuple> Arithmetic::cast(const std::string& name, NumberType to, std::size_t count, std::span<const Tuple> arguments) const {
  Tuple out{to.scalar, to.isSigned, {}};
  for (const Tuple& a : arguments) {
    const Expected<Tuple> converted = convert(a, to);
    if (!converted) return converted.error();
    out.parts.insert(out.parts.end(), converted->parts.begin(), converted->parts.end());
  }
  if (out.parts.size() == 1) out.parts.resize(count, out.parts[0]);
  if (out.parts.size() < count || (arguments.size() > 1 && out.parts.size() > count))
    return cannot(fmt::format("{} asks for {} components, and {} are given", name, count, out.parts.size()));
  out.parts.resize(count);
  return out;
}

// As lowering writes it out.
Expected<Tuple> Arithmetic::dot(const Tuple& a, const Tuple& b) const {
  const Tuple both[] = {a, b};
  const Expected<Tuple> products = apply(kMultiply, both);
  if (!products) return products.error();
  Tuple sum{products->type, products->isSigned, {products->parts[0]}};
  for (std::size_t i = 1; i < products->parts.size(); ++i) {
    const Tuple two[] = {sum, {sum.type, sum.isSigned, {products->parts[i]}}};
    const Expected<Tuple> next = apply(kAdd, two);
    if (!next) return next.error();
    sum = *next;
  }
  return sum;
}

std::optional<Expected<Tuple>> Arithmetic::ofVectors(std::string_view f, std::span<const Tuple> a) const {
  const Fold* fold = named(std::span(kFolds), f);
  if (fold && a.size() == 1) {
    const Expected<Tuple> truths = convert(a[0], {Scalar::kBool, false});
    return truths ? Tuple{Scalar::kBool, false, {folded(*truths, fold->isAll)}} : truths;
  }
  if (f == kDot && a.size() == 2) return dot(a[0], a[1]);
  if (f != kLength || a.size() != 1) return {};
  const Expected<Tuple> square = dot(a[0], a[0]);
  return square ? apply(kSquareRoot, std::span(&*square, 1)) : square;
}

Expected<Tuple> Arithmetic::unary(Operator op, const Tuple& a) const {
  const Named& n = rowOf(kUnary, op);
  if (n.special == Special::kIdentity)
    return a.type == Scalar::kBool ? Expected<Tuple>(cannot(fmt::format("'{}' asks for numbers, not booleans", n.name))) : a;
  if (n.special != Special::kNot) return apply(n, std::span(&a, 1));
  if (a.isVector()) return cannot(fmt::format("'{}' asks for a boolean", n.name));
  const Expected<Tuple> truth = convert(a, {Scalar::kBool, false});
  return truth ? apply(n, std::span(&*truth, 1)) : truth;
}

Expected<Tuple> Arithmetic::binary(Operator op, const Tuple& a, const Tuple& b) const {
  if (op == Operator::kBoth || op == Operator::kEither) return logic(op == Operator::kBoth ? kBoth : kEither, a, b);
  const Named& n = rowOf(kBinary, op);
  const Tuple both[] = {a, b};
  const bool compares = ir::operationInfo(n.onSigned.code)->common.result.scalar == Scalar::kBool;
  return compares ? comparison(n, both) : apply(n, both);
}

Expected<Tuple> Arithmetic::call(const std::string& f, std::span<const Tuple> a) const {
  if (const auto to = castByName(f)) return cast(f, to->first, to->second, a);
  if (a.size() == 1) {
    for (const BitCast& b : kBitCasts)
      if (f == b.name && a[0].type == b.from) return componentwise(f, ir::codeOf(OpBitcast), b.to, a);
  }
  if (const std::optional<Expected<Tuple>> value = ofVectors(f, a)) return *value;
  if (!a.empty() && a.size() <= std::size(kFunctions))
    if (const Named* n = named(kFunctions[a.size() - 1], f)) {
      const bool isUnsigned = (a[0].type == Scalar::kI32 || a[0].type == Scalar::kI64) && !a[0].isSigned;
      return n->special == Special::kPositiveToo && isUnsigned ? a[0] : apply(*n, a);
    }
  return cannot(fmt::format("there is no function '{}' of {} such argument{}", f, a.size(), a.size() == 1 ? "" : "s"),
                textOf(Advice::kFunctions));
}

}  // namespace

std::int64_t asInteger(const ScalarValue& v) {
  if (isWide(v.type)) return static_cast<std::int64_t>(v.bits);
  return v.isSigned ? static_cast<std::int32_t>(v.bits) : static_cast<std::int64_t>(v.bits & 0xffffffff);
}

std::vector<std::string_view> functionNames() {
  std::vector<std::string_view> out;
  for (const std::span<const Named> all : kFunctions)
    for (const Named& n : all) out.push_back(n.name);
  for (const BitCast& b : kBitCasts)
    if (out.back() != b.name) out.push_back(b.name);
  for (const std::string_view name : {kDot, kLength, kFolds[0].name, kFolds[1].name, kTranspose}) out.push_back(name);
  return out;
}

Expected<Tuple> unary(const OpRows& rows, Operator op, const Tuple& a) {
  return Arithmetic(rows).unary(op, a);
}
Expected<Tuple> binary(const OpRows& rows, Operator op, const Tuple& a, const Tuple& b) {
  return Arithmetic(rows).binary(op, a, b);
}
Expected<Tuple> call(const OpRows& rows, const std::string& function, std::span<const Tuple> arguments) {
  return Arithmetic(rows).call(function, arguments);
}

std::string typeName(const Tuple& t) {
  struct Word {
    const char *scalar, *vector;
  };
  const Word w = t.type == Scalar::kBool                ? Word{"bool", "bvec"}
                 : t.type == Scalar::kF32               ? Word{"float", "vec"}
                 : t.type == Scalar::kF64               ? Word{"double", "dvec"}
                 : t.type == Scalar::kI64 && t.isSigned ? Word{"int64_t", "i64vec"}
                 : t.type == Scalar::kI64               ? Word{"uint64_t", "u64vec"}
                 : t.isSigned                           ? Word{"int", "ivec"}
                                                        : Word{"uint", "uvec"};
  if (t.columns != 0) {
    const std::size_t rows = t.parts.size() / t.columns;
    return fmt::format("{}mat{}{}", t.type == Scalar::kF64 ? "d" : "", t.columns, rows == t.columns ? "" : fmt::format("x{}", rows));
  }
  return t.isVector() ? fmt::format("{}{}", w.vector, t.parts.size()) : w.scalar;
}

}  // namespace lanewise::debug
