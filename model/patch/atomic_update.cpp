#include "model/patch/atomic_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/ir/operation_info.h"

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

// What the atomics of a type need.
struct SupportRow {
  Op type;
  std::uint32_t width;
  Op atomic;  // OpNop: any
  AtomicSupport support;
};
constexpr const char* kFloatAdd = "SPV_EXT_shader_atomic_float_add";
constexpr const char* kFloatMinMax = "SPV_EXT_shader_atomic_float_min_max";
constexpr SupportRow kSupport[] = {
    {Op::OpTypeInt, 64, Op::OpNop, {spv::Capability::Int64Atomics, "", "GL_EXT_shader_atomic_int64"}},
    {Op::OpTypeFloat, 32, Op::OpAtomicFAddEXT, {spv::Capability::AtomicFloat32AddEXT, kFloatAdd, "GL_EXT_shader_atomic_float"}},
    {Op::OpTypeFloat, 64, Op::OpAtomicFAddEXT, {spv::Capability::AtomicFloat64AddEXT, kFloatAdd, "GL_EXT_shader_atomic_float"}},
    {Op::OpTypeFloat, 32, Op::OpNop, {spv::Capability::AtomicFloat32MinMaxEXT, kFloatMinMax, "GL_EXT_shader_atomic_float2"}},
    {Op::OpTypeFloat, 64, Op::OpNop, {spv::Capability::AtomicFloat64MinMaxEXT, kFloatMinMax, "GL_EXT_shader_atomic_float2"}},
};

std::optional<Op> atomicOf(const Module& m, const Instruction& operation) {
  const bool isExtended = operation.op == Op::OpExtInst;
  if (isExtended && m.setOf(operation) != spirv::InstructionSet::kGlsl) return {};
  const ir::Code code = isExtended ? ir::kGlsl + operation.operand(1) : ir::core(operation.op);
  return atomicWith([&](ir::Code fold) { return fold == code; });
}

// Whether the loaded value may be either operand.
bool swaps(Op operation) {
  return operation != Op::OpISub;
}

// What a value is stored by that compares so with the loaded one. `loadedFirst`: that is on the left.
std::optional<Op> atomicOfComparison(Op comparison, bool loadedFirst) {
  using ir::Machine;
  const ir::OperationInfo* row = ir::operationInfo(ir::core(comparison));
  const Machine asks = row ? row->facts.instruction : Machine::kNone;
  const bool less = asks == Machine::kLess || asks == Machine::kLessEqual;
  if (!less && asks != Machine::kGreater && asks != Machine::kGreaterEqual) return {};
  const auto isSigned = [](const ir::OperationInfo& of) { return ir::signaturesOf(of.types).all[0].arguments[0].isSigned; };
  return atomicWith([&](ir::Code fold) {
    const ir::OperationInfo& of = *ir::operationInfo(fold);
    return of.facts.instruction == (less != loadedFirst ? Machine::kMin : Machine::kMax) && isSigned(of) == isSigned(*row);
  });
}

// In GLSL, behind "atomic" or "imageAtomic".
std::string glslName(Op atomic) {
  if (atomic == Op::OpAtomicISub) return "Add() of the negative";
  std::string name = spirv::opName(atomic).substr(std::string_view("OpAtomic").size());
  if (std::isupper(static_cast<unsigned char>(name[1])) != 0) name.erase(0, 1);  // I, S, U or F
  if (name.ends_with("EXT")) name.erase(name.size() - 3);
  return fmt::format("{}()", name);
}

bool isPure(Op op) {
  return op == Op::OpLoad || op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain || op == Op::OpCompositeConstruct ||
         op == Op::OpCompositeExtract || ir::computes(ir::codeOf(op));
}

// Whether two values are computed in the same way.
bool isSame(const Module& m, std::uint32_t a, std::uint32_t b, int depth = 0) {
  if (a == b) return true;
  const Instruction *x = m.definition(a), *y = m.definition(b);
  if (!x || !y || x->op != y->op || x->type != y->type || x->operands.size() != y->operands.size() || !isPure(x->op) || depth > 8)
    return false;
  for (std::size_t i = 0; i < x->operands.size(); ++i)
    if (!isSame(m, x->operand(i), y->operand(i), depth + 1)) return false;
  return true;
}

