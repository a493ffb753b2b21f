#include "model/patch/atomic_update.h"

#include <algorithm>
#include <set>

#include "model/ir/operation_info.h"
#include "model/patch/local_names.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spirv::Module;
using spv::Op;

// The atomic whose operation on two values is such a one.
template <class Is>
std::optional<Op> atomicWith(const Is& is) {
  for (const ir::OperationInfo& row : ir::operationInfos())
    if (row.facts.atomic == ir::AtomicUse::kUpdates && !row.facts.byOne && is(row.facts.fold)) return static_cast<Op>(row.code);
  return {};
}

std::optional<Op> atomicOf(const Module& m, const Instruction& operation) {
  const bool isExtended = operation.op == Op::OpExtInst;
  if (isExtended && m.setOf(operation) != spirv::InstructionSet::kGlsl) return {};
  const ir::Code code = isExtended ? ir::kGlsl + operation.operand(1) : ir::core(operation.op);
  return atomicWith([&](ir::Code fold) { return fold == code; });
}

bool isOneOf(ir::Machine asks, std::initializer_list<ir::Machine> all) {
  return std::ranges::find(all, asks) != all.end();
}

// What a value is stored by that compares so with the loaded one. `loadedFirst`: that is on the left.
std::optional<Op> atomicOfComparison(Op comparison, bool loadedFirst) {
  using enum ir::Machine;
  const ir::OperationInfo* row = ir::operationInfo(ir::core(comparison));
  if (!row) return {};
  const ir::Machine asks = row->facts.instruction;
  const bool less = isOneOf(asks, {kLess, kLessEqual, kFOrderedLess, kFOrderedLessEqual});
  if (!less && !isOneOf(asks, {kGreater, kGreaterEqual, kFOrderedGreater, kFOrderedGreaterEqual})) return {};
  const bool isFloat = !isOneOf(asks, {kLess, kLessEqual, kGreater, kGreaterEqual}), isLeast = less != loadedFirst;
  const ir::Machine does = isFloat ? (isLeast ? kFMin : kFMax) : isLeast ? kMin : kMax;
  const auto isSigned = [](const ir::OperationInfo& of) { return ir::signaturesOf(of.types).all[0].arguments[0].isSigned; };
  return atomicWith([&](ir::Code fold) {
    const ir::OperationInfo* of = ir::operationInfo(fold);
    return of && of->facts.instruction == does && (isFloat || isSigned(*of) == isSigned(*row));
  });
}

std::size_t indexOf(const Module& m, const Instruction* inst) {
  return static_cast<std::size_t>(inst - m.instructions.data());
}

bool isOfMemory(Op op) {
  return op == Op::OpLoad || op == Op::OpStore;
}
bool isOfTexel(Op op) {
  return op == Op::OpImageRead || op == Op::OpImageWrite;
}
bool stores(Op op) {
  return op == Op::OpStore || op == Op::OpImageWrite;
}

bool isInteger(const Module& m, std::uint32_t type) {
  const Instruction* t = m.definition(type);
  return t && t->op == Op::OpTypeInt;
}
bool isInteger32(const Module& m, std::uint32_t type) {
  return isInteger(m, type) && m.definition(type)->operand(0) == 32;
}
// Whether there is an atomic of that type.
bool takesAtomic(const Module& m, std::uint32_t type, Op atomic) {
  return isInteger32(m, type) || supportOf(m, type, atomic);
}

// Whether atomics of a texel are possible: the image has one sample and the format r32ui or r32i, and is a variable or its element.
bool takesAtomics(const Module& m, const Instruction& access) {
  const Instruction* image = m.definition(access.operand(0));
  const Instruction* type = image ? m.definition(image->type) : nullptr;
  if (!type || image->op != Op::OpLoad || type->op != Op::OpTypeImage || type->operands.size() < 7 || type->operand(4) != 0) return false;
  const auto format = static_cast<spv::ImageFormat>(type->operand(6));
  return format == spv::ImageFormat::R32ui || format == spv::ImageFormat::R32i;
}

