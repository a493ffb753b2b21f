#include "model/state/variables.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_set>

namespace lanewise {

using spirv::DebugLocation;
using spirv::DebugPlace;
using spirv::DebugType;

SourceVariables::SourceVariables(const Program& program) : program_(program), debug_(spirv::readDebugInfo(program.module)) {
  if (Expected<spirv::Declarations> declared = spirv::readDeclarations(program.module, program.spec)) declared_ = std::move(*declared);
  locations_.resize(debug_.variables.size());
  for (std::uint32_t i = 0; i < debug_.locations.size(); ++i) locations_[debug_.locations[i].variable].push_back(i);
  const std::vector<spirv::Instruction>& all = program.module.instructions;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].op == spv::Op::OpSelectionMerge || all[i].op == spv::Op::OpLoopMerge)
      if (const spirv::Instruction* merge = program.module.definition(all[i].operand(0)))
        constructs_.emplace_back(i, static_cast<std::uint32_t>(merge - all.data()));
  readAlignments();
}

// Of structures at device addresses. SPIR-V says it of accesses alone: one at offset 0 is aligned as the structure is, or promises less; so
// the most that one promises counts.
void SourceVariables::readAlignments() {
  const spirv::Module& m = program_.module;
  const auto isZero = [this](std::uint32_t id) { return declared_.number(id) == 0u; };
  for (const spirv::Instruction& access : m.instructions) {
    const bool isLoad = access.op == spv::Op::OpLoad;
    if (!isLoad && access.op != spv::Op::OpStore) continue;
    const std::size_t mask = isLoad ? 1 : 2;
    if ((access.operand(mask) & static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned)) == 0) continue;
    const spirv::Instruction* chain = m.definition(access.operand(0));
    if (!chain || chain->op != spv::Op::OpAccessChain || !std::ranges::all_of(chain->operands.subspan(1), isZero)) continue;
    const spirv::Instruction* base = m.definition(chain->operand(0));
    const spirv::Instruction* pointer = base ? m.definition(base->type) : nullptr;
    if (!pointer) continue;
    std::uint64_t& most = alignments_[pointer->operand(1)];
    most = std::max<std::uint64_t>(most, access.operand(mask + 1));
  }
}

std::vector<SourceFrame> SourceVariables::frames(std::uint32_t pc) const {
  std::vector<SourceFrame> out;
  for (std::uint32_t o = pc < program_.info.size() ? program_.info[pc].origin : 0; o != 0; o = program_.origins[o].caller) {
    const ir::Origin& origin = program_.origins[o];
    for (const spirv::DebugFrame& f : debug_.frames(origin.instruction, program_.module.instructions[origin.instruction].source)) {
      if (!out.empty() && f.line.line == 0 && debug_.scopes[f.function].isWrapper) continue;
      out.push_back({f.function, f.line, {}});
      inScope(out.back(), f.place, origin.caller, origin.instruction);
    }
  }
  return out;
}

std::vector<SourceVariable> SourceVariables::globals() const {
  std::vector<SourceVariable> out;
  for (std::uint32_t v = 1; v < debug_.variables.size(); ++v)
    if (debug_.variables[v].isGlobal) out.push_back({v, 0, 0, false});
  return out;
}

// The instructions of a function are in the order of its lines, except in loops. Of a variable without a location, only the line of its
// declaration is known. glslang declares an uninitialized variable where that is first used; its author did so before.
bool SourceVariables::isInScope(std::uint32_t variable, const DebugPlace& place, std::uint32_t instruction, std::uint32_t line) const {
  const spirv::DebugVariable& v = debug_.variables[variable];
  if (v.isGlobal || v.scope == 0 || !debug_.isWithin(place.scope, v.scope)) return false;
  for (const std::uint32_t l : locations_[variable])
    if (const DebugLocation& at = debug_.locations[l]; at.inlinedAt == place.inlinedAt)
      return at.instruction <= instruction || (at.inMemory && v.declared.line != 0 && v.declared.line < line);
  return v.argument != 0 || v.declared.line <= line;
}

