#include "model/patch/word_parts.h"

#include <algorithm>
#include <optional>

#include "model/patch/atomic_update.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spirv::Module;
using spv::Op;
using Words = Additions::Words;

bool isChain(Op op) {
  return op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain;
}

// The type that a pointer leads to; nullptr: it is no pointer.
const Instruction* pointeeOf(const Module& m, const Instruction& pointer) {
  const Instruction* type = m.definition(pointer.type);
  return type && type->op == Op::OpTypePointer ? m.definition(type->operand(1)) : nullptr;
}

// 8 or 16, of an integer; else 0.
std::uint32_t partBits(const Instruction* type) {
  return type && type->op == Op::OpTypeInt && type->operand(0) < 32 ? type->operand(0) : 0;
}

// Where a chain leads: bytes, and by how much indices change that.
struct PartPlace {
  struct Term {
    std::uint32_t index = 0, stride = 0;
  };
  std::uint32_t bytes = 0;
  std::vector<Term> terms;
};

std::optional<PartPlace> placeOf(const Module& m, const Instruction& variable, const Instruction& chain) {
  const Instruction* type = pointeeOf(m, variable);
  const bool isShared = static_cast<spv::StorageClass>(variable.operand(0)) == spv::StorageClass::Workgroup;
  PartPlace out;
  for (const std::uint32_t id : chain.operands.subspan(1)) {
    const Instruction* index = m.definition(id);
    if (!type || !index) return {};
    if (type->op == Op::OpTypeStruct) {
      const auto offset = m.memberDecorationNumber(type->result, index->operand(0), spv::Decoration::Offset);
      if (!offset || index->op != Op::OpConstant) return {};
      out.bytes += *offset;
      type = m.definition(type->operand(index->operand(0)));
      continue;
    }
    if (type->op != Op::OpTypeArray && type->op != Op::OpTypeRuntimeArray) return {};
    const Instruction *element = m.definition(type->operand(0)), *indexType = m.definition(index->type);
    const auto stride = isShared ? partBits(element) / 8 : m.decorationNumber(type->result, spv::Decoration::ArrayStride).value_or(0);
    if (stride == 0 || !indexType || indexType->op != Op::OpTypeInt || indexType->operand(0) != 32) return {};
    out.terms.push_back({id, stride});
    type = element;
  }
  return partBits(type) != 0 ? std::optional(out) : std::nullopt;
}

class WordMaker {
 public:
  WordMaker(const Module& m, std::uint32_t variable, Additions& added, std::map<std::uint32_t, Words>& before,
            std::set<std::uint32_t>& dropped)
      : m_(m), variable_(*m.definition(variable)), added_(added), before_(before), dropped_(dropped) {}

  void run() {
    declare();
    for (const Instruction& inst : m_.instructions)
      if (isChain(inst.op) && inst.operand(0) == variable_.result) chain(inst);
    std::set<std::size_t> updated;  // loads and stores
    for (std::size_t i = 0; i < m_.instructions.size(); ++i) {
      if (m_.instructions[i].op != Op::OpStore || !parts_.contains(m_.instructions[i].operand(0))) continue;
      const auto own = partUpdateAt(m_, i);
      if (own) updated.insert({i, own->from.load});
      own ? update(*own) : store(m_.instructions[i]);
    }
    for (std::size_t i = 0; i < m_.instructions.size(); ++i)
      if (m_.instructions[i].op == Op::OpLoad && parts_.contains(m_.instructions[i].operand(0)) && !updated.contains(i))
        load(m_.instructions[i]);
  }

 private:
  // A part: its word, and by how much that is shifted.
  struct Part {
    std::uint32_t word = 0, shift = 0, bits = 0;
  };