// What a value takes from memory or from a texel; nothing where it is something else.
std::optional<AtomicUpdate::Loaded> loadedBy(const Module& m, std::uint32_t value) {
  const Instruction* inst = m.definition(unnamed(m, value));
  if (inst && (inst->op == Op::OpLoad || inst->op == Op::OpImageRead)) return AtomicUpdate::Loaded{indexOf(m, inst), 0};
  if (!inst || inst->op != Op::OpCompositeExtract || inst->operands.size() != 2 || inst->operand(1) != 0) return {};
  const Instruction* read = m.definition(inst->operand(0));
  return read && read->op == Op::OpImageRead ? std::optional(AtomicUpdate::Loaded{indexOf(m, read), indexOf(m, inst)}) : std::nullopt;
}

// The value itself: of a loaded texel its first component.
const Instruction& valueOf(const Module& m, const AtomicUpdate::Loaded& from) {
  return m.instructions[from.part != 0 ? from.part : from.load];
}

bool isLabel(const Instruction& inst) {
  return inst.op == Op::OpLabel;
}

// Where the block of an instruction begins.
std::size_t labelOf(const Module& m, std::size_t instruction) {
  while (instruction > 0 && !isLabel(m.instructions[instruction])) --instruction;
  return instruction;
}

// The branch that leads to a block alone, from one that ends with it: of `if`.
const Instruction* branchTo(const Module& m, std::uint32_t label) {
  const auto branch = std::ranges::find_if(m.instructions, [&](const Instruction& inst) {
    return inst.op == Op::OpBranchConditional && (inst.operand(1) == label || inst.operand(2) == label);
  });
  return branch == m.instructions.end() || (branch - 1)->op != Op::OpSelectionMerge ? nullptr : &*branch;
}

// The comparison that decides a branch or a selection, in its block. `isTrue` changes where the branch asks for its opposite.
const Instruction* comparisonOf(const Module& m, const Instruction& branch, bool& isTrue) {
  const Instruction* comparison = m.definition(branch.operand(0));
  for (; comparison && comparison->op == Op::OpLogicalNot; isTrue = !isTrue) comparison = m.definition(comparison->operand(0));
  return !comparison || std::any_of(comparison, &branch, isLabel) ? nullptr : comparison;
}

// What a load and a store say of one update, with nothing between that may change it.
class UpdateFinder {
 public:
  UpdateFinder(const Module& m, std::size_t store) : m_(m), store_(store), branch_(store), side_(store) {}

  // Of a part of a word, which conversions around the operation leave as it is.
  std::optional<AtomicUpdate> findPart() {
    ofPart_ = true;
    const Instruction* value = m_.definition(unwidened(m_.instructions[store_].operand(1)));
    return value ? computed(*value) : std::nullopt;
  }

  std::optional<AtomicUpdate> find() {
    const Instruction& inst = m_.instructions[store_];
    if (isTexel() ? !takesAtomics(m_, inst) : inst.op != Op::OpStore) return {};
    std::uint32_t stored = unnamed(m_, inst.operand(isTexel() ? 2 : 1));
    const Instruction* value = m_.definition(stored);
    // Of the first component, the only one that such a texel has.
    if (isTexel() && value && value->op == Op::OpCompositeConstruct) value = m_.definition(stored = value->operand(0));
    if (!value) return {};
    if (auto update = computed(*value)) return update;
    if (auto update = isTexel() ? std::nullopt : masked(*value)) return update;
    if (auto update = isTexel() ? std::nullopt : inserted(*value)) return update;
    if (auto update = storedIf(stored)) return update;
    return value->op == Op::OpSelect ? selected(*value) : chosen(*value);
  }

 private:
  // The operands of an operation, of which one is the loaded value.
  static std::size_t firstOf(const Instruction& operation) { return operation.op == Op::OpExtInst ? 2 : 0; }

  bool isTexel() const { return isOfTexel(m_.instructions[store_].op); }
  // Whether there is an atomic for what was loaded.
  bool takes(const AtomicUpdate::Loaded& from, Op atomic) const {
    const bool isMemory = isOfMemory(m_.instructions[from.load].op);
    const std::uint32_t type = m_.instructions[from.load].type;
    if (ofPart_)
      return isMemory && isInteger(m_, type) && m_.definition(type)->operand(0) < 32 &&
             (atomic == Op::OpAtomicAnd || atomic == Op::OpAtomicOr || atomic == Op::OpAtomicXor || atomic == Op::OpAtomicIAdd ||
              atomic == Op::OpAtomicISub);
    return isMemory != isTexel() && (!isMemory || takesAtomic(m_, type, atomic));
  }

