// Which variables of a function only hold a value: they are stored once, and what reads them comes behind that in the same block. Without
// optimisation, compilers pass every argument through such a variable, to a function that only reads it. So nothing is lowered for them
// (lowering.h): the variable is the value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

// An instruction of the module that is lowered, in a block that is reachable.
struct Lowerable {
  std::uint32_t instruction = 0;
  std::uint32_t steps = 0;  // that begin with it: its own, and those of instructions before it that need not be lowered
  bool hasRow = true;       // its operation (ir/operation_info.h)
};

class HeldVariables {
 public:
  explicit HeldVariables(const spirv::Module& module) : m_(module), known_(module.instructions.size() + 1) {}
  // The instructions of a function that are lowered, in their order. The functions that it calls come before.
  void read(std::span<const Lowerable> instructions);
  // An OpVariable or OpFunctionParameter.
  bool holds(const spirv::Instruction& inst) const { return known_[indexOf(inst)].state == State::kHeld; }

 private:
  enum class State : std::uint8_t { kNone, kHeld, kOther };
  struct Known {
    State state = State::kNone;
    std::uint32_t root = 0;      // of a pointer into one of these: where that is defined
    std::uint32_t storedIn = 0;  // of a variable: the block, 0 for none yet
  };
  std::size_t indexOf(const spirv::Instruction& inst) const { return static_cast<std::size_t>(&inst - m_.instructions.data()); }
  // Of what an id points into; nullptr: of nothing that may be held.
  Known* rootOf(std::uint32_t id);
  void begin(const spirv::Instruction& inst, std::uint32_t storedIn);
  void reads(std::uint32_t id);
  void store(const spirv::Instruction& inst);
  void step(const spirv::Instruction& inst);
  void call(const spirv::Instruction& inst);
  void lose(std::uint32_t id);

  static constexpr std::uint32_t kAnyBlock = ~0u;  // a parameter's
  const spirv::Module& m_;
  std::vector<Known> known_;  // by instruction
  std::uint32_t block_ = 0;   // of all that are read, from 1
};

}  // namespace lanewise
