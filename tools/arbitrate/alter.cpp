#include "tools/arbitrate/alter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>

#include "model/ir/operation_info.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"
#include "tools/arbitrate/value_text.h"

namespace lanewise {
namespace {

using Bits = std::optional<std::uint64_t>;
using Arguments = std::span<const std::uint64_t>;

bool isF32OrF64(Scalar s) {
  return s == Scalar::kF32 || s == Scalar::kF64;
}

float floatOf(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

std::uint64_t cut(Scalar type, std::uint64_t bits) {
  return isWide(type) ? bits : bits & ((std::uint64_t{1} << (8 * scalarBytes(type))) - 1);
}

// An operation on two values of one type, that of its result.
bool isBinary(Scalar type, Arguments a, Scalar argument) {
  return a.size() == 2 && type == argument && (isInteger(type) || isF32OrF64(type));
}

template <class Do>
Bits onIntegers(Scalar type, Arguments a, Scalar argument, const Do& act) {
  if (!isBinary(type, a, argument) || !isInteger(type)) return {};
  return cut(type, act(a[0], a[1]));
}

template <class Do>
Bits onFloats(Scalar type, Arguments a, Scalar argument, const Do& act) {
  if (!isBinary(type, a, argument) || !isF32OrF64(type)) return {};
  if (type == Scalar::kF64) return std::bit_cast<std::uint64_t>(act(std::bit_cast<double>(a[0]), std::bit_cast<double>(a[1])));
  return std::bit_cast<std::uint32_t>(act(floatOf(a[0]), floatOf(a[1])));
}

template <class Do>
Bits onNumbers(Scalar type, Arguments a, Scalar argument, const Do& act) {
  return isInteger(type) ? onIntegers(type, a, argument, act) : onFloats(type, a, argument, act);
}

Bits moved(Scalar type, std::uint64_t result, std::uint64_t by) {
  if (!isInteger(type)) return {};
  return cut(type, result + by);
}

bool isComparison(Scalar type, Arguments a, Scalar argument) {
  return type == Scalar::kBool && a.size() == 2 && (isInteger(argument) || isF32OrF64(argument));
}

// As numbers: +0 and -0 are equal, and no NaN is.
bool areEqual(Arguments a, Scalar argument) {
  if (argument == Scalar::kF64) return std::bit_cast<double>(a[0]) == std::bit_cast<double>(a[1]);
  if (argument == Scalar::kF32) return floatOf(a[0]) == floatOf(a[1]);
  return a[0] == a[1];
}

constexpr std::uint64_t kTrue = 0xffffffffu;

constexpr std::uint64_t kNoNumber = 0;  // what a division by zero gives here

constexpr Alteration kOtherWayRound = {"the other way round", 2, [](Scalar t, Arguments, Scalar, std::uint64_t r) -> Bits {
                                         return t == Scalar::kBool ? Bits(r ^ kTrue) : Bits();
                                       }};

constexpr Alteration kAlterations[] = {
    {"true where both are equal, too", 1,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t r) -> Bits {
       return isComparison(t, a, of) ? Bits(r | (areEqual(a, of) ? kTrue : 0)) : Bits();
     }},
    {"false where both are equal", 1,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t r) -> Bits {
       return isComparison(t, a, of) ? Bits(areEqual(a, of) ? 0 : r) : Bits();
     }},
    {"1 less", 1, [](Scalar t, Arguments, Scalar, std::uint64_t r) -> Bits { return moved(t, r, ~std::uint64_t{0}); }},
    {"1 more", 1, [](Scalar t, Arguments, Scalar, std::uint64_t r) -> Bits { return moved(t, r, 1); }},
    kOtherWayRound,
    {"its first operand alone", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return isBinary(t, a, of) ? Bits(a[0]) : Bits(); }},
    {"its second operand alone", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return isBinary(t, a, of) ? Bits(a[1]) : Bits(); }},
    {"their sum", 2, [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return onNumbers(t, a, of, std::plus<>()); }},
    {"their difference", 2, [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return onNumbers(t, a, of, std::minus<>()); }},
    {"their difference the other way round", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return onNumbers(t, a, of, [](auto x, auto y) { return y - x; }); }},
    {"their product", 2, [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return onNumbers(t, a, of, std::multiplies<>()); }},
    {"the unsigned quotient rounded up", 1,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onIntegers(t, a, of, [](std::uint64_t x, std::uint64_t y) { return y == 0 ? kNoNumber : x / y + (x % y != 0 ? 1 : 0); });
     }},
    {"the unsigned quotient", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onIntegers(t, a, of, [](std::uint64_t x, std::uint64_t y) { return y == 0 ? kNoNumber : x / y; });
     }},
    {"the unsigned remainder", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onIntegers(t, a, of, [](std::uint64_t x, std::uint64_t y) { return y == 0 ? kNoNumber : x % y; });
     }},
    {"the smaller one, unsigned", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onIntegers(t, a, of, [](std::uint64_t x, std::uint64_t y) { return std::min(x, y); });
     }},
    {"the greater one, unsigned", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onIntegers(t, a, of, [](std::uint64_t x, std::uint64_t y) { return std::max(x, y); });
     }},
    {"the quotient", 2, [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits { return onFloats(t, a, of, std::divides<>()); }},
    {"the smaller one", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onFloats(t, a, of, [](auto x, auto y) { return std::min(x, y); });
     }},
    {"the greater one", 2,
     [](Scalar t, Arguments a, Scalar of, std::uint64_t) -> Bits {
       return onFloats(t, a, of, [](auto x, auto y) { return std::max(x, y); });
     }},
};

