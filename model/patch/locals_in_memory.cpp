#include "model/patch/locals_in_memory.h"

#include <algorithm>
#include <map>

#include "model/patch/additions.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

using spv::Op;
using Words = std::vector<std::uint32_t>;

template <class T>
constexpr std::uint32_t word(T value) {
  return static_cast<std::uint32_t>(value);
}

class Keeper {
 public:
  Keeper(const spirv::Module& m, const spirv::EntryPoint& entry) : m_(m), entry_(entry), added_(m) {
    for (const spirv::Instruction& inst : m.instructions)
      if (isLocal(inst)) arrayOf_[inst.result] = 0;
    for (std::size_t at = m.functions.empty() ? m.instructions.size() : m.functions[0].first; at < m.instructions.size(); ++at) {
      const spirv::Instruction& inst = m.instructions[at];
      for (std::size_t i = accesses(inst.op) ? 1 : 0; i < inst.operands.size(); ++i)
        if (std::ranges::count(m.namedBy(inst), inst.operand(i)) != 0) arrayOf_.erase(inst.operand(i));
    }
  }

  std::optional<ShaderModule> make() {
    if (arrayOf_.empty()) return {};
    findIndex();
    for (auto& [variable, array] : arrayOf_) array = arrayType(m_.definition(m_.definition(variable)->type)->operand(1));
    return added_.with([this](const spirv::Instruction& inst, Words& out) {
      const std::span<const std::uint32_t> own = spirv::wordsOf(m_, inst);
      Words words(own.begin(), own.end());
      if (inst.op == Op::OpEntryPoint && inst.operand(1) == entry_.function && !std::ranges::count(entry_.interface, index_)) {
        words.push_back(index_);
        words[0] += 1u << 16;
      }
      if (const auto at = arrayOf_.find(inst.result); inst.op == Op::OpVariable && at != arrayOf_.end()) words[1] = at->second;
      if (accesses(inst.op) && arrayOf_.contains(inst.operand(0))) words[own.size() - inst.operands.size()] = element(out, inst.operand(0));
      out.insert(out.end(), words.begin(), words.end());
    });
  }

 private:
  static bool accesses(Op op) {
    return op == Op::OpLoad || op == Op::OpStore || op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain;
  }
  // A scalar or a vector.
  bool isLocal(const spirv::Instruction& inst) const {
    if (inst.op != Op::OpVariable || inst.operand(0) != word(spv::StorageClass::Function) || inst.operands.size() != 1) return false;
    const Op type = m_.definition(m_.definition(inst.type)->operand(1))->op;
    return type == Op::OpTypeInt || type == Op::OpTypeFloat || type == Op::OpTypeBool || type == Op::OpTypeVector;
  }

  // LocalInvocationIndex, and its type.
  void findIndex() {
    for (const spirv::Instruction& inst : m_.instructions)
      if (inst.op == Op::OpVariable &&
          word(spv::BuiltIn::LocalInvocationIndex) == m_.decorationNumber(inst.result, spv::Decoration::BuiltIn))
        index_ = inst.result;
    if (index_ != 0) {
      integer_ = m_.definition(m_.definition(index_)->type)->operand(1);
    } else {
      integer_ = added_.type(Op::OpTypeInt, {32, 0});
      const std::uint32_t pointer = added_.type(Op::OpTypePointer, {word(spv::StorageClass::Input), integer_});
      index_ = added_.variable(pointer, spv::StorageClass::Input);
      added_.decorate(index_, spv::Decoration::BuiltIn, {word(spv::BuiltIn::LocalInvocationIndex)});
    }
    two_ = added_.constant(2);
    shift_ = added_.constant(31);
  }
  // The pointer type of two of a type.
  std::uint32_t arrayType(std::uint32_t type) {
    std::uint32_t& own = pointerTo_[type];
    if (own == 0)
      own = added_.newType(Op::OpTypePointer, {word(spv::StorageClass::Function), added_.newType(Op::OpTypeArray, {type, two_})});
    return own;
  }

  // A pointer to what a variable holds.
  std::uint32_t element(Words& out, std::uint32_t variable) {
    const std::uint32_t index = added_.newId(), zero = added_.newId(), pointer = added_.newId();
    spirv::appendInstruction(out, Op::OpLoad, {integer_, index, index_});
    spirv::appendInstruction(out, Op::OpShiftRightLogical, {integer_, zero, index, shift_});
    spirv::appendInstruction(out, Op::OpAccessChain, {m_.definition(variable)->type, pointer, variable, zero});
    return pointer;
  }

  const spirv::Module& m_;
  const spirv::EntryPoint& entry_;
  Additions added_;
  std::uint32_t index_ = 0, integer_ = 0, two_ = 0, shift_ = 0;
  std::map<std::uint32_t, std::uint32_t> arrayOf_;    // by variable: its new type
  std::map<std::uint32_t, std::uint32_t> pointerTo_;  // by type
};

}  // namespace

std::optional<ShaderModule> withLocalsInMemory(const spirv::Module& module, const std::string& entryPoint) {
  const spirv::EntryPoint* entry = module.computeEntry(entryPoint);
  if (!entry) return {};
  return Keeper(module, *entry).make();
}

}  // namespace lanewise
