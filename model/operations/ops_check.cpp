// Told to observers: operands for which an operation has no result (definedness.h). Without an observer that wants it, nothing is done.
#include <bit>

#include "model/ir/rows/definedness.h"
#include "model/operations/elementwise.h"
#include "model/operations/ops.h"
#include "model/state/control.h"
#include "model/state/observers.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

using ir::Definedness;

template <class T, class Bad>
std::uint32_t whereTwo(const Batch& s, const Operand* o, std::uint32_t g, const Bad& bad) {
  const auto* a = s.slot<T>(o[0].offset + g * o[0].step);
  const auto* b = s.slot<T>(o[1].offset + g * o[1].step);
  std::uint32_t where = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) where |= (bad(a[k], b[k]) ? 1u : 0u) << k;
  return where;
}

template <class T, class Bad>
std::uint32_t whereOne(const Batch& s, const Operand& o, std::uint32_t g, const Bad& bad) {
  const auto* a = s.slot<T>(o.offset + g * o.step);
  std::uint32_t where = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) where |= (bad(a[k]) ? 1u : 0u) << k;
  return where;
}

// The lanes of a group, a bit each, that may have no result: none in nearly every group. The operands have 32 bits.
std::uint32_t mayBeUndefined(Definedness rule, const Batch& s, const Operand* o, std::uint32_t g) {
  using U = std::uint32_t;
  using S = std::int32_t;
  switch (rule) {
    case Definedness::kShift:
      return whereOne<U>(s, o[1], g, [](U n) { return n >= 32; });
    case Definedness::kUnsignedDivision:
      return whereOne<U>(s, o[1], g, [](U n) { return n == 0; });
    case Definedness::kSignedDivision:
      return whereOne<U>(s, o[1], g, [](U n) { return n + 1 <= 1; });
    case Definedness::kSignedModulo:
      return whereTwo<S>(s, o, g, [](S x, S n) { return (x < 0) | (n <= 0); });
    case Definedness::kToUnsigned:
      return whereOne<float>(s, o[0], g, [](float x) { return !((x > -1.0F) & (x < 4294967296.0F)); });
    case Definedness::kToSigned:
      return whereOne<float>(s, o[0], g, [](float x) { return !((x >= -2147483648.0F) & (x < 2147483648.0F)); });
    case Definedness::kUnsignedClamp:
      return whereTwo<U>(s, o + 1, g, [](U low, U high) { return low > high; });
    case Definedness::kSignedClamp:
      return whereTwo<S>(s, o + 1, g, [](S low, S high) { return low > high; });
    case Definedness::kFloatClamp:
      return whereTwo<float>(s, o + 1, g, [](float low, float high) { return low > high; });
    case Definedness::kFloatRemainder:
    case Definedness::kDeterminant:
      return whereOne<float>(s, o[1], g, [](float x) { return x == 0; });
    case Definedness::kNotBothZero:
      return whereTwo<float>(s, o, g, [](float x, float y) { return (x == 0) & (y == 0); });
    case Definedness::kNotNegative:
      return whereOne<float>(s, o[0], g, [](float x) { return x < 0; });
    case Definedness::kPositive:
    case Definedness::kPower:
      return whereOne<float>(s, o[0], g, [](float x) { return x <= 0; });
    default:
      return 0xFFFF;
  }
}

// The active lanes for which the operation has no result.
LaneMask undefinedLanes(const Batch& s, const Instr* ip, std::uint32_t pc) {
  const Program& program = *s.env->program;
  const Scalar result = ip->known<kind::CheckOperands>().result;
  const Definedness rule = ip->known<kind::CheckOperands>().rule;
  const auto arguments = program.argumentsOf(pc);
  const Operand* o = program.operands.data() + ip->operands;
  Scalar types[8];
  bool words = result == Scalar::kI32 || result == Scalar::kF32;
  const std::size_t count = std::min<std::size_t>(arguments.size(), 8);
  for (std::size_t i = 0; i < count; ++i) {
    types[i] = arguments[i].type;
    words = words && (types[i] == Scalar::kI32 || types[i] == Scalar::kF32);
  }
  LaneMask none;
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    std::uint32_t active = s.mask.group(g);
    if (active != 0 && words) active &= mayBeUndefined(rule, s, o, g);
    for (; active != 0; active &= active - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(active));
      std::uint64_t bits[8];
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t at = o[i].offset + g * o[i].step;
        bits[i] = isWide(types[i]) ? s.slot<std::uint64_t>(at)[k] : s.slot<std::uint32_t>(at)[k];
      }
      if (!ir::isDefined(rule, result, {types, count}, {bits, count})) none.set(g * kGroup + k);
    }
  }
  return none;
}

const Instr* passOperands(const Instr* ip, Batch&) {
  return ip + 1;
}

const Instr* checkOperands(const Instr* ip, Batch& s) {
  if (!watched(*s.env, watch::kOperands)) return ip + 1;
  const auto pc = static_cast<std::uint32_t>(ip - s.base);
  const LaneMask none = undefinedLanes(s, ip, pc);
  if (!none.any()) return ip + 1;
  s.env->observers->moment(OperandsUndefined{s, pc, none});
  return goOn(s, ip + 1);
}

}  // namespace

void addCheckRows(OpTable& t) {
  t.add({ir::kCheckOperands, Scalar::kNone, Scalar::kNone}, {&passOperands, &checkOperands});
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