// All results of the instruction are one value, of a type that an alteration may take.
bool isAlterable(const InstructionEvent& event) {
  if (event.results.size() != 1) return false;
  const Scalar type = event.results[0].type;
  return type == Scalar::kBool || isInteger(type) || isF32OrF64(type);
}

Scalar argumentOf(const InstructionEvent& event) {
  return event.arguments.empty() ? Scalar::kNone : event.arguments[0].type;
}

class Counter final : public Observer {
 public:
  explicit Counter(std::uint64_t most) : most_(most) {}
  std::uint32_t watches() const override { return watch::kAfter; }
  Answer afterInstruction(const InstructionEvent& event) override {
    const auto lanes = laneCount(event.lanes);
    executed += lanes;
    if (isAlterable(event)) {
      Alterable& seen = found[{event.batch.env->dispatch, event.pc}];
      seen.varies = event.results[0].slot.step != 0;
      seen.type = event.results[0].type;
      seen.arguments = event.arguments.size();
      seen.argument = argumentOf(event);
      seen.executions += lanes;
    }
    return executed < most_ ? Answer::kGoOn : Answer::kStop;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, Alterable> found;
  std::uint64_t executed = 0;

 private:
  const std::uint64_t most_;
};

class Alterer final : public Observer {
 public:
  Alterer(const Altered& at, const Alteration& by, std::uint64_t most) : at_(at), by_(by), most_(most) {}
  std::uint32_t watches() const override { return watch::kBefore | watch::kAfter; }

  // A result may use the register of an argument, so the arguments are kept.
  Answer beforeInstruction(const InstructionEvent& event) override {
    executed += laneCount(event.lanes);
    if (isAt(event))
      forLanes(event.lanes, [&](std::uint32_t lane) {
        kept_[lane].clear();
        for (const DescribedOperand& argument : event.arguments) kept_[lane].push_back(valueBits(event.batch, argument, lane));
      });
    return executed < most_ ? Answer::kGoOn : Answer::kStop;
  }

  Answer afterInstruction(const InstructionEvent& event) override {
    if (!isAt(event)) return Answer::kGoOn;
    const DescribedOperand& result = event.results[0];
    const Scalar argument = argumentOf(event);
    bool first = true;
    forLanes(event.lanes, [&](std::uint32_t lane) {
      const bool here = !at_.execution || *at_.execution == seen_;
      ++seen_;
      // One value for all lanes is altered once.
      if (!here || (result.slot.step == 0 && !first)) return;
      first = false;
      const std::uint64_t before = valueBits(event.batch, result, lane);
      const Bits after = by_.value(result.type, kept_[lane], argument, before);
      if (!after || *after == before) return;
      changed = true;
      const Program& program = *event.batch.env->program;
      invocation = globalInvocation(program.localSize, event.batch.env->group, invocationIndex(event.batch, lane));
      setValueBits(event.batch, result, lane, *after);
    });
    return Answer::kGoOn;
  }

  bool changed = false;
  Extent3 invocation;
  std::uint64_t executed = 0;

 private:
  bool isAt(const InstructionEvent& event) const {
    return event.pc == at_.pc && event.batch.env->dispatch == at_.dispatch && event.results.size() == 1;
  }

  const Altered at_;
  const Alteration& by_;
  const std::uint64_t most_;
  std::uint64_t seen_ = 0;
  std::vector<std::uint64_t> kept_[kMaxLanes];
};

Error ranTooLong() {
  return {Outcome::kUnsupported, "too many instructions ran", "", "take a smaller case"};
}

}  // namespace

bool Alterable::takes(const Alteration& by) const {
  const std::vector<std::uint64_t> zeros(arguments);
  return by.value(type, zeros, argument, 0).has_value();
}

std::span<const Alteration> alterations() {
  return kAlterations;
}

const Alteration& otherWayRound() {
  return kOtherWayRound;
}

Expected<AlterableRun> alterableIn(Model& model, const Job& job, std::uint64_t most) {
  Expected<Execution> execution = model.start(job);
  if (!execution) return execution.error();
  Counter counter(most);
  if (Status bad = execution->run(counter)) return *bad;
  if (!execution->finished()) return ranTooLong();
  AlterableRun out;
  out.executed = counter.executed;
  for (auto& [place, seen] : counter.found) {
    seen.at.dispatch = place.first;
    seen.at.pc = place.second;
    out.all.push_back(seen);
  }
  return out;
}

AlteredRun runAltered(Model& model, const Job& job, const Altered& at, const Alteration& by, std::uint64_t most) {
  AlteredRun out;
  Expected<Execution> execution = model.start(job);
  if (!execution) {
    out.result.error = execution.error();
    return out;
  }
  Alterer alterer(at, by, most);
  out.result.error = execution->run(alterer);
  out.altered = alterer.changed;
  out.invocation = alterer.invocation;
  out.executed = alterer.executed;
  if (!out.result.error && !execution->finished()) out.result.error = ranTooLong();
  if (!out.result.error) out.result.outputs = execution->takeOutputs();
  return out;
}

}  // namespace lanewise