  void declare() {
    const auto storage = static_cast<spv::StorageClass>(variable_.operand(0));
    const Instruction* type = pointeeOf(m_, variable_);
    std::uint32_t words = 0;
    if (storage == spv::StorageClass::Workgroup) {
      const std::uint32_t bytes = m_.definition(type->operand(1))->operand(0) * partBits(m_.definition(type->operand(0))) / 8;
      words = added_.newType(Op::OpTypeArray, {word(), added_.constant((bytes + 3) / 4)});
    } else {
      const std::uint32_t all = added_.newType(Op::OpTypeRuntimeArray, {word()});
      words = added_.newType(Op::OpTypeStruct, {all});
      added_.decorate(all, spv::Decoration::ArrayStride, {4});
      added_.decorate(words, spv::Decoration::Block);
      added_.decorateMember(words, 0, spv::Decoration::Offset, {0});
    }
    isBlock_ = storage != spv::StorageClass::Workgroup;
    const bool isVulkan = std::ranges::count(m_.capabilities, spv::Capability::VulkanMemoryModel) != 0;
    const spv::Scope wide = isVulkan ? spv::Scope::QueueFamily : spv::Scope::Device;
    scope_ = added_.constant(static_cast<std::uint32_t>(isBlock_ ? wide : spv::Scope::Workgroup));
    const auto storageWord = static_cast<std::uint32_t>(storage);
    pointer_ = added_.type(Op::OpTypePointer, {storageWord, word()});
    added_.variable(added_.type(Op::OpTypePointer, {storageWord, words}), storage, variable_.result);
    dropped_.insert(variable_.offset);
  }

  std::uint32_t word() { return added_.type(Op::OpTypeInt, {32, 0}); }
  std::uint32_t make(Words& to, Op op, std::uint32_t a, std::uint32_t b) {
    spirv::appendInstruction(to, op, {word(), added_.newId(), a, b});
    return to[to.size() - 3];
  }

  void chain(const Instruction& inst) {
    const PartPlace place = *placeOf(m_, variable_, inst);
    Words& to = before_[inst.offset];
    std::uint32_t bytes = added_.constant(place.bytes);
    for (const PartPlace::Term& term : place.terms) {
      const std::uint32_t index = added_.newId();
      spirv::appendInstruction(to, m_.definition(term.index)->type == word() ? Op::OpCopyObject : Op::OpBitcast,
                               {word(), index, term.index});
      bytes = make(to, Op::OpIAdd, bytes, make(to, Op::OpIMul, index, added_.constant(term.stride)));
    }
    const std::uint32_t number = make(to, Op::OpShiftRightLogical, bytes, added_.constant(2));
    Part part{added_.newId(), 0, partBits(pointeeOf(m_, inst))};
    part.shift = make(to, Op::OpIMul, make(to, Op::OpBitwiseAnd, bytes, added_.constant(3)), added_.constant(8));
    if (isBlock_)
      spirv::appendInstruction(to, Op::OpAccessChain, {pointer_, part.word, variable_.result, added_.constant(0), number});
    else
      spirv::appendInstruction(to, Op::OpAccessChain, {pointer_, part.word, variable_.result, number});
    parts_[inst.result] = part;
    dropped_.insert(inst.offset);
  }

  std::uint32_t ones(const Part& part) { return added_.constant((1u << part.bits) - 1); }
  // The bits of a value, where the part has them.
  std::uint32_t shifted(Words& to, const Part& part, std::uint32_t value) {
    const std::uint32_t wide = added_.newId();
    const Instruction* type = m_.definition(m_.definition(value)->type);
    const Op widens = type->operand(0) != 32 ? Op::OpUConvert : type->result == word() ? Op::OpCopyObject : Op::OpBitcast;
    spirv::appendInstruction(to, widens, {word(), wide, value});
    return make(to, Op::OpShiftLeftLogical, make(to, Op::OpBitwiseAnd, wide, ones(part)), part.shift);
  }
  // All bits of the word but the part's.
  std::uint32_t others(Words& to, const Part& part) {
    const std::uint32_t mask = make(to, Op::OpShiftLeftLogical, ones(part), part.shift);
    return make(to, Op::OpBitwiseXor, mask, added_.constant(~0u));
  }
  std::uint32_t atomic(Words& to, Op op, const Part& part, std::uint32_t value) {
    const std::uint32_t was = added_.newId();
    spirv::appendInstruction(to, op, {word(), was, part.word, scope_, added_.constant(0), value});
    return was;
  }
  // The name of the load is that of the part.
  void take(Words& to, const Part& part, const Instruction& load, std::uint32_t was) {
    const bool isSigned = m_.definition(load.type)->operand(1) != 0;
    const std::uint32_t moved = make(to, Op::OpShiftRightLogical, was, part.shift);
    spirv::appendInstruction(to, isSigned ? Op::OpSConvert : Op::OpUConvert, {load.type, load.result, moved});
    dropped_.insert(load.offset);
  }

