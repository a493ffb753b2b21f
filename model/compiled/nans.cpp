#include "model/compiled/nans.h"

namespace lanewise::compiled {
namespace {

using ir::Machine;

struct OfNans {
  Machine machine;
  Nans nans;
};
constexpr OfNans kOfNans[] = {
    {Machine::kFAdd, Nans::kGiven},
    {Machine::kFSub, Nans::kGiven},
    {Machine::kFMul, Nans::kGiven},
    {Machine::kFDiv, Nans::kGiven},
    {Machine::kFSqrt, Nans::kGiven},
    {Machine::kFFloor, Nans::kGiven},
    {Machine::kFCeil, Nans::kGiven},
    {Machine::kFTrunc, Nans::kGiven},
    {Machine::kFRoundEven, Nans::kGiven},
    {Machine::kMulAdd, Nans::kGiven},
    {Machine::kFNeg, Nans::kMoved},
    {Machine::kFAbs, Nans::kMoved},
    {Machine::kSelect, Nans::kMoved},
    {Machine::kFMin, Nans::kMoved},
    {Machine::kFMax, Nans::kMoved},
    {Machine::kFClamp, Nans::kMoved},
    {Machine::kFOrderedEqual, Nans::kAsked},
    {Machine::kFOrderedNotEqual, Nans::kAsked},
    {Machine::kFOrderedLess, Nans::kAsked},
    {Machine::kFOrderedLessEqual, Nans::kAsked},
    {Machine::kFOrderedGreater, Nans::kAsked},
    {Machine::kFOrderedGreaterEqual, Nans::kAsked},
    {Machine::kFUnorderedEqual, Nans::kAsked},
    {Machine::kFUnorderedNotEqual, Nans::kAsked},
    {Machine::kFUnorderedLess, Nans::kAsked},
    {Machine::kFUnorderedLessEqual, Nans::kAsked},
    {Machine::kFUnorderedGreater, Nans::kAsked},
    {Machine::kFUnorderedGreaterEqual, Nans::kAsked},
    {Machine::kIsNan, Nans::kAsked},
    {Machine::kFloatToInteger, Nans::kAsked},
};

}  // namespace

Nans nansOf(Machine machine) {
  for (const OfNans& known : kOfNans)
    if (known.machine == machine) return known.nans;
  return Nans::kOther;
}

}  // namespace lanewise::compiled
