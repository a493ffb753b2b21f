#include "model/compiled/machine.h"

namespace lanewise::compiled {
namespace {

using enum spv::Op;

struct Known {
  ir::Code code;
  Machine machine;
};
constexpr Known kKnown[] = {
    {ir::core(OpNot), kNot},
    {ir::core(OpLogicalNot), kNot},
    {ir::core(OpSNegate), kNegate},
    {ir::codeOf(GLSLstd450SAbs), kAbs},
    {ir::core(OpShiftLeftLogical), kShiftLeft},
    {ir::core(OpShiftRightLogical), kShiftRight},
    {ir::core(OpShiftRightArithmetic), kShiftRight},
    {ir::core(OpUMulExtended), kHighProduct},
    {ir::core(OpSMulExtended), kHighProduct},
    {ir::core(OpIAddCarry), kCarry},
    {ir::core(OpISubBorrow), kBorrow},
    {ir::core(OpUDiv), kQuotient},
    {ir::core(OpSDiv), kQuotient},
    {ir::core(OpUMod), kRemainder},
    {ir::core(OpSRem), kRemainder},
    {ir::codeOf(GLSLstd450UClamp), kClamp},
    {ir::codeOf(GLSLstd450SClamp), kClamp},
    {ir::codeOf(GLSLstd450FindILsb), kLowestBit},
    {ir::codeOf(GLSLstd450FindUMsb), kHighestBit},
    {ir::core(OpBitFieldInsert), kFieldInsert},
    {ir::core(OpBitFieldUExtract), kFieldExtract},
    {ir::core(OpBitFieldSExtract), kFieldExtract},
    {ir::kPack, kPack},
    {ir::kUnpack, kUnpack},
    {ir::kAddress, kAddress},
    {ir::kOffset, kOffset},
    {ir::core(OpIsNan), kIsNan},
    {ir::codeOf(GLSLstd450FMin), kFMin},
    {ir::codeOf(GLSLstd450NMin), kFMin},
    {ir::codeOf(GLSLstd450FMax), kFMax},
    {ir::codeOf(GLSLstd450NMax), kFMax},
    {ir::codeOf(GLSLstd450FClamp), kFClamp},
    {ir::codeOf(GLSLstd450NClamp), kFClamp},
    {ir::codeOf(GLSLstd450Fma), kMulAdd},
    {ir::core(OpConvertFToU), kFloatToInteger},
    {ir::core(OpConvertFToS), kFloatToInteger},
};

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
    {kMulAdd, Nans::kGiven},
    {Machine::kFNeg, Nans::kMoved},
    {Machine::kFAbs, Nans::kMoved},
    {Machine::kSelect, Nans::kMoved},
    {kFMin, Nans::kMoved},
    {kFMax, Nans::kMoved},
    {kFClamp, Nans::kMoved},
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
    {kIsNan, Nans::kAsked},
    {kFloatToInteger, Nans::kAsked},
};

}  // namespace

Nans nansOf(Machine machine) {
  for (const OfNans& known : kOfNans)
    if (known.machine == machine) return known.nans;
  return Nans::kOther;
}

Machine machineOf(ir::Code code) {
  const Machine row = ir::factsOf(code).instruction;
  if (row != Machine::kNone) return row;
  for (const Known& known : kKnown)
    if (known.code == code) return known.machine;
  return Machine::kNone;
}

}  // namespace lanewise::compiled