// True if the branch or loop that declares the variable is over. glslang does not describe the blocks of loops, and it declares an
// uninitialized variable where that is first used. Such a variable may still be in scope, but it hides no other.
bool SourceVariables::isLeft(const SourceVariable& v, std::uint32_t instruction) const {
  const auto first =
      std::ranges::find(locations_[v.variable], v.inlinedAt, [this](std::uint32_t l) { return debug_.locations[l].inlinedAt; });
  if (first == locations_[v.variable].end()) return false;
  const std::uint32_t declared = debug_.locations[*first].instruction;
  return std::ranges::any_of(constructs_,
                             [&](const auto& c) { return c.first < declared && declared < c.second && c.second <= instruction; });
}

std::uint32_t SourceVariables::depthOf(std::uint32_t scope) const {
  std::uint32_t depth = 0;
  for (; scope != 0; scope = debug_.scopes[scope].parent) ++depth;
  return depth;
}

void SourceVariables::inScope(SourceFrame& frame, const DebugPlace& place, std::uint32_t caller, std::uint32_t instruction) const {
  for (std::uint32_t v = 1; v < debug_.variables.size(); ++v)
    if (isInScope(v, place, instruction, frame.line.line)) frame.variables.push_back({v, place.inlinedAt, caller, false});
  const auto rank = [&](const SourceVariable& v) {
    return std::tuple(depthOf(of(v).scope), !isLeft(v, instruction), of(v).declared.line, v.variable);
  };
  std::ranges::sort(frame.variables, std::greater(), rank);
  std::unordered_set<std::string_view> names;
  for (SourceVariable& v : frame.variables) v.isHidden = !names.insert(of(v).name).second;
}

bool SourceVariables::isParameter(const SourceVariable& v) const {
  const auto isOne = [this](std::uint32_t l) {
    const spirv::Instruction* value = program_.module.definition(debug_.locations[l].value);
    return value && value->op == spv::Op::OpFunctionParameter;
  };
  return of(v).argument != 0 || std::ranges::any_of(locations_[v.variable], isOne);
}

std::uint32_t SourceVariables::idOf(const SourceVariable& v) const {
  for (const std::uint32_t l : locations_[v.variable]) {
    const spirv::Instruction* value = program_.module.definition(debug_.locations[l].value);
    if (value && value->op == spv::Op::OpVariable) return value->result;
  }
  return 0;
}

LaneValue SourceVariables::read(const SourceVariable& v, LaneState lane) const {
  LaneValue value(*this, lane, of(v).type);
  for (const ir::RecordedVariable& r : program_.recorded) {
    if (r.variable != v.variable || r.inlinedAt != v.inlinedAt || r.caller != v.caller) continue;
    value.home_ = LaneValue::Home::kRecord;
    value.record_ = &r;
    value.type_ = r.type;
    value.follow();
    return value;
  }
  for (const std::uint32_t l : locations_[v.variable]) {
    const DebugLocation& at = debug_.locations[l];
    if (at.inlinedAt != v.inlinedAt || !at.isKnown || !at.path.empty()) continue;
    if (const spirv::Constant* c = at.inMemory ? nullptr : declared_.constant(at.value)) {
      value.home_ = LaneValue::Home::kConstant;
      value.constant_ = c;
      value.type_ = c->type;
      return value;
    }
    for (const ir::ModuleVariable& m : program_.variables)
      if (m.id == at.value && m.caller == v.caller) value.toMemory(m.memory);
  }
  return value;
}

const DebugType* LaneValue::sourceType() const {
  return debugType_ == 0 ? nullptr : &of_->debug().types[debugType_];
}

void LaneValue::toMemory(const ir::Pointee& memory) {
  using Kind = ir::Pointee::Kind;
  if (memory.kind == Kind::kNone) return;
  if (memory.kind == Kind::kLocal && !of_->program().locals[memory.index].inLaneMemory) return;
  home_ = memory.kind == Kind::kLocal ? Home::kLocal : memory.kind == Kind::kOpaque ? Home::kOpaque : Home::kMemory;
  memory_ = memory;
  type_ = memory.type;
  offset_ = memory.offset;
}

// A part of a record that is somewhere else.
void LaneValue::follow() {
  if (home_ != Home::kRecord || type_->leaves == 0) return;
  const ir::LocalVariable& values = of_->program().locals[record_->local];
  const std::uint32_t note = word(of_->program().locals[values.notes].firstWord + offset_);
  if (note < ir::kElsewhere || note - ir::kElsewhere >= record_->elsewhere.size()) return;
  const ir::RecordedVariable::Part& part = record_->elsewhere[note - ir::kElsewhere];
  if (part.first != offset_ || part.leaves != type_->leaves) return;
  home_ = Home::kGone;
  toMemory(part.memory);
  isPointedAt_ = true;
}