  // Whether it converts a part, all of whose bits go on.
  bool widens(const Instruction& inst) const {
    if (!ofPart_ || (inst.op != Op::OpUConvert && inst.op != Op::OpSConvert && inst.op != Op::OpBitcast)) return false;
    const Instruction* part = m_.definition(m_.definition(m_.instructions[store_].operand(1))->type);
    return isInteger(m_, inst.type) && m_.definition(inst.type)->operand(0) >= part->operand(0);
  }
  // Of a part the value that is converted, by whatever name.
  std::uint32_t unwidened(std::uint32_t id) const {
    const Instruction* inst = ofPart_ ? m_.definition(id = unnamed(m_, id)) : nullptr;
    return inst && widens(*inst) ? unwidened(inst->operand(0)) : id;
  }

  std::optional<AtomicUpdate> computed(const Instruction& operation) const {
    const std::optional<Op> atomic = atomicOf(m_, operation);
    if (!atomic) return {};
    for (std::size_t side = 0; side < (operation.op == Op::OpISub ? 1u : 2u); ++side) {
      const auto from = loadedBy(m_, unwidened(operation.operand(firstOf(operation) + side)));
      if (!from || !takes(*from, *atomic) || (!isTexel() && !ofPart_ && valueOf(m_, *from).type != operation.type)) continue;
      AtomicUpdate update{*from, store_, {{*atomic, operation.operand(firstOf(operation) + 1 - side), indexOf(m_, &operation)}}};
      if (isAlone(update)) return update;
    }
    return {};
  }

  // (loaded & mask) | value
  std::optional<AtomicUpdate> masked(const Instruction& outer) const {
    if (outer.op != Op::OpBitwiseOr || !takesAtomic(m_, outer.type, Op::OpAtomicOr)) return {};
    for (std::size_t side = 0; side < 2; ++side) {
      const Instruction* inner = m_.definition(outer.operand(side));
      if (!inner || inner->op != Op::OpBitwiseAnd || inner->type != outer.type) continue;
      for (std::size_t innerSide = 0; innerSide < 2; ++innerSide) {
        const Instruction* load = m_.definition(unnamed(m_, inner->operand(innerSide)));
        if (!load || load->op != Op::OpLoad || load->type != outer.type) continue;
        AtomicUpdate update{{indexOf(m_, load)},
                            store_,
                            {{Op::OpAtomicAnd, inner->operand(1 - innerSide), indexOf(m_, inner)},
                             {Op::OpAtomicOr, outer.operand(1 - side), indexOf(m_, &outer)}}};
        if (isAlone(update)) return update;
      }
    }
    return {};
  }

  // bitfieldInsert(loaded, value, offset, count)
  std::optional<AtomicUpdate> inserted(const Instruction& insert) const {
    const Instruction* load = insert.op == Op::OpBitFieldInsert ? m_.definition(unnamed(m_, insert.operand(0))) : nullptr;
    if (!load || load->op != Op::OpLoad || load->type != insert.type || !isInteger32(m_, insert.type)) return {};
    const auto isLoad = [&](std::uint32_t id) { return unnamed(m_, id) == load->result; };
    if (std::ranges::count_if(insert.operands, isLoad) != 1) return {};  // the bits are made before the atomic that loads
    const std::size_t at = indexOf(m_, &insert);
    AtomicUpdate update{{indexOf(m_, load)}, store_, {{Op::OpAtomicAnd, 0, at, at}, {Op::OpAtomicOr, 0, at, at}}};
    return isAlone(update) ? std::optional(update) : std::nullopt;
  }

