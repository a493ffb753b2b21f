// An update of memory that loads, computes and stores, where one atomic instruction would do: `bits[i] |= x`, `count += 1`.
//
// Source: SPIR-V 1.6, 3.42.18 "Atomic Instructions". Of 32-bit integers. The load and the store have to be in one block and of the same
// pointer, or of pointers that are computed in the same way, with nothing between that may store. Gap: what other invocations store between
// is not looked at, so what is replaced has to be tried.
#pragma once

#include <optional>

#include "model/spirv/module.h"

namespace lanewise {

// Indices of instructions.
struct AtomicUpdate {
  std::size_t load = 0, operation = 0, store = 0;
  spv::Op op{};             // of the atomic
  std::uint32_t value = 0;  // its operand
};

// The update that an OpLoad or OpStore is part of.
std::optional<AtomicUpdate> atomicUpdateAt(const spirv::Module& module, std::size_t instruction);
// "atomicOr()"
const char* atomicName(spv::Op op);

}  // namespace lanewise