// The next structure begins where its alignment is met.
std::optional<std::uint64_t> LaneValue::pointeeStride() const {
  if (!isAddress()) return {};
  const Type& type = *type_->element;
  if (type_->stride != 0) return type_->stride;
  if (type.kind != Type::Kind::kStruct)
    return type.isAggregate() && type.kind != Type::Kind::kVector ? std::nullopt : std::optional<std::uint64_t>(type.naturalSize);
  const auto known = of_->alignments_.find(type.id);
  if (known == of_->alignments_.end() || known->second == 0 || runtimeStride(type) != 0) return {};
  const std::uint64_t align = std::max<std::uint64_t>(known->second, type.naturalAlign);
  return (type.laidOutBytes + align - 1) / align * align;
}

LaneValue LaneValue::pointee(std::uint64_t i) const {
  LaneValue out = *this;
  out.home_ = Home::kGone;
  out.type_ = nullptr;
  out.isPointedAt_ = true;
  if (!isAddress()) return out;
  const ScalarValue address = scalar();
  const std::uint64_t resource = (address.bits >> kAddressShift) - 1;
  const bool isKnown = address.state == ScalarValue::State::kKnown;
  if (!isKnown) out.missing_ = address.state;
  if (isKnown && (resource >= lane_.env->addressableCount || !lane_.env->addressable[resource].data)) return out;
  const DebugType& told = of_->debug().types[debugType_];
  out.type_ = type_->element;
  out.debugType_ = told.kind == DebugType::Kind::kPointer ? told.element : 0;
  out.memory_ = {};
  if (!isKnown) return out;
  out.home_ = Home::kMemory;
  out.memory_.kind = ir::Pointee::Kind::kBuffer;
  out.memory_.type = out.type_;
  out.memory_.index = kByAddress;
  out.memory_.element = static_cast<std::uint32_t>(resource);
  constexpr std::uint64_t kEnd = std::uint64_t{1} << kAddressShift;  // no index is so far that it comes round
  out.offset_ = (address.bits & (kEnd - 1)) + std::min(i, kEnd) * std::min(pointeeStride().value_or(0), kEnd / 2);
  return out;
}

std::uint64_t LaneValue::count() const {
  if (!type_) return 0;
  const auto& descriptors = lane_.env->descriptors;
  if (memory_.several) return type_->count != 0 ? type_->count : descriptors[memory_.index].count;
  if (home_ == Home::kOpaque) return 0;
  if (type_->kind != Type::Kind::kRuntimeArray) return type_->isAggregate() ? type_->constituents() : 0;
  const std::uint64_t size = view().size;
  return home_ != Home::kMemory || type_->stride == 0 || size < offset_ ? 0 : (size - offset_) / type_->stride;
}

std::uint32_t LaneValue::partType(std::uint64_t i) const {
  using Kind = DebugType::Kind;
  const DebugType& from = of_->debug().types[debugType_];
  switch (type_->kind) {
    case Type::Kind::kStruct:
      return from.kind == Kind::kComposite && from.members.size() == type_->members.size() ? from.members[i].type : 0;
    case Type::Kind::kVector:
      return from.kind == Kind::kVector ? from.element : 0;
    case Type::Kind::kMatrix:
      return from.kind == Kind::kMatrix ? from.element : 0;
    default:
      return from.kind == Kind::kArray ? from.element : 0;
  }
}

LaneValue LaneValue::part(std::uint64_t i) const {
  LaneValue out = *this;
  if (i >= count()) {
    out.home_ = Home::kGone;
    out.type_ = nullptr;
    return out;
  }
  out.debugType_ = partType(i);
  if (memory_.several) {
    out.memory_.several = false;
    out.memory_.element = static_cast<std::uint32_t>(i);
    out.type_ = type_->element;
    return out;
  }
  const auto n = static_cast<std::uint32_t>(i);
  out.type_ = type_->kind == Type::Kind::kRuntimeArray ? type_->element : type_->constituent(n);
  if (home_ == Home::kMemory)
    out.stepMemory(*type_, i);
  else
    out.offset_ += type_->constituentLeaf(n);
  out.follow();
  return out;
}

