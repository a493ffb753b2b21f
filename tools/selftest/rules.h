// The mutation rules as data. See mutants.h.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>
#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace lanewise {

// The name of the rule whose mutants may decode to the program of the unchanged module: the model executes all memory semantics alike.
inline constexpr const char* kBarrierWeakened = "barrier weakened";

// An opcode becomes another one with the same operands.
struct OpcodeRule {
  const char* name;
  spv::Op from, to;
};
std::span<const OpcodeRule> opcodeRules();

// The same for GLSL.std.450.
struct ExtendedRule {
  const char* name;
  GLSLstd450 from, to;
};
std::span<const ExtendedRule> extendedRules();

// The operands `first` and `second` change places.
struct SwapRule {
  const char* name;
  spv::Op op;
  std::uint32_t first, second;  // after type and result
};
std::span<const SwapRule> swapRules();

// The instruction is removed. It must have no result.
struct DropRule {
  const char* name;
  spv::Op op;
};
std::span<const DropRule> dropRules();

// A literal index grows by one, or decreases by one if that would not be valid.
struct LiteralRule {
  const char* name;
  spv::Op op;
  std::uint32_t operand;
};
std::span<const LiteralRule> literalRules();

// Constant operands from `first` to `last` become the next number, one use at a time.
struct ConstantRule {
  const char* name;
  spv::Op op;
  std::uint32_t first, last;
};
std::span<const ConstantRule> constantRules();

// The operand with the memory semantics becomes none.
struct SemanticsRule {
  const char* name;
  spv::Op op;
  std::uint32_t operand;
};
std::span<const SemanticsRule> semanticsRules();

// For an atomic with pointer, scope, semantics and value: becomes a load, the operation and a store.
struct PlainRule {
  const char* name;
  spv::Op atomic, plain;
};
std::span<const PlainRule> plainRules();

}  // namespace lanewise
