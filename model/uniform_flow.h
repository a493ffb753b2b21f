// Which instructions all invocations of a workgroup execute together: those where a control barrier may stand.
//
// Source: SPIR-V 1.6, 2.11 "Structured Control Flow"; OpControlBarrier. A branch is uniform if its condition is computed from constants,
// push constants, uniform memory, WorkgroupId and NumWorkgroups alone, or from variables of a function that hold only such values; or if a
// control barrier of the workgroup stands in what it governs already, which says that the author knows. Promise: where that last is true,
// every invocation of the workgroup reaches a block that is called uniform as often as all others. Gap: more branches are uniform than
// those: a parameter, and what a call gives, are taken to differ.
#pragma once

#include <set>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

// Instructions are named by their index in Module::instructions.
class UniformFlow {
 public:
  // The module must outlive it.
  UniformFlow(const spirv::Module& module, const spirv::EntryPoint& entry);

  bool isUniform(std::size_t instruction) const;

  // Places for a barrier that orders what comes before from an instruction: the instruction that it should stand before. The nearest ones
  // that all invocations reach and from which all ways to the instruction lead through it; of a function that is called in divergent
  // control flow, before its calls. Each is the first of its source line in its block.
  std::vector<std::size_t> before(std::size_t instruction) const;
  // The same after an instruction: what all invocations reach next.
  std::vector<std::size_t> after(std::size_t instruction) const;

 private:
  struct Block {
    std::uint32_t id = 0;
    std::size_t first = 0, last = 0;           // its label and its terminator
    std::uint32_t merge = 0, continuesAt = 0;  // of its merge instruction
    std::vector<std::uint32_t> next;
    bool divergent = false;
  };
  struct Function {
    std::uint32_t id = 0;
    std::vector<Block> blocks;
    std::vector<std::size_t> calls;  // of it
    bool divergent = false;          // where it is called
  };

  void readFunction(const spirv::FunctionRange& range);
  void findVarying();
  bool varies(const spirv::Instruction& inst) const;
  bool markDivergent();
  bool markDivergent(Function& f, const Block& header);
  bool isVaryingBranch(const Block& b) const;
  bool mark(Function& f, const std::set<std::uint32_t>& blocks);
  static std::set<std::uint32_t> reachable(const Function& f, const std::vector<std::uint32_t>& from, const std::set<std::uint32_t>& stops);
  bool hasBarrier(const Function& f, const std::set<std::uint32_t>& blocks) const;
  std::size_t functionAt(std::size_t instruction) const;
  const Block& blockAt(const Function& f, std::size_t instruction) const;
  static const Block& blockOf(const Function& f, std::uint32_t id);
  const Block* headerOfLine(const Function& f, const Block& b, std::size_t instruction) const;
  std::size_t lineStart(const Block& b, std::size_t instruction) const;
  std::size_t beforeMerge(const Block& b, std::size_t instruction) const;
  std::size_t firstOf(const Block& b) const;

  const spirv::Module& m_;
  std::vector<Function> functions_;
  std::vector<bool> varying_;  // by id
};

}  // namespace lanewise
