// Makes a Type of each OpType* instruction, in the order of the module. See declarations.h.
#pragma once

#include "model/spirv/declarations.h"

namespace lanewise::spirv {

class TypeMaker {
 public:
  // Both must outlive it. It reads array lengths from `out` and adds types to it.
  TypeMaker(const Module& module, Declarations& out) : m_(module), out_(out) {}

  // Takes an instruction without a result type; ignores one that makes no type.
  Status read(const Instruction& inst);

 private:
  Status make(const Instruction& inst, Type& type);
  Status elements(const Instruction& inst, Type& type, Type::Kind kind, std::uint32_t count);
  Status array(const Instruction& inst, Type& type);
  Status structure(const Instruction& inst, Type& type);
  Status pointer(const Instruction& inst, Type& type);
  Status image(const Instruction& inst, Type& type);
  Type& own(std::uint32_t id);
  const Type* part(std::uint32_t id, const Type& whole);
  Error bad(const Instruction& inst, std::string what) const;

  const Module& m_;
  Declarations& out_;
  std::unordered_map<std::uint32_t, Type*> forward_;        // pointers that are named before they are declared
  std::unordered_map<const Type*, std::uint32_t> nesting_;  // how deep types lie in one another
};

}  // namespace lanewise::spirv