// Like the lowering (lower_memory.cpp).
void LaneValue::stepMemory(const Type& from, std::uint64_t i) {
  if (from.kind == Type::Kind::kStruct) {
    const Type::Member& m = from.members[i];
    offset_ += memory_.natural ? m.naturalOffset : m.offset;
    memory_.matrix = {m.matrixStride, m.rowMajor};
  } else if (memory_.natural) {
    offset_ += i * from.element->naturalStride();
  } else if (from.kind == Type::Kind::kMatrix) {
    offset_ += i * (memory_.matrix.rowMajor ? scalarBytes(from.element->element->scalar) : memory_.matrix.stride);
    memory_.componentStride = memory_.matrix.rowMajor ? memory_.matrix.stride : 0;
  } else if (from.kind == Type::Kind::kVector) {
    offset_ += i * (memory_.componentStride != 0 ? memory_.componentStride : scalarBytes(from.element->scalar));
  } else {
    offset_ += i * from.stride;
  }
}

// OpMemberName comes before the debug type's name: glslang 12 gives all members of one type the same name there.
std::string_view LaneValue::memberName(std::uint64_t i) const {
  if (!type_ || type_->kind != Type::Kind::kStruct || i >= type_->members.size()) return {};
  if (!type_->members[i].name.empty()) return type_->members[i].name;
  const DebugType& from = of_->debug().types[debugType_];
  return from.kind == DebugType::Kind::kComposite && from.members.size() == type_->members.size() ? from.members[i].name
                                                                                                  : std::string_view{};
}

bool LaneValue::isScalar() const {
  if (!type_ || home_ == Home::kOpaque || memory_.several) return false;
  return type_->kind == Type::Kind::kScalar ||
         (type_->kind == Type::Kind::kPointer && type_->storage == spv::StorageClass::PhysicalStorageBuffer);
}

const ir::ResourceDeclaration* LaneValue::resource() const {
  const bool named = home_ == Home::kOpaque || (home_ == Home::kMemory && memory_.kind == ir::Pointee::Kind::kBuffer && !isByAddress());
  return named ? &of_->program().resources[memory_.index] : nullptr;
}

ScalarValue LaneValue::scalar() const {
  if (!isScalar()) return {};
  ScalarValue out = read();
  const bool isBool = of_->debug().types[debugType_].scalar == Scalar::kBool;  // HLSL compilers keep booleans as integers
  out.type = isBool ? Scalar::kBool : type_->kind == Type::Kind::kPointer ? Scalar::kI64 : type_->scalar;
  out.isSigned = type_->isSigned;
  const std::uint32_t bits = 8 * scalarBytes(out.type);
  if (out.type == Scalar::kBool)
    out.bits = out.bits != 0;
  else if (bits < 64)
    out.bits &= (std::uint64_t{1} << bits) - 1;
  return out;
}

ScalarValue LaneValue::read() const {
  switch (home_) {
    case Home::kRecord: {
      const std::vector<ir::LocalVariable>& locals = of_->program().locals;
      const std::uint32_t note = word(locals[locals[record_->local].notes].firstWord + offset_);
      return note > ir::kWritten ? ScalarValue{} : fromLocal(record_->local);
    }
    case Home::kLocal:
      return fromLocal(memory_.index);
    case Home::kMemory:
      return fromMemory();
    case Home::kConstant:
      return {ScalarValue::State::kKnown, {}, false, constant_->leaf(static_cast<std::uint32_t>(offset_))};
    default:
      return {missing_, {}, false, 0};
  }
}

std::uint32_t LaneValue::word(std::uint64_t index) const {
  std::uint32_t value = 0;
  if (!lane_.batch) return value;
  const Batch& batch = *lane_.batch;
  std::memcpy(&value, batch.laneMemory.data() + (index * batch.width + lane_.lane) * sizeof value, sizeof value);
  return value;
}