std::size_t indexOf(const Module& m, const Instruction* inst) {
  return static_cast<std::size_t>(inst - m.instructions.data());
}

// The first of the loads that a pointer is computed from; the number of all instructions: there is none.
std::size_t firstLoad(const Module& m, std::uint32_t id, int depth = 0) {
  const Instruction* inst = m.definition(id);
  std::size_t first = m.instructions.size();
  if (!inst || !isPure(inst->op) || depth > 8) return first;
  if (inst->op == Op::OpLoad) first = indexOf(m, inst);
  for (std::size_t i = 0; i < inst->operands.size(); ++i) first = std::min(first, firstLoad(m, inst->operand(i), depth + 1));
  return first;
}

// Whether two loads of one place, one before and one after it, may give different values.
bool mayStore(Op op) {
  return op == Op::OpStore || op == Op::OpCopyMemory || op == Op::OpCopyMemorySized || op == Op::OpFunctionCall ||
         op == Op::OpControlBarrier || op == Op::OpImageWrite || ir::isAtomic(op);
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

const SupportRow* supportOf(const Module& m, std::uint32_t type, Op atomic) {
  const Instruction* t = m.definition(type);
  const auto row = std::ranges::find_if(kSupport, [&](const SupportRow& r) {
    return t && t->op == r.type && t->operand(0) == r.width && (r.atomic == atomic || r.atomic == Op::OpNop);
  });
  return row == std::end(kSupport) ? nullptr : row;
}

bool isInteger32(const Module& m, std::uint32_t type) {
  const Instruction* t = m.definition(type);
  return t && t->op == Op::OpTypeInt && t->operand(0) == 32;
}

// Whether there is an atomic of that type.
bool takesAtomic(const Module& m, std::uint32_t type, Op atomic) {
  return isInteger32(m, type) || supportOf(m, type, atomic) != nullptr;
}

// Whether atomics of a texel are possible: the image has one sample and the format r32ui or r32i, and is a variable or its element.
bool takesAtomics(const Module& m, const Instruction& access) {
  const Instruction* image = m.definition(access.operand(0));
  const Instruction* type = image ? m.definition(image->type) : nullptr;
  if (!type || image->op != Op::OpLoad || type->op != Op::OpTypeImage || type->operands.size() < 7 || type->operand(4) != 0) return false;
  const auto format = static_cast<spv::ImageFormat>(type->operand(6));
  return format == spv::ImageFormat::R32ui || format == spv::ImageFormat::R32i;
}

// What a load and a store say of one update, with nothing between that may change it.
class UpdateFinder {
 public:
  UpdateFinder(const Module& m, std::size_t store) : m_(m), store_(store) {}

  std::optional<AtomicUpdate> find() const {
    const Instruction& inst = m_.instructions[store_];
    if (inst.op == Op::OpStore) {
      const Instruction* value = m_.definition(inst.operand(1));
      if (!value) return {};
      if (auto update = computed(*value)) return update;
      if (auto update = masked(*value)) return update;
      if (auto update = inserted(*value)) return update;
      return compared(inst.operand(1));
    }
    return inst.op == Op::OpImageWrite && takesAtomics(m_, inst) ? texel(inst.operand(2)) : std::nullopt;
  }

 private:
  // The operands of an operation, of which one is the loaded value.
  static std::size_t firstOf(const Instruction& operation) { return operation.op == Op::OpExtInst ? 2 : 0; }

  std::optional<AtomicUpdate> computed(const Instruction& operation) const {
    const std::optional<Op> atomic = atomicOf(m_, operation);
    if (!atomic || !takesAtomic(m_, operation.type, *atomic)) return {};
    for (std::size_t side = 0; side < (swaps(operation.op) ? 2u : 1u); ++side) {
      const Instruction* load = m_.definition(operation.operand(firstOf(operation) + side));
      if (!load || load->type != operation.type) continue;
      const AtomicUpdate update{
          indexOf(m_, load), store_, 0, {{*atomic, operation.operand(firstOf(operation) + 1 - side), indexOf(m_, &operation)}}};
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
        const Instruction* load = m_.definition(inner->operand(innerSide));
        if (!load || load->type != outer.type) continue;
        const AtomicUpdate update{indexOf(m_, load),
                                  store_,
                                  0,
                                  {{Op::OpAtomicAnd, inner->operand(1 - innerSide), indexOf(m_, inner)},
                                   {Op::OpAtomicOr, outer.operand(1 - side), indexOf(m_, &outer)}}};
        if (isAlone(update)) return update;
      }
    }
    return {};
  }

  // bitfieldInsert(loaded, value, offset, count)
  std::optional<AtomicUpdate> inserted(const Instruction& insert) const {
    const Instruction* load = insert.op == Op::OpBitFieldInsert ? m_.definition(insert.operand(0)) : nullptr;
    if (!load || load->type != insert.type || !isInteger32(m_, insert.type)) return {};
    if (std::ranges::count(insert.operands, load->result) != 1) return {};  // the bits are made before the atomic that loads
    const std::size_t at = indexOf(m_, &insert);
    const AtomicUpdate update{indexOf(m_, load), store_, 0, {{Op::OpAtomicAnd, 0, at, at}, {Op::OpAtomicOr, 0, at, at}}};
    return isAlone(update) ? std::optional(update) : std::nullopt;
  }

  // if (value < loaded) store
  std::optional<AtomicUpdate> compared(std::uint32_t value) const {
    std::size_t label = store_;
    while (label > 0 && m_.instructions[label].op != Op::OpLabel) --label;
    for (std::size_t i = label; i < m_.instructions.size() && (i <= store_ || m_.instructions[i - 1].op != Op::OpBranch); ++i)
      if (i != store_ && (mayStore(m_.instructions[i].op) || (i > store_ && m_.instructions[i].op == Op::OpLabel))) return {};
    const auto branch = std::ranges::find_if(m_.instructions, [&](const Instruction& inst) {
      return inst.op == Op::OpBranchConditional && inst.operand(1) == m_.instructions[label].result;
    });
    if (branch == m_.instructions.end() || (branch - 1)->op != Op::OpSelectionMerge || (branch - 1)->operand(0) != branch->operand(2))
      return {};
    const Instruction* comparison = m_.definition(branch->operand(0));
    if (!comparison || std::any_of(comparison, &*branch, [](const Instruction& inst) { return inst.op == Op::OpLabel; })) return {};
    for (const bool loadedFirst : {false, true}) {
      const std::optional<Op> atomic = atomicOfComparison(comparison->op, loadedFirst);
      if (!atomic) return {};
      const Instruction* load = m_.definition(comparison->operand(loadedFirst ? 0 : 1));
      const std::uint32_t other = comparison->operand(loadedFirst ? 1 : 0);
      if (!load || !takesAtomic(m_, load->type, *atomic) || !isSame(m_, other, value)) continue;
      const AtomicUpdate update{indexOf(m_, load), store_, 0, {{*atomic, other, indexOf(m_, comparison)}}, true};
      const std::size_t from = std::min({firstLoad(m_, other), firstLoad(m_, value), indexOf(m_, load)});
      if (isUnchanged(from) && isAlone(update)) return update;
    }
    return {};
  }

  // Of the first component, the only one that such a texel has.
  std::optional<AtomicUpdate> texel(std::uint32_t value) const {
    const Instruction* operation = m_.definition(value);
    if (operation && operation->op == Op::OpCompositeConstruct) operation = m_.definition(operation->operand(0));
    const std::optional<Op> atomic = operation ? atomicOf(m_, *operation) : std::nullopt;
    if (!atomic) return {};
    for (std::size_t side = 0; side < (swaps(operation->op) ? 2u : 1u); ++side) {
      const Instruction* load = m_.definition(operation->operand(firstOf(*operation) + side));
      AtomicUpdate update{0, store_, 0, {}};
      if (load && load->op == Op::OpCompositeExtract && load->operand(1) == 0) {
        update.part = indexOf(m_, load);
        load = m_.definition(load->operand(0));
      }
      if (!load || load->op != Op::OpImageRead) continue;
      update.load = indexOf(m_, load);
      update.atomics.push_back({*atomic, operation->operand(firstOf(*operation) + 1 - side), indexOf(m_, operation)});
      if (isAlone(update)) return update;
    }
    return {};
  }

  bool isUnchanged(std::size_t from) const {
    return hasNone(std::min(from, store_), store_, [](const Instruction& inst) { return mayStore(inst.op); });
  }

  // Of the instructions from one on, up to another.
  template <class Is>
  bool hasNone(std::size_t from, std::size_t to, const Is& is) const {
    const auto begin = m_.instructions.begin();
    return std::none_of(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to), is);
  }

  // Whether the two are of one place, and nobody else uses in between what was loaded.
  bool isAlone(const AtomicUpdate& update) const {
    if (update.load >= store_ || !isOnePlace(m_, update.load, store_)) return false;
    const Instruction &load = m_.instructions[update.load], &store = m_.instructions[store_];
    for (const std::size_t of : {0u, 1u})
      if (of < load.operands.size() && (of == 0 || isOfTexel(load.op)) && load.operand(of) != store.operand(of) &&
          !isUnchanged(std::min(firstLoad(m_, load.operand(of)), firstLoad(m_, store.operand(of)))))
        return false;
    if (!isUnchanged(update.load + 1)) return false;
    // The atomic has the name of what it loads, and stands later.
    const Instruction& loaded = update.part != 0 ? m_.instructions[update.part] : load;
    if (update.atomics[0].value == loaded.result || update.atomics[0].value == load.result) return false;
    for (std::size_t i = update.load + 1; i < update.atomics[0].before; ++i) {
      const Instruction& inst = m_.instructions[i];
      if (inst.op == Op::OpLabel || (i != update.part && (uses(inst, load) || uses(inst, loaded)))) return false;
    }
    const std::size_t last = update.isCompared ? update.atomics[0].before : store_;
    if (update.load >= last || !hasNone(update.load, last, [](const Instruction& inst) { return inst.op == Op::OpLabel; })) return false;
    // Of a loaded texel one component stays.
    return isOfMemory(load.op) || std::ranges::count_if(m_.instructions, [&](const Instruction& inst) { return uses(inst, load); }) == 1;
  }

  bool uses(const Instruction& inst, const Instruction& value) const { return std::ranges::count(m_.namedBy(inst), value.result) != 0; }

  const Module& m_;
  std::size_t store_;
};

}  // namespace

