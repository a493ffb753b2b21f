// The mutation rules: data only.
#include "tools/selftest/rules.h"

namespace lanewise {
namespace {

using spv::Op;

constexpr OpcodeRule kOpcodes[] = {
    {"operator", Op::OpIAdd, Op::OpISub},
    {"operator", Op::OpISub, Op::OpIAdd},
    {"operator", Op::OpIMul, Op::OpIAdd},
    {"operator", Op::OpUDiv, Op::OpUMod},
    {"operator", Op::OpUDiv, Op::OpIMul},
    {"operator", Op::OpUMod, Op::OpUDiv},
    {"operator", Op::OpSDiv, Op::OpSRem},
    {"operator", Op::OpSRem, Op::OpSDiv},
    {"operator", Op::OpSMod, Op::OpSDiv},
    {"operator", Op::OpFAdd, Op::OpFSub},
    {"operator", Op::OpFSub, Op::OpFAdd},
    {"operator", Op::OpFMul, Op::OpFAdd},
    {"operator", Op::OpFDiv, Op::OpFMul},
    {"operator", Op::OpSNegate, Op::OpNot},
    {"operator", Op::OpFNegate, Op::OpCopyObject},
    {"operator", Op::OpBitwiseAnd, Op::OpBitwiseOr},
    {"operator", Op::OpBitwiseOr, Op::OpBitwiseAnd},
    {"operator", Op::OpBitwiseXor, Op::OpBitwiseOr},
    {"operator", Op::OpNot, Op::OpSNegate},
    {"operator", Op::OpShiftLeftLogical, Op::OpShiftRightLogical},
    {"operator", Op::OpShiftRightLogical, Op::OpShiftLeftLogical},
    {"operator", Op::OpShiftRightLogical, Op::OpShiftRightArithmetic},
    {"operator", Op::OpShiftRightArithmetic, Op::OpShiftRightLogical},
    {"operator", Op::OpLogicalAnd, Op::OpLogicalOr},
    {"operator", Op::OpLogicalOr, Op::OpLogicalAnd},
    {"operator", Op::OpLogicalNot, Op::OpCopyObject},
    {"operator", Op::OpGroupNonUniformIAdd, Op::OpGroupNonUniformUMax},
    {"operator", Op::OpGroupNonUniformFAdd, Op::OpGroupNonUniformFMax},
    {"operator", Op::OpGroupNonUniformUMax, Op::OpGroupNonUniformUMin},
    {"operator", Op::OpGroupNonUniformUMin, Op::OpGroupNonUniformUMax},
    {"operator", Op::OpGroupNonUniformFMax, Op::OpGroupNonUniformFMin},
    {"operator", Op::OpGroupNonUniformFMin, Op::OpGroupNonUniformFMax},
    {"operator", Op::OpGroupNonUniformShuffleXor, Op::OpGroupNonUniformShuffle},
    {"operator", Op::OpAtomicIAdd, Op::OpAtomicUMax},
    {"operator", Op::OpAtomicUMax, Op::OpAtomicUMin},
    {"operator", Op::OpAtomicUMin, Op::OpAtomicUMax},
    {"operator", Op::OpAtomicOr, Op::OpAtomicXor},
    {"operator", Op::OpAtomicAnd, Op::OpAtomicOr},
    {"operator", Op::OpBitCount, Op::OpNot},
    {"comparison", Op::OpULessThan, Op::OpULessThanEqual},
    {"comparison", Op::OpULessThanEqual, Op::OpULessThan},
    {"comparison", Op::OpUGreaterThan, Op::OpUGreaterThanEqual},
    {"comparison", Op::OpUGreaterThanEqual, Op::OpUGreaterThan},
    {"comparison", Op::OpSLessThan, Op::OpSLessThanEqual},
    {"comparison", Op::OpSLessThanEqual, Op::OpSLessThan},
    {"comparison", Op::OpSGreaterThan, Op::OpSGreaterThanEqual},
    {"comparison", Op::OpSGreaterThanEqual, Op::OpSGreaterThan},
    {"comparison", Op::OpULessThan, Op::OpUGreaterThanEqual},
    {"comparison", Op::OpSLessThan, Op::OpSGreaterThanEqual},
    {"comparison", Op::OpIEqual, Op::OpINotEqual},
    {"comparison", Op::OpINotEqual, Op::OpIEqual},
    {"comparison", Op::OpFOrdLessThan, Op::OpFOrdLessThanEqual},
    {"comparison", Op::OpFOrdLessThanEqual, Op::OpFOrdLessThan},
    {"comparison", Op::OpFOrdGreaterThan, Op::OpFOrdGreaterThanEqual},
    {"comparison", Op::OpFOrdGreaterThanEqual, Op::OpFOrdGreaterThan},
    {"comparison", Op::OpFOrdEqual, Op::OpFOrdNotEqual},
    {"comparison", Op::OpFOrdNotEqual, Op::OpFOrdEqual},
    {"comparison", Op::OpFUnordNotEqual, Op::OpFOrdEqual},
    {"comparison", Op::OpSLessThan, Op::OpULessThan},
    {"comparison", Op::OpSGreaterThan, Op::OpUGreaterThan},
    {"comparison", Op::OpSLessThanEqual, Op::OpULessThanEqual},
    {"comparison", Op::OpSGreaterThanEqual, Op::OpUGreaterThanEqual},
    {"comparison", Op::OpLogicalEqual, Op::OpLogicalNotEqual},
    {"comparison", Op::OpLogicalNotEqual, Op::OpLogicalEqual},
    {"comparison", Op::OpAny, Op::OpAll},
    {"comparison", Op::OpAll, Op::OpAny},
    {"rounding", Op::OpConvertFToU, Op::OpConvertFToS},
    {"rounding", Op::OpConvertFToS, Op::OpConvertFToU},
    {"rounding", Op::OpConvertUToF, Op::OpConvertSToF},
    {"rounding", Op::OpConvertSToF, Op::OpConvertUToF},
};

constexpr ExtendedRule kExtended[] = {
    {"comparison", GLSLstd450UMin, GLSLstd450UMax},       {"comparison", GLSLstd450UMax, GLSLstd450UMin},
    {"comparison", GLSLstd450SMin, GLSLstd450SMax},       {"comparison", GLSLstd450SMax, GLSLstd450SMin},
    {"comparison", GLSLstd450FMin, GLSLstd450FMax},       {"comparison", GLSLstd450FMax, GLSLstd450FMin},
    {"comparison", GLSLstd450UClamp, GLSLstd450UMin},     {"rounding", GLSLstd450Floor, GLSLstd450Ceil},
    {"rounding", GLSLstd450Ceil, GLSLstd450Floor},        {"rounding", GLSLstd450Round, GLSLstd450Floor},
    {"rounding", GLSLstd450RoundEven, GLSLstd450Floor},   {"rounding", GLSLstd450Trunc, GLSLstd450Ceil},
    {"operator", GLSLstd450SAbs, GLSLstd450SSign},        {"operator", GLSLstd450FAbs, GLSLstd450FSign},
    {"operator", GLSLstd450FMix, GLSLstd450FClamp},       {"operator", GLSLstd450Fma, GLSLstd450FClamp},
    {"operator", GLSLstd450FindUMsb, GLSLstd450FindILsb}, {"operator", GLSLstd450FindILsb, GLSLstd450FindUMsb},
    {"operator", GLSLstd450Sqrt, GLSLstd450InverseSqrt},
};

constexpr SwapRule kSwaps[] = {
    {"operands", Op::OpSelect, 1, 2},
    {"operands", Op::OpBranchConditional, 1, 2},
    {"operands", Op::OpISub, 0, 1},
    {"operands", Op::OpFSub, 0, 1},
    {"operands", Op::OpUDiv, 0, 1},
    {"operands", Op::OpFDiv, 0, 1},
    {"operands", Op::OpShiftLeftLogical, 0, 1},
    {"operands", Op::OpShiftRightLogical, 0, 1},
    {"operands", Op::OpCompositeConstruct, 0, 1},
};

constexpr DropRule kDrops[] = {
    {"store dropped", Op::OpStore},           {"store dropped", Op::OpImageWrite},
    {"store dropped", Op::OpAtomicStore},     {"barrier dropped", Op::OpControlBarrier},
    {"barrier dropped", Op::OpMemoryBarrier},
};

constexpr LiteralRule kLiterals[] = {
    {"index", Op::OpCompositeExtract, 1},
    {"index", Op::OpCompositeInsert, 2},
    {"index", Op::OpVectorShuffle, 2},
    {"index", Op::OpVectorShuffle, 3},
};

constexpr ConstantRule kConstants[] = {
    {"constant", Op::OpIAdd, 0, 1},
    {"constant", Op::OpISub, 0, 1},
    {"constant", Op::OpIMul, 0, 1},
    {"constant", Op::OpUDiv, 0, 1},
    {"constant", Op::OpUMod, 0, 1},
    {"constant", Op::OpSDiv, 0, 1},
    {"constant", Op::OpSRem, 0, 1},
    {"constant", Op::OpSMod, 0, 1},
    {"constant", Op::OpBitwiseAnd, 0, 1},
    {"constant", Op::OpBitwiseOr, 0, 1},
    {"constant", Op::OpBitwiseXor, 0, 1},
    {"constant", Op::OpShiftLeftLogical, 0, 1},
    {"constant", Op::OpShiftRightLogical, 0, 1},
    {"constant", Op::OpShiftRightArithmetic, 0, 1},
    {"constant", Op::OpULessThan, 0, 1},
    {"constant", Op::OpULessThanEqual, 0, 1},
    {"constant", Op::OpUGreaterThan, 0, 1},
    {"constant", Op::OpUGreaterThanEqual, 0, 1},
    {"constant", Op::OpSLessThan, 0, 1},
    {"constant", Op::OpSLessThanEqual, 0, 1},
    {"constant", Op::OpSGreaterThan, 0, 1},
    {"constant", Op::OpSGreaterThanEqual, 0, 1},
    {"constant", Op::OpIEqual, 0, 1},
    {"constant", Op::OpINotEqual, 0, 1},
    {"constant", Op::OpFAdd, 0, 1},
    {"constant", Op::OpFSub, 0, 1},
    {"constant", Op::OpFMul, 0, 1},
    {"constant", Op::OpFDiv, 0, 1},
    {"constant", Op::OpFOrdLessThan, 0, 1},
    {"constant", Op::OpFOrdGreaterThan, 0, 1},
    {"constant", Op::OpFOrdLessThanEqual, 0, 1},
    {"constant", Op::OpFOrdGreaterThanEqual, 0, 1},
    {"constant", Op::OpStore, 1, 1},
    {"constant", Op::OpSelect, 1, 2},
    {"constant", Op::OpFunctionCall, 1, 8},
    {"constant", Op::OpCompositeConstruct, 0, 3},
    {"constant", Op::OpImageWrite, 1, 2},
    {"constant", Op::OpAtomicIAdd, 3, 3},
    {"constant", Op::OpAtomicOr, 3, 3},
    {"constant", Op::OpGroupNonUniformShuffleXor, 2, 2},
    {"constant", Op::OpGroupNonUniformShuffle, 2, 2},
    {"constant", Op::OpBitFieldUExtract, 1, 2},
    {"constant", Op::OpBitFieldInsert, 2, 3},
    {"index", Op::OpAccessChain, 1, 4},
};

constexpr SemanticsRule kSemantics[] = {
    {kBarrierWeakened, Op::OpControlBarrier, 2}, {kBarrierWeakened, Op::OpMemoryBarrier, 1}, {kBarrierWeakened, Op::OpAtomicIAdd, 2},
    {kBarrierWeakened, Op::OpAtomicExchange, 2}, {kBarrierWeakened, Op::OpAtomicLoad, 2},    {kBarrierWeakened, Op::OpAtomicStore, 2},
};

constexpr PlainRule kPlain[] = {
    {"atomic made plain", Op::OpAtomicIAdd, Op::OpIAdd},      {"atomic made plain", Op::OpAtomicISub, Op::OpISub},
    {"atomic made plain", Op::OpAtomicOr, Op::OpBitwiseOr},   {"atomic made plain", Op::OpAtomicAnd, Op::OpBitwiseAnd},
    {"atomic made plain", Op::OpAtomicXor, Op::OpBitwiseXor},
};

}  // namespace

std::span<const OpcodeRule> opcodeRules() {
  return kOpcodes;
}
std::span<const ExtendedRule> extendedRules() {
  return kExtended;
}
std::span<const SwapRule> swapRules() {
  return kSwaps;
}
std::span<const DropRule> dropRules() {
  return kDrops;
}
std::span<const LiteralRule> literalRules() {
  return kLiterals;
}
std::span<const ConstantRule> constantRules() {
  return kConstants;
}
std::span<const SemanticsRule> semanticsRules() {
  return kSemantics;
}
std::span<const PlainRule> plainRules() {
  return kPlain;
}

}  // namespace lanewise
