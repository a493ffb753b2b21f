// The mutation rules as data. See mutants.h.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>
#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace lanewise {

// An opcode that becomes another with the same operands.
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

// Operands first and second change places.
struct SwapRule {
  const char* name;
  spv::Op op;
  std::uint32_t first, second;  // after type and result
};
std::span<const SwapRule> swapRules();

// The instruction goes: it has no result.
struct DropRule {
  const char* name;
  spv::Op op;
};
std::span<const DropRule> dropRules();

// A literal index grows by one, or falls by one where that is not valid.
struct LiteralRule {
  const char* name;
  spv::Op op;
  std::uint32_t operand;
};
std::span<const LiteralRule> literalRules();

// Operands that are constants become the next number, one use at a time: those from `first` to `last`.
struct ConstantRule {
  const char* name;
  spv::Op op;
  std::uint32_t first, last;
};
std::span<const ConstantRule> constantRules();

// The operand that holds memory semantics becomes none.
struct SemanticsRule {
  const char* name;
  spv::Op op;
  std::uint32_t operand;
};
std::span<const SemanticsRule> semanticsRules();

// Pointer, scope, semantics, value: becomes a load, the operation and a store.
struct PlainRule {
  const char* name;
  spv::Op atomic, plain;
};
std::span<const PlainRule> plainRules();

}  // namespace lanewise
