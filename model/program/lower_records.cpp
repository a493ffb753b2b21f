// What debuggers read. Both flavours keep the place of every OpVariable. The faithful one also records which of their scalars are written,
// and values that are in no variable (DebugValue, names of values, built-ins). It must record these, because a register keeps a value only
// while something uses it, and only in the active lanes.
#include "model/program/lower_records.h"

namespace lanewise {

ir::Pointee RecordLowering::memoryOf(const Pointer& p) {
  using Kind = ir::Pointee::Kind;
  ir::Pointee m;
  // Its target is known only at run time.
  if (p.dynamic != ir::kNoValue || p.element != ir::kNoValue || p.wraps) return m;
  m.type = p.pointee;
  m.offset = p.offset;
  m.element = p.elementConstant;
  m.several = p.elementPending;
  m.natural = p.natural;
  m.matrix = p.matrix;
  m.componentStride = p.componentStride;
  m.index = p.root == Pointer::Root::kLocal ? p.local : p.resource;
  if (p.root == Pointer::Root::kLocal) m.kind = Kind::kLocal;
  if (p.root == Pointer::Root::kOpaque) m.kind = Kind::kOpaque;
  if (p.root != Pointer::Root::kMemory) return m;
  if (p.space == ir::Space::kBuffer) m.kind = Kind::kBuffer;
  if (p.space == ir::Space::kWorkgroup) m.kind = Kind::kWorkgroup;
  if (p.space == ir::Space::kPush) m.kind = Kind::kPush;
  return m;
}

void RecordLowering::keepVariable(std::uint32_t id, const Pointer& p) {
  f_.variables.push_back({id, caller_, memoryOf(p)});
}

// Which locations need a record: all but an OpVariable that is a variable's only location. Of the module's own variables, the built-ins
// need one.
void RecordLowering::prepareRecords() {
  debug_ = spirv::readDebugInfo(m_);
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> count;
  for (const spirv::DebugLocation& at : debug_.locations) ++count[{at.variable, at.inlinedAt}];
  for (const spirv::DebugLocation& at : debug_.locations) {
    const Inst* value = m_.definition(at.value);
    const bool isVariable = value && value->op == spv::Op::OpVariable;
    const bool isInput = isVariable && static_cast<spv::StorageClass>(value->operand(0)) == spv::StorageClass::Input;
    const bool isPlain = isVariable && at.inMemory && at.isKnown && at.path.empty() && count[{at.variable, at.inlinedAt}] == 1;
    recorded_.push_back(debug_.variables[at.variable].isGlobal ? isInput : !isPlain);
  }
  recordInputs();
}

void RecordLowering::recordInputs() {
  for (std::size_t i = 0; i < debug_.locations.size(); ++i) {
    const spirv::DebugLocation& at = debug_.locations[i];
    const Val* const known = vals_.find(at.value);
    if (!recorded_[i] || !debug_.variables[at.variable].isGlobal || !known || !known->pointer) continue;
    from(m_.definition(at.value));
    const Values leaves = loadInput(*known->pointer);
    if (std::exchange(error_, {})) continue;  // a built-in that is not supported: its loads are refused
    addRecord(at);
    const ir::RecordedVariable* r = recordOf(at);
    for (std::uint32_t l = 0; r && l < r->type->leaves && l < leaves.size(); ++l) recordLeaf(*r, l, leaves[l], ir::kWritten);
  }
}

void RecordLowering::beginRecords(const spirv::FunctionRange& range) {
  using Location = spirv::DebugLocation;
  const auto first = std::ranges::lower_bound(debug_.locations, range.first, {}, &Location::instruction);
  for (auto at = first; at != debug_.locations.end() && at->instruction < range.last; ++at)
    if (recorded_[static_cast<std::size_t>(at - debug_.locations.begin())]) addRecord(*at);
}

void RecordLowering::holdRecords(std::uint32_t instruction) {
  auto at = std::ranges::lower_bound(debug_.locations, instruction, {}, &spirv::DebugLocation::instruction);
  for (; at != debug_.locations.end() && at->instruction == instruction; ++at) {
    const auto i = static_cast<std::uint32_t>(at - debug_.locations.begin());
    if (recorded_[i]) held_.push_back(i);
  }
}

void RecordLowering::recordHeld() {
  if (held_.empty()) return;
  const Inst* const savedInst = inst_;
  for (const std::uint32_t i : held_) {
    from(&m_.instructions[debug_.locations[i].instruction]);
    record(debug_.locations[i]);
  }
  held_.clear();
  from(savedInst);
}

ir::RecordedVariable* RecordLowering::recordOf(const spirv::DebugLocation& at) {
  const auto known = records_.find({at.variable, at.inlinedAt, caller_});
  return known == records_.end() ? nullptr : &f_.recorded[known->second];
}

void RecordLowering::addRecord(const spirv::DebugLocation& at) {
  const std::uint32_t caller = caller_;
  const Type* const type = recordedType(at);
  if (!type || type->leaves == 0 || type->leaves > kMaxLeaves) return;
  const auto [place, isNew] = records_.try_emplace({at.variable, at.inlinedAt, caller}, static_cast<std::uint32_t>(f_.recorded.size()));
  if (!isNew) return;
  ir::LocalVariable values;
  values.isRecord = true;
  for (std::uint32_t i = 0; i < type->leaves; ++i) values.leaves.push_back(leafScalar(*type, i));
  f_.locals.push_back(std::move(values));
  const auto local = static_cast<std::uint32_t>(f_.locals.size() - 1);
  f_.recorded.push_back({at.variable, at.inlinedAt, caller, type, local, {}});
  addNotes(local);
  if (caller_ != 0) forgetNotes(local);
}

// The type of the value if one location has the whole variable; else the type in the source.
const Type* RecordLowering::recordedType(const spirv::DebugLocation& at) {
  const Inst* value = m_.definition(at.value);
  const Type* type = at.isKnown && at.path.empty() && value && value->type != 0 ? declared_.type(value->type) : nullptr;
  if (type && at.inMemory && type->kind == Type::Kind::kPointer) type = type->element;
  return type ? type : typeOfDebug(debug_.variables[at.variable].type);
}

// nullptr if the debug information is incomplete.
const Type* RecordLowering::typeOfDebug(std::uint32_t index, std::uint32_t depth) {
  using Kind = spirv::DebugType::Kind;
  const spirv::DebugType& from = debug_.types[index];
  if (depth > kMaxNesting) return nullptr;
  auto type = std::make_unique<Type>();
  type->count = from.count;
  if (from.kind == Kind::kVector || from.kind == Kind::kMatrix || from.kind == Kind::kArray) {
    type->kind = from.kind == Kind::kVector ? Type::Kind::kVector : from.kind == Kind::kMatrix ? Type::Kind::kMatrix : Type::Kind::kArray;
    type->element = from.count == 0 ? nullptr : typeOfDebug(from.element, depth + 1);
    if (!type->element) return nullptr;
  } else if (from.kind == Kind::kComposite) {
    type->kind = Type::Kind::kStruct;
    for (const spirv::DebugType::Member& member : from.members) {
      type->members.emplace_back().type = typeOfDebug(member.type, depth + 1);
      type->members.back().name = member.name;
      if (!type->members.back().type) return nullptr;
    }
  } else {
    if (from.scalar == Scalar::kNone) return nullptr;
    type->kind = Type::Kind::kScalar;
    type->scalar = from.scalar;
    type->isSigned = from.isSigned;
    type->leaves = 1;
  }
  if (type->kind != Type::Kind::kScalar) countLeaves(*type);
  if (type->leaves > kMaxLeaves) return nullptr;
  out_.types.push_back(std::move(type));
  return out_.types.back().get();
}

void RecordLowering::record(const spirv::DebugLocation& at) {
  ir::RecordedVariable* const r = recordOf(at);
  const std::optional<spirv::LeafRange> part = r ? spirv::leavesAt(*r->type, at.path) : std::nullopt;
  if (!part) return;
  const Val* const v = at.isKnown ? vals_.find(at.value) : nullptr;
  std::uint32_t elsewhere = ir::kNowhere;
  if (v && at.inMemory && v->pointer) {
    const ir::Pointee memory = memoryOf(*v->pointer);
    if (memory.kind != ir::Pointee::Kind::kNone && memory.type->leaves == part->type->leaves) {
      elsewhere = ir::kElsewhere + static_cast<std::uint32_t>(r->elsewhere.size());
      r->elsewhere.push_back({part->first, part->type->leaves, memory});
    }
  }
  for (std::uint32_t i = 0; i < part->type->leaves; ++i) {
    const std::uint32_t leaf = part->first + i;
    if (v && !at.inMemory && i < v->leaves.size())
      recordLeaf(*r, leaf, v->leaves[i], ir::kWritten);
    else
      note(r->local, constantU32(leaf), elsewhere);
  }
}

void RecordLowering::recordLeaf(const ir::RecordedVariable& r, std::uint32_t leaf, Value v, std::uint32_t what) {
  const bool fits = isWide(f_.nodes[v].type) == isWide(f_.locals[r.local].leaves[leaf]);
  if (fits) effect(ir::kLocalStore, Scalar::kNone, Values{constantU32(leaf), v}, kind::Local{r.local});
  note(r.local, constantU32(leaf), !fits ? ir::kNowhere : f_.isUndefined(v) ? ir::kNotWritten : what);
}

}  // namespace lanewise
