// The types and constants of a module under a specialization: everything before its first function. Only this code reads them; the model,
// the Vulkan backend and the tools use it.
//
// Source: SPIR-V 1.6, 3.49.6 "Type-Declaration Instructions", 3.49.7 "Constant-Creation Instructions"; Vulkan 1.3, "Specialization
// Constants".
// Promise: one pass in the order of the module, without recursion, because the parts of a type and the constituents of a constant come
// before it (except for pointees). Anything that parse() accepts gives declarations or an Error, in memory and time bounded by its length.
// Constants are computed here by model/scalar's functions, not by the model's table of operations. A module has one interface whatever runs
// it, so array lengths must not depend on a profile. The model computes its own OpSpecConstantOp by its table, where a profile chooses
// undefined results and how floats convert; tests check that both agree on all defined results.
// Gaps: the lengths of cooperative matrices; float formats other than IEEE 754's (the type is Kind::kOther); a composite with an undefined
// part is not a constant here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/contract/device.h"
#include "model/spirv/module.h"
#include "model/spirv/types.h"

namespace lanewise::spirv {

struct Constant {
  const Type* type = nullptr;
  // By leaf of the type: the bits in the low places, a boolean as 0 or 1. Empty: all are 0 (OpConstantNull, OpUndef).
  std::vector<std::uint64_t> leaves;

  std::uint64_t leaf(std::uint32_t i) const { return i < leaves.size() ? leaves[i] : 0; }
};

struct Declarations {
  std::vector<std::unique_ptr<Type>> ownedTypes;  // what everything else points into
  std::unordered_map<std::uint32_t, const Type*> types;
  std::unordered_map<std::uint32_t, Constant> constants;

  const Type* type(std::uint32_t id) const;          // nullptr: the id is no type
  const Constant* constant(std::uint32_t id) const;  // nullptr: it is no constant, or one that cannot be computed
  // A constant integer or boolean.
  std::optional<std::uint64_t> number(std::uint32_t id) const;
};

// If one SpecId has two values, the first is used. Errors: bad input (a type of parts that are not types, or nested beyond kMaxNesting; the
// length of an array is undefined), unsupported (the length of an array cannot be computed; constants of more than 2^22 scalars in all).
Expected<Declarations> readDeclarations(const Module& module, std::span<const SpecConstant> spec);

// The leaves [first, first + type->leaves) of a composite at a path of literal indices. Empty if the path leads outside of it.
struct LeafRange {
  std::uint32_t first = 0;
  const Type* type = nullptr;
};
std::optional<LeafRange> leavesAt(const Type& composite, std::span<const std::uint32_t> indices);

}  // namespace lanewise::spirv
