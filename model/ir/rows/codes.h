// The number of an operation: SPIR-V's own, GLSL.std.450's with kGlsl added, or one of Own for what SPIR-V does not have.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace lanewise::ir {

using Code = std::uint32_t;
inline constexpr Code kGlsl = 0x10000;
inline constexpr Code kOwn = 0x20000;

constexpr Code core(spv::Op op) {
  return static_cast<Code>(op);
}
constexpr Code codeOf(spv::Op op) {
  return core(op);
}
constexpr Code codeOf(GLSLstd450 number) {
  return kGlsl + static_cast<Code>(number);
}
constexpr Code codeOf(Code own) {
  return own;
}

// The model's own: values of a program, arithmetic that SPIR-V has no number for, and what the rows of own.inc declare.
enum Own : Code {
  kConstant = kOwn,
  kUndef,   // undefined; a register of zeros. Its origin: an OpUndef, or the variable that nobody has written
  kResult,  // of the operation in argument 0
  kPhi,     // one argument a predecessor, in the order of Block::predecessors
  kSticky,  // a copy that lanes keep when they leave a loop before others
  kInput,
  kPack,           // arguments joined into one wider scalar, the first in the low bits
  kUnpack,         // part argument 1 (a constant) of argument 0
  kIndex64,        // argument 0 as an index of 32 bits: 2^32 - 1 where it does not fit
  kConvertToEven,  // OpFConvert with the FPRoundingMode RTE
  kConvertToZero,  // ... RTZ
  kSubgroupMask,   // of lane argument 0: the built-in of argument 1, and which word of it
  kAddress,        // argument 0 * argument 1 + argument 2, saturating at 2^32 - 1: an index out of range never wraps into range
  kOffset,         // argument 2 + argument 0 * argument 1, signed, within one object: 3 GiB and more stand for an offset below 0
#define OWN(code, ...) code,
#include "model/ir/rows/own.inc"
#undef OWN
  kOverDeterminant  // a quotient of the inverse of a matrix
};

}  // namespace lanewise::ir