  // if (value < loaded) store, or the other side of the branch
  std::optional<AtomicUpdate> storedIf(std::uint32_t value) {
    const std::size_t label = labelOf(m_, store_);
    for (std::size_t i = label; i < m_.instructions.size() && (i <= store_ || m_.instructions[i - 1].op != Op::OpBranch); ++i)
      if (i != store_ && (mayStore(m_.instructions[i].op) || (i > store_ && isLabel(m_.instructions[i])))) return {};
    const std::uint32_t side = m_.instructions[label].result;
    const Instruction* branch = branchTo(m_, side);
    if (!branch || (branch - 1)->operand(0) == side) return {};  // it is behind both sides
    branch_ = indexOf(m_, branch);
    side_ = label;
    const bool isTrue = branch->operand(1) == side, hasElse = !isTrue || (branch - 1)->operand(0) != branch->operand(2);
    return compared(*branch, value, isTrue, hasElse ? AtomicUpdate::Decides::kWhetherElse : AtomicUpdate::Decides::kWhether);
  }

  // value < loaded ? value : loaded, as one instruction
  std::optional<AtomicUpdate> selected(const Instruction& select) const {
    for (const std::size_t side : {1u, 2u}) {
      const auto other = loadedBy(m_, select.operand(3 - side));
      if (!other || !isOnePlace(m_, other->load, store_)) continue;
      std::optional<AtomicUpdate> update = compared(select, select.operand(side), side == 1, AtomicUpdate::Decides::kWhich);
      if (!update) continue;
      if (other->load == update->from.load) return update;
      // It takes its value from the atomic, which stands before the comparison.
      const bool isBehind = other->load > update->atomics[0].before;
      if (!isBehind || !isUsedOnce(valueOf(m_, *other)) || !isUsedOnce(m_.instructions[other->load])) continue;
      update->again = other;
      return update;
    }
    return {};
  }

  // value < loaded ? value : loaded, which a local variable holds behind both sides
  std::optional<AtomicUpdate> chosen(const Instruction& read) {
    const Instruction* variable = read.op == Op::OpLoad ? m_.definition(read.operand(0)) : nullptr;
    if (!variable || variable->op != Op::OpVariable || static_cast<spv::StorageClass>(variable->operand(0)) != spv::StorageClass::Function)
      return {};
    const std::size_t label = labelOf(m_, indexOf(m_, &read));
    if (label != labelOf(m_, store_) || !hasNone(label, store_, [](const Instruction& inst) { return mayStore(inst.op); })) return {};
    const std::uint32_t meeting = m_.instructions[label].result;
    const auto merge = std::ranges::find_if(
        m_.instructions, [&](const Instruction& inst) { return inst.op == Op::OpSelectionMerge && inst.operand(0) == meeting; });
    if (merge == m_.instructions.end() || (merge + 1)->op != Op::OpBranchConditional) return {};
    kept_ = variable->result;
    const Instruction& branch = *(merge + 1);
    for (const std::size_t side : {1u, 2u}) {
      const std::optional<std::uint32_t> value = sideOf(branch.operand(side), meeting), other = sideOf(branch.operand(3 - side), meeting);
      const auto again = other ? loadedBy(m_, *other) : std::nullopt;
      if (!value || !again || !isOnePlace(m_, again->load, store_) || !isUsedOnce(valueOf(m_, *again)) ||
          !isUsedOnce(m_.instructions[again->load]))
        continue;
      std::optional<AtomicUpdate> update = compared(branch, *value, side == 1, AtomicUpdate::Decides::kWhich);
      if (!update) continue;
      update->again = again;
      return update;
    }
    return {};
  }
  // What a side of the branch leaves in the variable, and it stores nothing else.
  std::optional<std::uint32_t> sideOf(std::uint32_t label, std::uint32_t meeting) const {
    const Instruction* begin = m_.definition(label);
    if (!begin) return {};
    const Instruction *store = nullptr, *inst = begin + 1;
    for (; !ir::endsBlock(inst->op); ++inst) {
      if (!mayStore(inst->op)) continue;
      if (store || inst->op != Op::OpStore || inst->operand(0) != kept_) return {};
      store = inst;
    }
    return store && inst->op == Op::OpBranch && inst->operand(0) == meeting ? std::optional(store->operand(1)) : std::nullopt;
  }

