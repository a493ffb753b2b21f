// What the rows call an instruction of a machine (ir::Machine), as one of LLVM's.
//
// A float operation gives whatever NaN the processor makes; where somebody may see which, it becomes the one NaN behind the operation.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>

#include "model/compiled/emit.h"
#include "model/compiled/nans.h"

namespace lanewise::compiled {

using ir::Machine;
using ir::Value;

namespace {

// The sign with which an operation reads its first operand, from the text of its types.
bool readsSigned(const ir::OperationInfo& info) {
  const std::string_view types = info.types;
  const std::size_t open = types.find('(');
  return open != std::string_view::npos && (types[open + 1] == 's' || types[open + 1] == 'S');
}
bool givesSigned(const ir::OperationInfo& info) {
  return info.types[0] == 's' || info.types[0] == 'S';
}

// What is one instruction of LLVM.
constexpr std::pair<Machine, llvm::Opcode> kIntegerOpcodes[] = {{Machine::kAdd, llvm::kAdd}, {Machine::kSub, llvm::kSub},
                                                                {Machine::kMul, llvm::kMul}, {Machine::kAnd, llvm::kAnd},
                                                                {Machine::kOr, llvm::kOr},   {Machine::kXor, llvm::kXor}};
struct IntComparison {
  llvm::IntCompare ofSigned, ofUnsigned;
};
constexpr std::pair<Machine, IntComparison> kIntegerComparisons[] = {
    {Machine::kEqual, {llvm::kEqual, llvm::kEqual}},         {Machine::kNotEqual, {llvm::kNotEqual, llvm::kNotEqual}},
    {Machine::kLess, {llvm::kSLess, llvm::kULess}},          {Machine::kLessEqual, {llvm::kSLessEqual, llvm::kULessEqual}},
    {Machine::kGreater, {llvm::kSGreater, llvm::kUGreater}}, {Machine::kGreaterEqual, {llvm::kSGreaterEqual, llvm::kUGreaterEqual}}};
constexpr std::pair<Machine, llvm::Opcode> kFloatOpcodes[] = {
    {Machine::kFAdd, llvm::kFAdd}, {Machine::kFSub, llvm::kFSub}, {Machine::kFMul, llvm::kFMul}, {Machine::kFDiv, llvm::kFDiv}};
constexpr std::pair<Machine, const char*> kFloatIntrinsics[] = {{Machine::kFSqrt, "llvm.sqrt"},           {Machine::kFFloor, "llvm.floor"},
                                                                {Machine::kFCeil, "llvm.ceil"},           {Machine::kFTrunc, "llvm.trunc"},
                                                                {Machine::kFRoundEven, "llvm.roundeven"}, {Machine::kFAbs, "llvm.fabs"}};
constexpr std::pair<Machine, llvm::RealCompare> kFloatComparisons[] = {{Machine::kFOrderedEqual, llvm::kOEqual},
                                                                       {Machine::kFOrderedNotEqual, llvm::kONotEqual},
                                                                       {Machine::kFOrderedLess, llvm::kOLess},
                                                                       {Machine::kFOrderedLessEqual, llvm::kOLessEqual},
                                                                       {Machine::kFOrderedGreater, llvm::kOGreater},
                                                                       {Machine::kFOrderedGreaterEqual, llvm::kOGreaterEqual},
                                                                       {Machine::kFUnorderedEqual, llvm::kUEqualReal},
                                                                       {Machine::kFUnorderedNotEqual, llvm::kUNotEqualReal},
                                                                       {Machine::kFUnorderedLess, llvm::kULessReal},
                                                                       {Machine::kFUnorderedLessEqual, llvm::kULessEqualReal},
                                                                       {Machine::kFUnorderedGreater, llvm::kUGreaterReal},
                                                                       {Machine::kFUnorderedGreaterEqual, llvm::kUGreaterEqualReal}};

Machine machineOf(ir::Code code) {
  return ir::factsOf(code).instruction;
}

// nullptr: it is none of these.
template <class Entry, std::size_t N>
const Entry* entryOf(const Entry (&table)[N], Machine m) {
  const auto* at = std::ranges::find(table, m, &Entry::first);
  return at == std::end(table) ? nullptr : at;
}

llvm::Value extreme(const Builder& b, bool least, bool isSigned, llvm::Type type, llvm::Value x, llvm::Value y) {
  return b.intrinsic(least ? (isSigned ? "llvm.smin" : "llvm.umin") : (isSigned ? "llvm.smax" : "llvm.umax"), {type}, {x, y});
}

}  // namespace

// A use passes on to what it computes whether its NaN can be seen.
void Emitter::findExposedNans() {
  exposed_.assign(f_.nodes.size(), 0);
  bool changed = true;
  const auto expose = [&](Value v) {
    if (!isFloat(node(v).type) || exposed_[v]) return;
    exposed_[v] = 1;
    changed = true;
  };
  while (changed) {
    changed = false;
    for (const std::uint32_t b : f_.order)
      for (const Value v : f_.blocks[b].nodes) {
        const ir::Node& n = node(v);
        const Machine m = machineOf(n.op);
        const auto args = f_.args(v);
        if (n.op == ir::kResult) continue;
        const bool single = !args.empty() && node(args[0]).type != Scalar::kF16 && n.type != Scalar::kF16;
        const Nans nans = nansOf(m);
        const bool passes = n.op == ir::kPhi || n.op == ir::kSticky || (nans == Nans::kMoved && single);
        const bool blind = (nans == Nans::kGiven || nans == Nans::kAsked) && single && isStrict(v);
        for (const Value a : args)
          if (!blind && !(passes && isStrict(v) && !exposed_[v])) expose(a);
      }
  }
}

llvm::Value Emitter::oneNan(llvm::Value value, Scalar type, bool varying) const {
  const llvm::Value is = b_.compare(llvm::kUnordered, value, value);
  llvm::Value nan = b_.number(b_.bitsOf(type), type == Scalar::kF64 ? 0x7ff8000000000000u : 0x7fc00000u);
  if (varying) nan = b_.splat(nan);
  const llvm::Value bits = b_.cast(llvm::kBitCast, value, b_.bitsOf(type, varying));
  return b_.cast(llvm::kBitCast, b_.select(is, nan, bits), b_.typeOf(type, varying));
}

llvm::Value Emitter::compute(Value v) {
  const ir::Node& n = node(v);
  const ir::OperationInfo* info = ir::operationInfo(n.op);
  if (!info || !info->computes() || machineOf(n.op) == Machine::kNone || !isStrict(v)) return nullptr;
  const Machine m = machineOf(n.op);
  const auto args = f_.args(v);
  const Scalar first = node(args[0]).type;
  const bool varying = n.varying;
  switch (m) {
    case Machine::kSelect:
      return b_.select(get(args[0], varying), get(args[1], varying), get(args[2], varying));
    case Machine::kBitcast:
      return first == n.type ? get(args[0], varying) : b_.cast(llvm::kBitCast, bits(args[0], varying), b_.typeOf(n.type, varying));
    case Machine::kPack:
    case Machine::kUnpack:
      return join(v);
    case Machine::kFieldInsert:
    case Machine::kFieldExtract:
      return bitField(v);
    case Machine::kAddress:
    case Machine::kOffset:
      return address(v);
    default:
      break;
  }
  if (first == Scalar::kF16 || n.type == Scalar::kF16) return nullptr;
  if (m == Machine::kIntegerToFloat || m == Machine::kExtendOrTruncate || m == Machine::kFloatToInteger)
    return convert(v, m, m == Machine::kFloatToInteger ? givesSigned(*info) : readsSigned(*info));
  if (m == Machine::kQuotient || m == Machine::kRemainder) return divide(v, m, readsSigned(*info));
  if (isFloat(first)) {
    const llvm::Value value = computeFloat(v, m);
    return value && nansOf(m) == Nans::kGiven && exposed_[v] ? oneNan(value, n.type, varying) : value;
  }
  return computeInteger(v, m, readsSigned(*info));
}

llvm::Value Emitter::combine(ir::Code operation, llvm::Type type, llvm::Value a, llvm::Value b) const {
  const ir::OperationInfo& info = *ir::operationInfo(operation);
  if (const auto* of = entryOf(kIntegerOpcodes, info.facts.instruction)) return b_.op(of->second, a, b);
  return extreme(b_, info.facts.instruction == Machine::kMin, readsSigned(info), type, a, b);
}

llvm::Value Emitter::computeInteger(Value v, Machine m, bool isSigned) {
  using enum Machine;
  const ir::Node& n = node(v);
  const auto args = f_.args(v);
  const bool varying = n.varying;
  const Scalar type = node(args[0]).type;
  const llvm::Type is = b_.typeOf(type, varying);
  const auto arg = [&](std::size_t i) { return get(args[i], varying); };
  if (const auto* of = entryOf(kIntegerOpcodes, m)) return b_.op(of->second, arg(0), arg(1));
  if (const auto* of = entryOf(kIntegerComparisons, m))
    return b_.compare(isSigned ? of->second.ofSigned : of->second.ofUnsigned, arg(0), arg(1));
  const auto number = [&](std::uint64_t value) {
    const llvm::Value one = b_.number(b_.typeOf(type), value);
    return varying ? b_.splat(one) : one;
  };
  const std::uint32_t width = type == Scalar::kBool ? 1 : 8 * scalarBytes(type);
  const auto less = [&](llvm::Value a, llvm::Value b) { return extreme(b_, true, isSigned, is, a, b); };
  const auto greater = [&](llvm::Value a, llvm::Value b) { return extreme(b_, false, isSigned, is, a, b); };
  // A shift's amount in the width of what is shifted, modulo that.
  const auto amount = [&] {
    const std::uint32_t from = 8 * scalarBytes(node(args[1]).type);
    const llvm::Value value = from == width ? arg(1) : b_.cast(from < width ? llvm::kZExt : llvm::kTrunc, arg(1), is);
    return b_.op(llvm::kAnd, value, number(width - 1));
  };
  switch (m) {
    case kNot:
      return b_.op(llvm::kXor, arg(0), b_.ones(is));
    case kNegate:
      return b_.op(llvm::kSub, b_.zero(is), arg(0));
    case kMin:
      return less(arg(0), arg(1));
    case kMax:
      return greater(arg(0), arg(1));
    case kClamp:
      return less(greater(arg(0), arg(1)), arg(2));
    case kAbs:
      return b_.intrinsic("llvm.abs", {is}, {arg(0), b_.number(b_.i1, 0)});
    case kShiftLeft:
      return b_.op(llvm::kShl, arg(0), amount());
    case kShiftRight:
      return b_.op(isSigned ? llvm::kAShr : llvm::kLShr, arg(0), amount());
    case kCarry:
      return b_.cast(llvm::kZExt, b_.compare(llvm::kULess, b_.op(llvm::kAdd, arg(0), arg(1)), arg(0)), is);
    case kBorrow:
      return b_.cast(llvm::kZExt, b_.compare(llvm::kULess, arg(0), arg(1)), is);
    case kHighProduct: {
      if (width == 64) return nullptr;
      const llvm::Type wide = b_.vectorIf(varying, b_.i64);
      const llvm::Opcode extend = isSigned ? llvm::kSExt : llvm::kZExt;
      const llvm::Value product = b_.op(llvm::kMul, b_.cast(extend, arg(0), wide), b_.cast(extend, arg(1), wide));
      llvm::Value by = b_.n64(width);
      if (varying) by = b_.splat(by);
      return b_.cast(llvm::kTrunc, b_.op(llvm::kLShr, product, by), is);
    }
    default:
      return computeBits(v, m);
  }
}

// What counts bits, looks for one or reverses them.
llvm::Value Emitter::computeBits(Value v, Machine m) {
  const Value from = f_.args(v)[0];
  const bool varying = node(v).varying;
  const llvm::Value a = get(from, varying);
  const llvm::Type is = b_.typeOf(node(from).type, varying), word = b_.vectorIf(varying, b_.i32);
  const std::uint32_t width = 8 * scalarBytes(node(from).type);
  // Of any width, as the result's 32 bits.
  const auto to32 = [&](llvm::Value value) { return width == 32 ? value : b_.cast(width < 32 ? llvm::kZExt : llvm::kTrunc, value, word); };
  const auto counted = [&](const char* name) { return to32(b_.intrinsic(name, {is}, {a, b_.number(b_.i1, 0)})); };
  const auto orNone = [&](llvm::Value found) { return b_.select(b_.compare(llvm::kEqual, a, b_.zero(is)), b_.ones(word), found); };
  switch (m) {
    case Machine::kBitCount:
      return to32(b_.intrinsic("llvm.ctpop", {is}, {a}));
    case Machine::kBitReverse:
      return b_.intrinsic("llvm.bitreverse", {is}, {a});
    case Machine::kLowestBit:
      return orNone(counted("llvm.cttz"));
    case Machine::kHighestBit: {
      llvm::Value top = b_.n32(width - 1);
      if (varying) top = b_.splat(top);
      return orNone(b_.op(llvm::kSub, top, counted("llvm.ctlz")));
    }
    default:
      return nullptr;
  }
}

llvm::Value Emitter::computeFloat(Value v, Machine m) {
  using enum Machine;
  const auto args = f_.args(v);
  const bool varying = node(v).varying;
  const Scalar type = node(args[0]).type;
  const llvm::Type is = b_.typeOf(type, varying);
  const auto arg = [&](std::size_t i) { return get(args[i], varying); };
  if (const auto* of = entryOf(kFloatOpcodes, m)) return b_.op(of->second, arg(0), arg(1));
  if (const auto* of = entryOf(kFloatComparisons, m)) return b_.compare(of->second, arg(0), arg(1));
  if (const auto* of = entryOf(kFloatIntrinsics, m)) return b_.intrinsic(of->second, {is}, {arg(0)});
  const auto isNegative = [&](llvm::Value a) {
    return b_.compare(llvm::kSLess, b_.cast(llvm::kBitCast, a, b_.bitsOf(type, varying)), b_.zero(b_.bitsOf(type, varying)));
  };
  // The first if it is smaller (larger), if the second is a NaN, or of two zeros the negative (positive) one.
  const auto extreme = [&](bool least, llvm::Value a, llvm::Value b) {
    const llvm::Value beyond = b_.compare(least ? llvm::kOLess : llvm::kOGreater, a, b);
    const llvm::Value alone = b_.compare(llvm::kUnordered, b, b);
    llvm::Value sign = isNegative(a);
    if (!least) sign = b_.op(llvm::kXor, sign, b_.ones(b_.typeOf(Scalar::kBool, varying)));
    const llvm::Value tie = b_.op(llvm::kAnd, b_.compare(llvm::kOEqual, a, b), sign);
    return b_.select(b_.op(llvm::kOr, beyond, b_.op(llvm::kOr, alone, tie)), a, b);
  };
  switch (m) {
    case kMulAdd:
      return b_.op(llvm::kFAdd, b_.op(llvm::kFMul, arg(0), arg(1)), arg(2));
    case kFNeg:
      return b_.negate(arg(0));
    case kFMin:
      return extreme(true, arg(0), arg(1));
    case kFMax:
      return extreme(false, arg(0), arg(1));
    case kFClamp:
      return extreme(true, extreme(false, arg(0), arg(1)), arg(2));
    case kIsNan:
      return b_.compare(llvm::kUnordered, arg(0), arg(0));
    default:
      return nullptr;
  }
}

llvm::Value Emitter::convert(Value v, Machine m, bool isSigned) {
  const Value from = f_.args(v)[0];
  const bool varying = node(v).varying;
  const Scalar type = node(v).type, source = node(from).type;
  const llvm::Value a = get(from, varying);
  const llvm::Type to = b_.typeOf(type, varying);
  if (m == Machine::kIntegerToFloat) return b_.cast(isSigned ? llvm::kSIToFP : llvm::kUIToFP, a, to);
  if (m == Machine::kFloatToInteger) return toInteger(a, source, type, isSigned, varying);
  const std::uint32_t before = scalarBytes(source), after = scalarBytes(type);
  if (before == after) return a;
  return b_.cast(after < before ? llvm::kTrunc : isSigned ? llvm::kSExt : llvm::kZExt, a, to);
}

// LLVM has an operation for this, but LLVM 15 does it lane by lane. The ends are floats of both widths.
llvm::Value Emitter::toInteger(llvm::Value a, Scalar from, Scalar to, bool isSigned, bool varying) const {
  const llvm::Type real = b_.typeOf(from, varying), integer = b_.typeOf(to, varying);
  const auto each = [&](llvm::Value scalar) { return varying ? b_.splat(scalar) : scalar; };
  const auto number = [&](double x) {
    const llvm::Value bits =
        from == Scalar::kF64 ? b_.n64(std::bit_cast<std::uint64_t>(x)) : b_.n32(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    return b_.cast(llvm::kBitCast, each(bits), real);
  };
  const std::uint32_t bits = 8 * scalarBytes(to) - (isSigned ? 1 : 0);
  const llvm::Value end = number(std::ldexp(1.0, static_cast<int>(bits))),
                    least = isSigned ? number(-std::ldexp(1.0, static_cast<int>(bits))) : b_.zero(real);
  const llvm::Value above = b_.compare(llvm::kOGreaterEqual, a, end);
  const llvm::Value inside = b_.op(llvm::kAnd, b_.compare(llvm::kOGreaterEqual, a, least), b_.compare(llvm::kOLess, a, end));
  const llvm::Value value = b_.cast(isSigned ? llvm::kFPToSI : llvm::kFPToUI, b_.select(inside, a, b_.zero(real)), integer);
  const llvm::Value highest = isSigned ? each(b_.number(b_.typeOf(to), (std::uint64_t{1} << bits) - 1)) : b_.ones(integer);
  const llvm::Value raised = b_.select(above, highest, value);
  if (!isSigned) return raised;
  return b_.select(b_.compare(llvm::kOLess, a, least), each(b_.number(b_.typeOf(to), std::uint64_t{1} << bits)), raised);
}

// By a constant LLVM multiplies.
llvm::Value Emitter::divide(Value v, Machine m, bool isSigned) {
  const auto args = f_.args(v);
  if (!isConstant(args[1])) return divideLanes(v, m, isSigned);
  const std::int64_t divisor = f_.constantValue(args[1]);
  if (divisor == 0 || (isSigned && divisor == -1)) return nullptr;
  const bool varying = node(v).varying;
  const llvm::Opcode code = m == Machine::kQuotient ? (isSigned ? llvm::kSDiv : llvm::kUDiv) : (isSigned ? llvm::kSRem : llvm::kURem);
  return b_.op(code, get(args[0], varying), get(args[1], varying));
}

// Of 32 bits: the quotient of two doubles, cut, is exact. By 0: all ones; the least integer by -1 is itself.
llvm::Value Emitter::divideLanes(Value v, Machine m, bool isSigned) {
  const auto args = f_.args(v);
  const bool varying = node(v).varying;
  if (node(v).type != Scalar::kI32) return nullptr;
  const llvm::Type word = b_.vectorIf(varying, b_.i32), real = b_.vectorIf(varying, b_.f64);
  const llvm::Value a = get(args[0], varying), b = get(args[1], varying);
  const llvm::Value none = b_.compare(llvm::kEqual, b, b_.zero(word)), minus = b_.compare(llvm::kEqual, b, b_.ones(word));
  const llvm::Value one = varying ? b_.splat(b_.n32(1)) : b_.n32(1);
  const llvm::Value safe = b_.select(isSigned ? b_.op(llvm::kOr, none, minus) : none, one, b);
  const llvm::Opcode to = isSigned ? llvm::kSIToFP : llvm::kUIToFP, from = isSigned ? llvm::kFPToSI : llvm::kFPToUI;
  llvm::Value quotient = b_.cast(from, b_.op(llvm::kFDiv, b_.cast(to, a, real), b_.cast(to, safe, real)), word);
  if (isSigned) quotient = b_.select(minus, b_.op(llvm::kSub, b_.zero(word), a), quotient);
  const llvm::Value result = m == Machine::kQuotient ? quotient : b_.op(llvm::kSub, a, b_.op(llvm::kMul, quotient, b));
  return b_.select(none, b_.ones(word), result);
}

// The bits [offset, offset + count) that exist.
llvm::Value Emitter::bitField(Value v) {
  const auto args = f_.args(v);
  const bool varying = node(v).varying, inserts = machineOf(node(v).op) == Machine::kFieldInsert;
  if (node(v).type != Scalar::kI32) return nullptr;
  const Value offsetOf = args[inserts ? 2 : 1], countOf = args[inserts ? 3 : 2];
  const bool apart = node(offsetOf).varying || node(countOf).varying;  // the field is another one for each lane
  const llvm::Type type = b_.vectorIf(apart, b_.i32);
  const auto number = [&](std::uint64_t n) { return apart ? b_.splat(b_.n32(n)) : b_.n32(n); };
  const auto below = [&](llvm::Value n) { return b_.compare(llvm::kULess, n, number(32)); };
  const auto inWidth = [&](llvm::Value n) { return b_.op(llvm::kAnd, n, number(31)); };
  const auto each = [&](llvm::Value n) { return varying && !apart ? b_.splat(n) : n; };
  const llvm::Value offset = get(offsetOf, apart), count = get(countOf, apart), ones = b_.ones(type);
  const llvm::Value low = b_.select(below(count), b_.op(llvm::kXor, b_.op(llvm::kShl, ones, inWidth(count)), ones), ones);
  const llvm::Value by = inWidth(offset);
  const llvm::Value mask = each(b_.select(below(offset), b_.op(llvm::kShl, low, by), b_.zero(type)));
  const llvm::Value base = get(args[0], varying);
  if (inserts) {
    const llvm::Value placed = b_.op(llvm::kShl, get(args[1], varying), each(by));
    const llvm::Value kept = b_.op(llvm::kAnd, base, b_.op(llvm::kXor, mask, b_.ones(b_.vectorIf(varying, b_.i32))));
    return b_.op(llvm::kOr, kept, b_.op(llvm::kAnd, placed, mask));
  }
  const llvm::Value field = b_.op(llvm::kLShr, b_.op(llvm::kAnd, base, mask), each(by));
  if (!readsSigned(*ir::operationInfo(node(v).op))) return field;
  const llvm::Value half = b_.op(llvm::kLShr, low, number(1));
  const llvm::Value sign = each(b_.op(llvm::kAnd, low, b_.op(llvm::kXor, half, ones)));
  return b_.op(llvm::kSub, b_.op(llvm::kXor, field, sign), sign);
}

// index * stride + base, sticking at the ends of the range.
llvm::Value Emitter::address(Value v) {
  const auto args = f_.args(v);
  const bool varying = node(v).varying;
  const llvm::Type narrow = b_.vectorIf(varying, b_.i32), wide = b_.vectorIf(varying, b_.i64);
  const auto number = [&](llvm::Value one) { return varying ? b_.splat(one) : one; };
  const bool isAddress = machineOf(node(v).op) == Machine::kAddress;
  if (isAddress && isConstant(args[1]) && isConstant(args[2]) && f_.bitsOf(args[1]) != 0) {
    const std::uint64_t stride = f_.bitsOf(args[1]), base = f_.bitsOf(args[2]);
    const llvm::Value index = get(args[0], varying);
    const llvm::Value over = b_.compare(llvm::kUGreater, index, number(b_.n32((0xffffffffu - base) / stride)));
    const llvm::Value sum = b_.op(llvm::kAdd, b_.op(llvm::kMul, index, number(b_.n32(stride))), number(b_.n32(base)));
    return b_.select(over, b_.ones(narrow), sum);
  }
  const auto extended = [&](Value a, llvm::Opcode how) { return b_.cast(how, get(a, varying), wide); };
  if (isAddress) {
    const llvm::Value product = b_.op(llvm::kMul, extended(args[0], llvm::kZExt), extended(args[1], llvm::kZExt));
    const llvm::Value sum = b_.op(llvm::kAdd, product, extended(args[2], llvm::kZExt));
    const llvm::Value top = number(b_.n64(0xffffffffu));
    return b_.cast(llvm::kTrunc, b_.intrinsic("llvm.umin", {wide}, {sum, top}), narrow);
  }
  const llvm::Value base = get(args[2], varying);
  const llvm::Value below = b_.compare(llvm::kUGreaterEqual, base, number(b_.n32(0xc0000000u)));
  const llvm::Value from = b_.select(below, b_.cast(llvm::kSExt, base, wide), b_.cast(llvm::kZExt, base, wide));
  const llvm::Value product = b_.op(llvm::kMul, extended(args[0], llvm::kSExt), extended(args[1], llvm::kZExt));
  const llvm::Value sum = b_.op(llvm::kAdd, from, product);
  const llvm::Value low = b_.intrinsic("llvm.smax", {wide}, {sum, number(b_.n64(static_cast<std::uint64_t>(-(std::int64_t{1} << 30))))});
  return b_.cast(llvm::kTrunc, b_.intrinsic("llvm.smin", {wide}, {low, number(b_.n64(0xbfffffffu))}), narrow);
}

// Scalars joined to a wider one, the first in the low bits; or a part of one.
llvm::Value Emitter::join(Value v) {
  const auto args = f_.args(v);
  const bool varying = node(v).varying;
  const Scalar type = node(v).type;
  const llvm::Type to = b_.bitsOf(type, varying);
  const auto shift = [&](llvm::Type of, std::uint64_t by) {
    const llvm::Value one = b_.number(of, by);
    return varying ? b_.splat(one) : one;
  };
  llvm::Value all = nullptr;
  if (machineOf(node(v).op) == Machine::kUnpack) {
    if (!isConstant(args[1])) return nullptr;
    const Scalar from = node(args[0]).type;
    const std::uint64_t by = f_.bitsOf(args[1]) * 8 * scalarBytes(type);
    if (by >= 8 * scalarBytes(from)) return nullptr;
    all = b_.cast(llvm::kTrunc, b_.op(llvm::kLShr, bits(args[0], varying), shift(b_.bitsOf(from), by)), to);
  } else {
    for (std::size_t i = 0; i < args.size(); ++i) {
      const llvm::Value part = b_.cast(llvm::kZExt, bits(args[i], varying), to);
      const llvm::Value at = b_.op(llvm::kShl, part, shift(b_.bitsOf(type), i * 8 * scalarBytes(node(args[i]).type)));
      all = all ? b_.op(llvm::kOr, all, at) : at;
    }
  }
  return isFloat(type) && type != Scalar::kF16 ? b_.cast(llvm::kBitCast, all, b_.typeOf(type, varying)) : all;
}

}  // namespace lanewise::compiled
