// One scalar operation of an OpSpecConstantOp.
//
// Source: SPIR-V 1.6, 3.49.7 "OpSpecConstantOp": every opcode that it allows without the Kernel capability, except those that only move
// constituents (read_declarations.cpp has them) and the lengths of cooperative matrices. Each is what its row in model/ir/rows says: its
// types, its function on scalars and its definedness, with the strict choices, because a module has one interface for every device. What
// SPIR-V or Vulkan leaves undefined (a division by zero) has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/spirv/types.h"

namespace lanewise::spirv {

// Bits are in the low places with zeros above them; a boolean is 0 or 1. `result` and `operand` are the types of the result and of the
// first operand. Empty for other opcodes, for types that the opcode does not take, and for an undefined result.
std::optional<std::uint64_t> specOperation(spv::Op op, Scalar result, Scalar operand, std::span<const std::uint64_t> args);

// Whether an operation may be undefined for operands of its types: divisions and shifts.
bool hasUndefinedResults(spv::Op op);

// The value that a scalar of this type has when Vulkan is given these bytes for it.
std::uint64_t narrowed(Scalar type, std::uint64_t bits);

}  // namespace lanewise::spirv
