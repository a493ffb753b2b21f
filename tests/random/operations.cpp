// What random kernels may compute: the tables.
#include "tests/random/kernel.h"

namespace lanewise::random {
namespace {

using W = Width;
using G = Operation::Guard;
constexpr G n = G::kNone, s = G::kShift, d = G::kDivisor, p = G::kPositive, f = G::kField;

// The operations that every integer width has.
void ofEachWidth(std::vector<Operation>& out, W w) {
  for (const char* name : {"OpIAdd", "OpISub", "OpIMul", "OpBitwiseAnd", "OpBitwiseOr", "OpBitwiseXor"})
    out.push_back({name, w, {w, w}, {n, n}});
  for (const char* name : {"OpShiftLeftLogical", "OpShiftRightLogical", "OpShiftRightArithmetic"}) out.push_back({name, w, {w, w}, {n, s}});
  for (const char* name : {"OpUDiv", "OpUMod", "OpSDiv"}) out.push_back({name, w, {w, w}, {n, d}});
  for (const char* name : {"OpSRem", "OpSMod"}) out.push_back({name, w, {w, w}, {p, d}});
  for (const char* name : {"OpNot", "OpSNegate"}) out.push_back({name, w, {w}, {n}});
  for (const char* name : {"OpIEqual", "OpINotEqual", "OpUGreaterThan", "OpUGreaterThanEqual", "OpULessThan", "OpULessThanEqual",
                           "OpSGreaterThan", "OpSGreaterThanEqual", "OpSLessThan", "OpSLessThanEqual"})
    out.push_back({name, W::kBool, {w, w}, {n, n}});
  out.push_back({"OpSelect", w, {W::kBool, w, w}, {n, n, n}});
  for (const char* name : {"glsl SMin", "glsl SMax", "glsl UMin", "glsl UMax"}) out.push_back({name, w, {w, w}, {n, n}});
  for (const char* name : {"glsl SAbs", "glsl SSign"}) out.push_back({name, w, {w}, {n}});
}

std::vector<Operation> make() {
  std::vector<Operation> out;
  for (const W w : {W::kU32, W::kU64, W::kU16, W::kU8}) ofEachWidth(out, w);
  for (const W to : {W::kU8, W::kU16, W::kU32, W::kU64})
    for (const W from : {W::kU8, W::kU16, W::kU32, W::kU64})
      if (to != from)
        for (const char* name : {"OpUConvert", "OpSConvert"}) out.push_back({name, to, {from}, {n}});
  for (const char* name : {"OpLogicalAnd", "OpLogicalOr", "OpLogicalEqual", "OpLogicalNotEqual"})
    out.push_back({name, W::kBool, {W::kBool, W::kBool}, {n, n}});
  out.push_back({"OpLogicalNot", W::kBool, {W::kBool}, {n}});
  for (const char* name : {"OpIAddCarry.0", "OpIAddCarry.1", "OpISubBorrow.0", "OpISubBorrow.1", "OpUMulExtended.0", "OpUMulExtended.1",
                           "OpSMulExtended.0", "OpSMulExtended.1"})
    out.push_back({name, W::kU32, {W::kU32, W::kU32}, {n, n}});
  for (const char* name : {"OpBitCount", "OpBitReverse", "glsl FindILsb", "glsl FindSMsb", "glsl FindUMsb"})
    out.push_back({name, W::kU32, {W::kU32}, {n}});
  out.push_back({"OpBitFieldUExtract", W::kU32, {W::kU32, W::kU32, W::kU32}, {n, f, f}});
  out.push_back({"OpBitFieldSExtract", W::kU32, {W::kU32, W::kU32, W::kU32}, {n, f, f}});
  out.push_back({"OpBitFieldInsert", W::kU32, {W::kU32, W::kU32, W::kU32, W::kU32}, {n, n, f, f}});
  return out;
}

}  // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table = make();
  return table;
}

const std::vector<SubgroupOperation>& subgroupOperations() {
  static const std::vector<SubgroupOperation> table = {
      {"OpGroupNonUniformIAdd", "Reduce", false, -1, true},
      {"OpGroupNonUniformIAdd", "InclusiveScan", false, -1, true},
      {"OpGroupNonUniformIAdd", "ExclusiveScan", false, -1, true},
      {"OpGroupNonUniformIMul", "Reduce", false, -1, true},
      {"OpGroupNonUniformSMin", "Reduce", false, -1, true},
      {"OpGroupNonUniformUMax", "InclusiveScan", false, -1, true},
      {"OpGroupNonUniformBitwiseXor", "InclusiveScan", false, -1, true},
      {"OpGroupNonUniformBitwiseAnd", "Reduce", false, -1, true},
      {"OpGroupNonUniformBitwiseOr", "ExclusiveScan", false, -1, true},
      {"OpGroupNonUniformBroadcastFirst", "", false, -1, true},
      {"OpGroupNonUniformShuffleXor", "", false, 1, false},
      {"OpGroupNonUniformShuffleXor", "", false, 2, false},
      {"OpGroupNonUniformQuadSwap", "", false, 0, false},
      {"OpGroupNonUniformQuadSwap", "", false, 2, false},
      {"OpGroupNonUniformQuadBroadcast", "", false, 3, false},
      {"OpGroupNonUniformBallotBitCount", "Reduce", true, -1, true},
      {"OpGroupNonUniformBallotBitCount", "ExclusiveScan", true, -1, true},
      {"OpGroupNonUniformBallotFindLSB", "", true, -1, false},
  };
  return table;
}

}  // namespace lanewise::random