std::optional<AtomicUpdate> atomicUpdateAt(const Module& module, std::size_t instruction) {
  if (stores(module.instructions[instruction].op)) return UpdateFinder(module, instruction).find();
  for (std::size_t i = instruction; i < module.instructions.size() && module.instructions[i].op != Op::OpFunctionEnd; ++i)
    if (stores(module.instructions[i].op))
      if (auto update = UpdateFinder(module, i).find(); update && update->load == instruction) return update;
  return {};
}

std::optional<AtomicSupport> supportFor(const Module& module, const AtomicUpdate& update) {
  const Instruction& load = module.instructions[update.load];
  const SupportRow* row = isOfTexel(load.op) ? nullptr : supportOf(module, load.type, update.atomics[0].op);
  return row ? std::optional(row->support) : std::nullopt;
}

bool isOnePlace(const Module& module, std::size_t load, std::size_t store) {
  const Instruction &a = module.instructions[load], &b = module.instructions[store];
  if (a.op == Op::OpLoad && b.op == Op::OpStore) return isSame(module, a.operand(0), b.operand(0));
  return a.op == Op::OpImageRead && b.op == Op::OpImageWrite && isSame(module, a.operand(0), b.operand(0)) &&
         isSame(module, a.operand(1), b.operand(1));
}

std::string atomicText(const Module& module, const AtomicUpdate& update, const std::string& place) {
  const auto nameOf = [&](const AtomicUpdate::Atomic& a) {
    return fmt::format("{}{}", isOfTexel(module.instructions[update.store].op) ? "imageAtomic" : "atomic", glslName(a.op));
  };
  std::string name = nameOf(update.atomics[0]);
  if (const auto support = supportFor(module, update)) name += fmt::format(" of {}", support->glsl);
  if (update.isCompared) return fmt::format("what {} compares and stores has to be one atomic: {}, with no `if`", place, name);
  if (update.atomics.size() == 1) return fmt::format("what {} loads, changes and stores has to be one atomic: {}", place, name);
  return fmt::format("what {} loads, changes and stores has to be atomic: {} and then {}, if each invocation has bits of its own", place,
                     name, nameOf(update.atomics[1]));
}

}  // namespace lanewise