  void load(const Instruction& inst) {
    Words& to = before_[inst.offset];
    const std::uint32_t was = added_.newId();
    spirv::appendInstruction(to, Op::OpLoad, {word(), was, parts_[inst.operand(0)].word});
    take(to, parts_[inst.operand(0)], inst, was);
  }
  void store(const Instruction& inst) {
    Words& to = before_[inst.offset];
    const Part& part = parts_[inst.operand(0)];
    const std::uint32_t value = shifted(to, part, inst.operand(1));
    atomic(to, Op::OpAtomicAnd, part, others(to, part));
    atomic(to, Op::OpAtomicOr, part, value);
    dropped_.insert(inst.offset);
  }
  void update(const AtomicUpdate& update) {
    const AtomicUpdate::Atomic& does = update.atomics[0];
    Words& to = before_[m_.instructions[does.before].offset];
    const Instruction& load = m_.instructions[update.from.load];
    const Part& part = parts_[load.operand(0)];
    std::uint32_t value = shifted(to, part, does.value);
    if (does.op == Op::OpAtomicAnd) value = make(to, Op::OpBitwiseOr, value, others(to, part));
    take(to, part, load, atomic(to, does.op, part, value));
    for (const std::size_t i : update.behind) {
      std::ranges::copy(spirv::wordsOf(m_, m_.instructions[i]), std::back_inserter(to));
      dropped_.insert(m_.instructions[i].offset);
    }
    dropped_.insert(m_.instructions[update.store].offset);
  }

  const Module& m_;
  const Instruction& variable_;
  Additions& added_;
  std::map<std::uint32_t, Words>& before_;
  std::set<std::uint32_t>& dropped_;
  bool isBlock_ = false;
  std::uint32_t pointer_ = 0, scope_ = 0;
  std::map<std::uint32_t, Part> parts_;  // by chain
};

}  // namespace

bool takesWords(const Module& m, std::uint32_t variable) {
  const Instruction* declared = m.definition(variable);
  if (!declared || declared->op != Op::OpVariable || declared->operands.size() > 1) return false;
  const auto storage = static_cast<spv::StorageClass>(declared->operand(0));
  const Instruction* type = pointeeOf(m, *declared);
  const bool isShared = storage == spv::StorageClass::Workgroup && type && type->op == Op::OpTypeArray &&
                        m.definition(type->operand(1))->op == Op::OpConstant && partBits(m.definition(type->operand(0))) != 0;
  if (!isShared && !(storage == spv::StorageClass::StorageBuffer && type && type->op == Op::OpTypeStruct)) return false;
  std::set<std::uint32_t> chains;
  const auto goesToParts = [&](const Instruction& inst) {
    const auto names = m.namedBy(inst);
    const bool isPart = std::ranges::any_of(names, [&](std::uint32_t id) { return chains.contains(id); });
    if (isPart && inst.op != Op::OpLoad && (inst.op != Op::OpStore || chains.contains(inst.operand(1)))) return false;
    if (std::ranges::count(names, variable) == 0 || inst.op == Op::OpName || inst.op == Op::OpDecorate || inst.op == Op::OpEntryPoint)
      return true;
    if (!isChain(inst.op) || inst.operand(0) != variable || !placeOf(m, *declared, inst)) return false;
    chains.insert(inst.result);
    return true;
  };
  return std::ranges::all_of(m.instructions, goesToParts);
}

void makeWords(const Module& m, std::uint32_t variable, Additions& added, std::map<std::uint32_t, Words>& before,
               std::set<std::uint32_t>& dropped) {
  WordMaker(m, variable, added, before, dropped).run();
}

}  // namespace lanewise