  // `value` is what a side of the branch or selection stores.
  std::optional<AtomicUpdate> compared(const Instruction& branch, std::uint32_t value, bool isTrue, AtomicUpdate::Decides decides) const {
    const Instruction* comparison = comparisonOf(m_, branch, isTrue);
    if (!comparison) return {};
    for (const bool loadedFirst : {false, true}) {
      const std::optional<Op> atomic = atomicOfComparison(comparison->op, loadedFirst == isTrue);
      if (!atomic) return {};
      const auto from = loadedBy(m_, comparison->operand(loadedFirst ? 0 : 1));
      const std::uint32_t other = comparison->operand(loadedFirst ? 1 : 0);
      if (!from || !takes(*from, *atomic) || !isSame(m_, other, value)) continue;
      // A comparison of floats that says no does so of a NaN too.
      if (!isTrue && !isInteger(m_, valueOf(m_, *from).type)) continue;
      AtomicUpdate update{*from, store_, {{*atomic, other, indexOf(m_, comparison)}}, decides, {}};
      Loads loads = other == value ? Loads() : loadsOf(m_, {other, value});
      loads.first = std::min(loads.first, from->load);
      if (isUnchanged(loads) && isAlone(update)) return update;
    }
    return {};
  }

  // Whether memory that others see stays as it is, and so do the variables that the values come from.
  bool isUnchanged(const Loads& loads) const {
    const auto changes = [&](const Instruction& inst) {
      if (inst.op == Op::OpStore) return !isLocal(m_, inst.operand(0));
      return mayStore(inst.op) && !(inst.op == Op::OpFunctionCall && storesLocally(m_, inst.operand(0)));
    };
    const auto isSet = [&](const auto& local) {
      const auto& [first, last] = local.second;
      const auto sets = [&](const Instruction& inst) { return setsLocal(m_, inst, local.first); };
      return local.first != kept_ && (!hasNone(first, std::min(last, branch_), sets) || !hasNone(std::max(first, side_), last, sets));
    };
    return hasNone(loads.first, branch_, changes) && hasNone(std::max(loads.first, side_), store_, changes) &&
           std::ranges::none_of(loads.locals, isSet);
  }

  // Of the instructions from one on, up to another.
  template <class Is>
  bool hasNone(std::size_t from, std::size_t to, const Is& is) const {
    const auto begin = m_.instructions.begin();
    return from >= to || std::none_of(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to), is);
  }

  // Whether the two are of one place, and nobody else uses in between what was loaded. A local variable may keep it.
  bool isAlone(AtomicUpdate& update) const {
    const auto& [index, part] = update.from;
    if (index >= store_ || !isOnePlace(m_, index, store_)) return false;
    const Instruction &load = m_.instructions[index], &store = m_.instructions[store_];
    for (const std::size_t of : {0u, 1u})
      if (of < load.operands.size() && (of == 0 || isOfTexel(load.op)) && load.operand(of) != store.operand(of) &&
          !isUnchanged(loadsOf(m_, {load.operand(of), store.operand(of)})))
        return false;
    if (!isUnchanged({index + 1, {}})) return false;
    // The atomic has the name of what it loads, and stands later.
    const Instruction& loaded = valueOf(m_, update.from);
    std::set<std::uint32_t> names{load.result, loaded.result};
    for (std::size_t i = index + 1; i < update.atomics[0].before; ++i) {
      const Instruction& inst = m_.instructions[i];
      if (isLabel(inst)) return false;
      if (i == part || std::ranges::none_of(m_.namedBy(inst), [&](std::uint32_t id) { return names.contains(id); })) continue;
      const bool isKept = inst.op == Op::OpStore && names.contains(inst.operand(1)) && isFunctionVariable(m_, inst.operand(0));
      if (!isKept && inst.op != Op::OpLoad && !widens(inst)) return false;
      names.insert(inst.op == Op::OpStore ? inst.operand(0) : inst.result);
      update.behind.push_back(i);
    }
    if (names.contains(update.atomics[0].value)) return false;
    const std::size_t last = update.decides != AtomicUpdate::Decides::kNothing ? update.atomics[0].before : store_;
    if (index >= last || !hasNone(index, last, isLabel)) return false;
    // Of a loaded texel one component stays.
    return isOfMemory(load.op) || isUsedOnce(load);
  }

  bool isUsedOnce(const Instruction& value) const {
    return std::ranges::count_if(m_.instructions, [&](const Instruction& inst) { return uses(inst, value); }) == 1;
  }
  bool uses(const Instruction& inst, const Instruction& value) const { return std::ranges::count(m_.namedBy(inst), value.result) != 0; }

  const Module& m_;
  std::size_t store_, branch_, side_;  // between the branch and the label of its side the other side may stand
  bool ofPart_ = false;
  std::uint32_t kept_ = 0;  // a local variable that is stored to on the way
};

}  // namespace