ScalarValue LaneValue::fromLocal(std::uint32_t index) const {
  const std::vector<ir::LocalVariable>& locals = of_->program().locals;
  const ir::LocalVariable& local = locals[index];
  if (offset_ >= local.leaves.size()) return {};
  if (local.notes != 0 && word(locals[local.notes].firstWord + offset_) == ir::kNotWritten)
    return {ScalarValue::State::kNotWritten, {}, false, 0};
  const std::uint64_t first = local.firstWord + offset_ * local.leafWords;
  const std::uint64_t high = isWide(local.leaves[offset_]) ? word(first + 1) : 0;
  return {ScalarValue::State::kKnown, {}, false, high << 32 | word(first)};
}

std::uint64_t LaneValue::byte() const {
  if (home_ == Home::kMemory) return view().offset + offset_;
  if (!isOwn()) return 0;
  const ir::LocalVariable& local = of_->program().locals[home_ == Home::kRecord ? record_->local : memory_.index];
  return (local.firstWord + offset_ * local.leafWords) * sizeof(std::uint32_t);
}

std::optional<std::uint64_t> LaneValue::noteByte() const {
  if (home_ != Home::kLocal) return {};
  const std::vector<ir::LocalVariable>& locals = of_->program().locals;
  const std::uint32_t notes = locals[memory_.index].notes;
  if (notes == 0) return {};
  return (locals[notes].firstWord + offset_) * sizeof(std::uint32_t);
}

std::optional<std::uint32_t> LaneValue::resourceIndex() const {
  if (home_ != Home::kMemory || memory_.kind != ir::Pointee::Kind::kBuffer || !view().data) return {};
  return view().resource;
}

// The bound bytes; empty if nothing is bound.
BufferView LaneValue::view() const {
  const Environment& env = *lane_.env;
  if (isByAddress()) return env.addressable[memory_.element];
  switch (memory_.kind) {
    case ir::Pointee::Kind::kWorkgroup:
      return {env.workgroupMemory, of_->program().workgroupBytes};
    case ir::Pointee::Kind::kPush:
      return {const_cast<std::byte*>(env.push), env.pushBytes};
    case ir::Pointee::Kind::kBuffer: {
      const DescriptorRange range = env.descriptors[memory_.index];
      return memory_.element < range.count ? env.buffers[range.first + memory_.element] : BufferView{};
    }
    default:
      return {};
  }
}

std::optional<std::uint64_t> LaneValue::partAt(std::uint64_t byte) const {
  if (!type_ || home_ != Home::kMemory || memory_.several) return {};
  const std::uint64_t start = view().offset + offset_;
  if (byte < start) return {};
  byte -= start;
  if (type_->kind == Type::Kind::kStruct) {
    const auto begin = [this](const Type::Member& m) { return memory_.natural ? m.naturalOffset : m.offset; };
    std::optional<std::uint64_t> found;
    for (std::size_t i = 0; i < type_->members.size(); ++i)
      if (begin(type_->members[i]) <= byte && (!found || begin(type_->members[i]) >= begin(type_->members[*found]))) found = i;
    return found;
  }
  if (type_->kind != Type::Kind::kArray && type_->kind != Type::Kind::kRuntimeArray) return {};
  const std::uint64_t stride = memory_.natural ? type_->element->naturalStride() : type_->stride;
  return stride != 0 && byte / stride < count() ? std::optional(byte / stride) : std::nullopt;
}

bool isPoison(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == kPoisonByte; });
}

ScalarValue LaneValue::fromMemory() const {
  const BufferView all = view();
  const std::uint64_t size = type_->kind == Type::Kind::kPointer ? 8 : scalarBytes(type_->scalar);
  if (offset_ > all.size || size > all.size - offset_) return {ScalarValue::State::kOutside, {}, false, 0};
  std::uint64_t bits = 0;
  std::memcpy(&bits, all.data + offset_, size);
  if (isPoison({all.data + offset_, size}) && lane_.written && memory_.kind != ir::Pointee::Kind::kPush) {
    const bool isOfGroup = memory_.kind == ir::Pointee::Kind::kWorkgroup;
    if (!lane_.written->isWritten(isOfGroup ? Place::kWorkgroup : Place::kBuffer, all.resource, lane_.env->group, byte(), byte() + size))
      return {ScalarValue::State::kNotWritten, {}, false, 0};
  }
  return {ScalarValue::State::kKnown, {}, false, bits};
}

}  // namespace lanewise
