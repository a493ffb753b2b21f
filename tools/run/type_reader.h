// The types and constants of a parsed module, read for people. See interface.h for sources and gaps.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/contract/device.h"
#include "model/ir/types.h"
#include "model/spirv/module.h"

namespace lanewise {

class TypeReader {
 public:
  // All three must outlive the reader; the types go into `owner`.
  TypeReader(const spirv::Module& module, std::span<const SpecConstant> spec, std::vector<std::unique_ptr<Type>>& owner)
      : m_(module), spec_(spec), owner_(owner) {}

  // nullptr for an id that is no type. A type whose nesting is deeper than any real one's has no element.
  const Type* read(std::uint32_t id, int depth = 0);
  // The value of an integer or boolean constant after specialization; empty for others.
  std::optional<std::uint64_t> constant(std::uint32_t id, int depth = 0);
  // LocalSize, LocalSizeId, or the constant decorated WorkgroupSize, which wins.
  void localSize(std::uint32_t function, std::uint32_t size[3]);

 private:
  void readMembers(const spirv::Instruction& inst, Type& type, int depth);
  std::optional<std::uint64_t> operation(const spirv::Instruction& inst, int depth);

  const spirv::Module& m_;
  std::span<const SpecConstant> spec_;
  std::vector<std::unique_ptr<Type>>& owner_;
  std::unordered_map<std::uint32_t, const Type*> read_;
};

// Is it an instruction of a set that has no effect on the result?
bool isNonSemantic(const spirv::Module& module, const spirv::Instruction& extInst);

}  // namespace lanewise
