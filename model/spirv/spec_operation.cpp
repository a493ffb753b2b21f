#include "model/spirv/spec_operation.h"

#include "model/scalar/half.h"
#include "model/scalar/integer.h"
#include "model/scalar/logic.h"
#include "model/scalar/round.h"

namespace lanewise::spirv {
namespace {

using spv::Op;

// How many operands an operation takes; 0 for one that is not here.
std::size_t arity(Op op) {
  switch (op) {
    case Op::OpSNegate:
    case Op::OpNot:
    case Op::OpLogicalNot:
    case Op::OpUConvert:
    case Op::OpSConvert:
    case Op::OpFConvert:
    case Op::OpQuantizeToF16:
      return 1;
    case Op::OpSelect:
      return 3;
    default:
      return 2;
  }
}

template <class S>
bool isDefined(Op op, std::uint64_t left, std::uint64_t right) {
  const auto a = static_cast<S>(left), b = static_cast<S>(right);
  switch (op) {
    case Op::OpUDiv:
    case Op::OpUMod:
      return scalar::isUnsignedDivisionDefined(right);
    case Op::OpSDiv:
      return scalar::isSignedDivisionDefined(a, b, scalar::kWidth<S>);
    case Op::OpSRem:
    case Op::OpSMod:
      return scalar::isSignedModuloDefined(a, b);
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
      return scalar::isShiftDefined(right, scalar::kWidth<S>);
    default:
      return true;
  }
}

// On integers of one width, read as signed (S) or unsigned numbers.
template <class S>
std::optional<std::uint64_t> arithmetic(Op op, std::span<const std::uint64_t> args) {
  using U = std::make_unsigned_t<S>;
  const auto bits = [](auto value) { return std::optional(static_cast<std::uint64_t>(static_cast<U>(value))); };
  const auto a = static_cast<U>(args[0]), b = static_cast<U>(args.size() > 1 ? args[1] : 0);
  switch (op) {
    case Op::OpSNegate:
      return bits(scalar::sNegate(a));
    case Op::OpNot:
      return bits(scalar::bitwiseNot(a));
    case Op::OpIAdd:
      return bits(scalar::iAdd(a, b));
    case Op::OpISub:
      return bits(scalar::iSub(a, b));
    case Op::OpIMul:
      return bits(scalar::iMul(a, b));
    case Op::OpUDiv:
      return bits(scalar::uDiv(a, b));
    case Op::OpSDiv:
      return bits(scalar::sDiv(a, b));
    case Op::OpUMod:
      return bits(scalar::uMod(a, b));
    case Op::OpSRem:
      return bits(scalar::sRem(a, b));
    case Op::OpSMod:
      return bits(scalar::sMod(a, b));
    case Op::OpShiftLeftLogical:  // the amount has a width of its own
      return bits(scalar::shiftLeftLogical(a, args[1]));
    case Op::OpShiftRightLogical:
      return bits(scalar::shiftRightLogical(a, args[1]));
    case Op::OpShiftRightArithmetic:
      return bits(scalar::shiftRightArithmetic(a, args[1]));
    case Op::OpBitwiseAnd:
      return bits(scalar::bitwiseAnd(a, b));
    case Op::OpBitwiseOr:
      return bits(scalar::bitwiseOr(a, b));
    case Op::OpBitwiseXor:
      return bits(scalar::bitwiseXor(a, b));
    case Op::OpUConvert:  // to the widest; the caller narrows it
      return scalar::convertInteger<std::uint64_t>(a);
    case Op::OpSConvert:
      return scalar::convertInteger<std::uint64_t>(static_cast<S>(a));
    default:
      return {};
  }
}

template <class S>
std::optional<std::uint64_t> comparison(Op op, std::uint64_t left, std::uint64_t right) {
  using U = std::make_unsigned_t<S>;
  const auto a = static_cast<U>(left), b = static_cast<U>(right);
  const auto sa = static_cast<S>(a), sb = static_cast<S>(b);
  switch (op) {
    case Op::OpIEqual:
      return scalar::equal(a, b);
    case Op::OpINotEqual:
      return scalar::notEqual(a, b);
    case Op::OpULessThan:
      return scalar::lessThan(a, b);
    case Op::OpULessThanEqual:
      return scalar::lessThanEqual(a, b);
    case Op::OpUGreaterThan:
      return scalar::greaterThan(a, b);
    case Op::OpUGreaterThanEqual:
      return scalar::greaterThanEqual(a, b);
    case Op::OpSLessThan:
      return scalar::lessThan(sa, sb);
    case Op::OpSLessThanEqual:
      return scalar::lessThanEqual(sa, sb);
    case Op::OpSGreaterThan:
      return scalar::greaterThan(sa, sb);
    case Op::OpSGreaterThanEqual:
      return scalar::greaterThanEqual(sa, sb);
    default:
      return {};
  }
}

template <class S>
std::optional<std::uint64_t> onIntegers(Op op, Scalar result, std::span<const std::uint64_t> args) {
  if (result == Scalar::kBool) return args.size() == 2 ? comparison<S>(op, args[0], args[1]) : std::nullopt;
  if (isFloat(result) || (args.size() == 2 && !isDefined<S>(op, args[0], args[1]))) return {};
  return arithmetic<S>(op, args);
}

std::optional<std::uint64_t> onBooleans(Op op, bool a, bool b) {
  switch (op) {
    case Op::OpLogicalNot:
      return scalar::logicalNot(a);
    case Op::OpLogicalAnd:
      return scalar::logicalAnd(a, b);
    case Op::OpLogicalOr:
      return scalar::logicalOr(a, b);
    case Op::OpLogicalEqual:
      return scalar::equal(a, b);
    case Op::OpLogicalNotEqual:
      return scalar::notEqual(a, b);
    default:
      return {};
  }
}

template <class From>
std::optional<std::uint64_t> onFloats(Op op, Scalar result, std::uint64_t bits) {
  From from{};
  if constexpr (std::is_same_v<From, scalar::Half>)
    from.bits = static_cast<std::uint16_t>(bits);
  else
    from = scalar::fromBits<From>(static_cast<scalar::BitsOf<From>>(bits));
  if constexpr (std::is_same_v<From, float>)
    if (op == Op::OpQuantizeToF16) return scalar::bitsOf(scalar::quantizeToF16(from));
  if (op != Op::OpFConvert) return {};
  switch (result) {
    case Scalar::kF16:
      return scalar::fConvert<scalar::Half>(from).bits;
    case Scalar::kF32:
      return scalar::bitsOf(scalar::fConvert<float>(from));
    case Scalar::kF64:
      return scalar::bitsOf(scalar::fConvert<double>(from));
    default:
      return {};
  }
}

std::optional<std::uint64_t> evaluate(Op op, Scalar result, Scalar operand, std::span<const std::uint64_t> args) {
  switch (operand) {
    case Scalar::kBool:
      return result == Scalar::kBool ? onBooleans(op, args[0] != 0, args.size() > 1 && args[1] != 0) : std::nullopt;
    case Scalar::kI8:
      return onIntegers<std::int8_t>(op, result, args);
    case Scalar::kI16:
      return onIntegers<std::int16_t>(op, result, args);
    case Scalar::kI32:
      return onIntegers<std::int32_t>(op, result, args);
    case Scalar::kI64:
      return onIntegers<std::int64_t>(op, result, args);
    case Scalar::kF16:
      return onFloats<scalar::Half>(op, result, args[0]);
    case Scalar::kF32:
      return onFloats<float>(op, result, args[0]);
    case Scalar::kF64:
      return onFloats<double>(op, result, args[0]);
    default:
      return {};
  }
}

}  // namespace

bool hasUndefinedResults(Op op) {
  return !isDefined<std::int32_t>(op, 0, 0) || !isDefined<std::int32_t>(op, 0, 32);
}

std::uint64_t narrowed(Scalar type, std::uint64_t bits) {
  if (type == Scalar::kBool) return static_cast<std::uint32_t>(bits) != 0;  // a VkBool32
  return scalarBytes(type) < 8 ? bits & ((std::uint64_t{1} << 8 * scalarBytes(type)) - 1) : bits;
}

std::optional<std::uint64_t> specOperation(Op op, Scalar result, Scalar operand, std::span<const std::uint64_t> args) {
  if (args.size() != arity(op)) return {};
  if (op == Op::OpSelect) return scalar::select(args[0] != 0, args[1], args[2]);
  const std::optional<std::uint64_t> value = evaluate(op, result, operand, args);
  return value ? std::optional(narrowed(result, *value)) : std::nullopt;
}

}  // namespace lanewise::spirv