std::optional<AtomicUpdate> atomicUpdateAt(const Module& module, std::size_t instruction) {
  if (stores(module.instructions[instruction].op)) return UpdateFinder(module, instruction).find();
  for (std::size_t i = instruction; i < module.instructions.size() && module.instructions[i].op != Op::OpFunctionEnd; ++i)
    if (stores(module.instructions[i].op))
      if (auto update = UpdateFinder(module, i).find();
          update && (update->from.load == instruction || (update->again && update->again->load == instruction)))
        return update;
  return {};
}

std::optional<AtomicUpdate> partUpdateAt(const Module& module, std::size_t store) {
  return module.instructions[store].op == Op::OpStore ? UpdateFinder(module, store).findPart() : std::nullopt;
}

bool isOnePlace(const Module& module, std::size_t load, std::size_t store) {
  const Instruction &a = module.instructions[load], &b = module.instructions[store];
  if (a.op == Op::OpLoad && b.op == Op::OpStore) return isSame(module, a.operand(0), b.operand(0));
  return a.op == Op::OpImageRead && b.op == Op::OpImageWrite && isSame(module, a.operand(0), b.operand(0)) &&
         isSame(module, a.operand(1), b.operand(1));
}

bool isUpdateOf(const Module& module, std::size_t load, std::size_t store) {
  if (!isOnePlace(module, load, store)) return false;
  std::vector<std::uint32_t> values{module.instructions[store].operand(isOfTexel(module.instructions[store].op) ? 2 : 1)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Instruction* value = module.definition(values[i]);
    if (!value) continue;
    if (indexOf(module, value) == load) return true;
    const auto add = [&](std::uint32_t id) {
      if (!std::ranges::count(values, id)) values.push_back(id);
    };
    if (isPure(value->op)) std::ranges::for_each(module.namedBy(*value), add);
    if (value->op != Op::OpVariable) continue;
    for (const Instruction& inst : module.instructions)
      if (inst.op == Op::OpStore && inst.operand(0) == value->result) add(inst.operand(1));
  }
  return false;
}

bool isOfComparedSet(const Module& module, std::size_t instruction) {
  const std::vector<Instruction>& all = module.instructions;
  const bool isStore = stores(all[instruction].op);
  for (std::size_t at = isStore ? labelOf(module, instruction) : instruction; at < all.size() && all[at].op != Op::OpFunctionEnd; ++at) {
    if (!isLabel(all[at])) continue;
    const Instruction* branch = branchTo(module, all[at].result);
    if (branch && (branch - 1)->operand(0) == all[at].result) branch = nullptr;  // it is behind both sides
    bool isTrue = true;
    const Instruction* comparison = branch ? comparisonOf(module, *branch, isTrue) : nullptr;
    std::vector<std::size_t> behind;
    for (std::size_t i = at + 1; i < all.size() && !isLabel(all[i]) && all[i].op != Op::OpFunctionEnd; ++i)
      if (stores(all[i].op) && !(all[i].op == Op::OpStore && isLocal(module, all[i].operand(0)))) behind.push_back(i);
    for (const std::size_t side : {0u, 1u}) {
      const auto from = comparison && atomicOfComparison(comparison->op, true) ? loadedBy(module, comparison->operand(side)) : std::nullopt;
      const bool isSet =
          from && behind.size() > 1 && std::ranges::any_of(behind, [&](std::size_t i) { return isOnePlace(module, from->load, i); });
      if (isSet && (isStore ? std::ranges::count(behind, instruction) != 0 : from->load == instruction)) return true;
    }
    if (isStore) return false;
  }
  return false;
}

}  // namespace lanewise
