// See reflect_types.h. Operand positions are those of SPIR-V 1.6, section 3.49; `words[0]` is the opcode word.
#include "gpu/reflect_types.h"

#include <algorithm>

namespace lanewise {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // sizes saturate here, so that products cannot wrap
constexpr int kMaxDepth = 64;                            // nesting of types

// A literal string: octets in little-endian words, ended by a zero octet. `rest` gets the words after it.
std::string literalString(std::span<const std::uint32_t> words, std::size_t* used = nullptr) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = char((words[i] >> shift) & 0xff);
      if (c == 0) {
        if (used) *used = i + 1;
        return text;
      }
      text += c;
    }
  }
  if (used) *used = words.size();
  return text;
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return a && b > kMost / a ? kMost : std::min(a * b, kMost);
}

// The fewest words of each instruction that is read below.
std::size_t fewestWords(spv::Op op) {
  switch (op) {
    case spv::Op::OpCapability:
    case spv::Op::OpExtension:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeStruct:
    case spv::Op::OpTypeBool:
      return 2;
    case spv::Op::OpName:
    case spv::Op::OpDecorate:
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
    case spv::Op::OpTypeFloat:
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      return 3;
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypePointer:
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpVariable:
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionCall:
      return 4;
    case spv::Op::OpTypeImage:
      return 9;
    default:
      return 1;
  }
}

}  // namespace

const char* ModuleTables::add(spv::Op op, std::span<const std::uint32_t> words) {
  if (words.size() < fewestWords(op)) return "an instruction has too few operands";
  switch (op) {
    case spv::Op::OpCapability:
      capabilities.push_back(words[1]);
      break;
    case spv::Op::OpExtension:
      extensions.push_back(literalString(words.subspan(1)));
      break;
    case spv::Op::OpEntryPoint:
      addEntry(words);
      break;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      addMode(words);
      break;
    case spv::Op::OpName:
      names_[words[1]] = literalString(words.subspan(2));
      break;
    case spv::Op::OpDecorate:
      decorate(words);
      break;
    case spv::Op::OpMemberDecorate:
      decorateMember(words);
      break;
    case spv::Op::OpFunction:
      function_ = words[2];
      break;
    case spv::Op::OpFunctionEnd:
      function_ = 0;
      break;
    case spv::Op::OpVariable: {
      if (function_ != 0) break;
      const TypeRow* pointer = type(words[1]);
      const auto slot = slots_.find(words[2]);
      VariableRow row{words[3], pointer ? pointer->element : 0, 0, 0};
      if (slot != slots_.end()) std::tie(row.set, row.binding) = slot->second;
      variables[words[2]] = row;
      break;
    }
    default:
      addType(op, words);
      addConstant(op, words);
  }
  if (function_ != 0) markUses(op, words);
  return nullptr;
}

void ModuleTables::addEntry(std::span<const std::uint32_t> words) {
  EntryRow entry;
  entry.model = words[1];
  entry.id = words[2];
  std::size_t used = 0;
  entry.name = literalString(words.subspan(3), &used);
  for (const std::uint32_t id : words.subspan(3 + used)) entry.interface.push_back(id);
  entries.push_back(std::move(entry));
}

void ModuleTables::addMode(std::span<const std::uint32_t> words) {
  const auto mode = spv::ExecutionMode(words[2]);
  for (EntryRow& e : entries) {
    if (e.id != words[1]) continue;
    if ((mode == spv::ExecutionMode::LocalSize || mode == spv::ExecutionMode::LocalSizeId) && words.size() >= 6) {
      e.localSize = {words[3], words[4], words[5]};
      e.localSizeIsIds = mode == spv::ExecutionMode::LocalSizeId;
    }
    const bool isFloat = mode >= spv::ExecutionMode::DenormPreserve && mode <= spv::ExecutionMode::RoundingModeRTZ;
    if (isFloat && words.size() >= 4) e.floatModes.push_back({words[2], words[3]});
  }
}

void ModuleTables::addType(spv::Op op, std::span<const std::uint32_t> words) {
  switch (op) {
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeSampler:
      break;
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      types_[words[1]].width = words[2];
      break;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      types_[words[1]].element = words[2];
      types_[words[1]].count = words[3];
      break;
    case spv::Op::OpTypeArray:
      types_[words[1]].length = words[3];
      [[fallthrough]];
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeSampledImage:
      types_[words[1]].element = words[2];
      break;
    case spv::Op::OpTypePointer:
      types_[words[1]].element = words[3];
      break;
    case spv::Op::OpTypeStruct:
      types_[words[1]].members.assign(words.begin() + 2, words.end());
      break;
    case spv::Op::OpTypeImage: {
      TypeRow& row = types_[words[1]];
      row.imageDim = words[3];
      row.imageArrayed = words[5] != 0;
      row.imageMultisampled = words[6] != 0;
      row.imageSampled = words[7];
      row.imageFormat = words[8];
      break;
    }
    default:
      return;
  }
  types_[words[1]].op = op;
}

void ModuleTables::addConstant(spv::Op op, std::span<const std::uint32_t> words) {
  switch (op) {
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      constants_[words[2]] = words[3] | (words.size() > 4 ? std::uint64_t{words[4]} << 32 : 0);
      break;
    case spv::Op::OpConstantTrue:
    case spv::Op::OpSpecConstantTrue:
      constants_[words[2]] = 1;
      break;
    case spv::Op::OpConstantFalse:
    case spv::Op::OpSpecConstantFalse:
      constants_[words[2]] = 0;
      break;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      composites_[words[2]].assign(words.begin() + 3, words.end());
      return;
    default:
      return;
  }
  constantTypes_[words[2]] = words[1];
}

// Decorations stand before the types and variables they name: rows are made here and completed later.
void ModuleTables::decorate(std::span<const std::uint32_t> words) {
  const std::uint32_t value = words.size() > 3 ? words[3] : 0;
  switch (spv::Decoration(words[2])) {
    case spv::Decoration::DescriptorSet:
      slots_[words[1]].first = value;
      break;
    case spv::Decoration::Binding:
      slots_[words[1]].second = value;
      break;
    case spv::Decoration::SpecId:
      specIds_[value].push_back(words[1]);
      break;
    case spv::Decoration::BufferBlock:
      types_[words[1]].bufferBlock = true;
      break;
    case spv::Decoration::ArrayStride:
      types_[words[1]].arrayStride = value;
      break;
    case spv::Decoration::BuiltIn:
      if (value == std::uint32_t(spv::BuiltIn::WorkgroupSize)) workgroupSize = words[1];
      break;
    default:
      break;
  }
}

void ModuleTables::decorateMember(std::span<const std::uint32_t> words) {
  if (spv::Decoration(words[3]) == spv::Decoration::RowMajor) types_[words[1]].rowMajor.insert(words[2]);
  if (words.size() < 5) return;
  if (spv::Decoration(words[3]) == spv::Decoration::Offset) types_[words[1]].offsets[words[2]] = words[4];
  if (spv::Decoration(words[3]) == spv::Decoration::MatrixStride) types_[words[1]].matrixStrides[words[2]] = words[4];
}

void ModuleTables::markUses(spv::Op op, std::span<const std::uint32_t> words) {
  // Debug information names variables without using them.
  if (op == spv::Op::OpExtInst || op == spv::Op::OpLine || op == spv::Op::OpNoLine) return;
  FunctionRow& row = functions_[function_];
  if (op == spv::Op::OpFunctionCall) row.calls.insert(words[3]);
  for (const std::uint32_t word : words.subspan(1))
    if (variables.contains(word)) row.variables.insert(word);
}

std::set<std::uint32_t> ModuleTables::usedBy(std::uint32_t function) const {
  std::set<std::uint32_t> used, seen{function};
  for (std::vector<std::uint32_t> work{function}; !work.empty();) {
    const auto row = functions_.find(work.back());
    work.pop_back();
    if (row == functions_.end()) continue;
    used.insert(row->second.variables.begin(), row->second.variables.end());
    for (const std::uint32_t callee : row->second.calls)
      if (seen.insert(callee).second) work.push_back(callee);
  }
  return used;
}

void ModuleTables::specialize(std::span<const SpecConstant> spec) {
  for (const SpecConstant& s : spec) {
    const auto found = specIds_.find(s.id);
    if (found == specIds_.end()) continue;
    for (const std::uint32_t id : found->second) constants_[id] = s.value;
  }
}

const TypeRow* ModuleTables::type(std::uint32_t id) const {
  const auto found = types_.find(id);
  return found == types_.end() ? nullptr : &found->second;
}

std::uint64_t ModuleTables::constant(std::uint32_t id) const {
  const auto found = constants_.find(id);
  return found == constants_.end() ? 0 : found->second;
}

const std::vector<std::uint32_t>* ModuleTables::composite(std::uint32_t id) const {
  const auto found = composites_.find(id);
  return found == composites_.end() ? nullptr : &found->second;
}

std::string ModuleTables::name(std::uint32_t id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? "" : found->second;
}

std::vector<SpecSlot> ModuleTables::specSlots() const {
  std::vector<SpecSlot> slots;
  for (const auto& [specId, ids] : specIds_) {
    const auto found = constantTypes_.find(ids.front());
    const TypeRow* row = found == constantTypes_.end() ? nullptr : type(found->second);
    slots.push_back({specId, row && row->width ? row->width / 8 : 4});
  }
  return slots;
}

std::uint64_t ModuleTables::structSize(const TypeRow& row, bool explicitLayout, int depth) const {
  std::uint64_t end = 0;
  for (std::uint32_t m = 0; m < row.members.size(); ++m) {
    const TypeRow* member = type(row.members[m]);
    const auto stride = row.matrixStrides.find(m);
    std::uint64_t bytes = sizeOf(row.members[m], explicitLayout, depth + 1);
    if (explicitLayout && member && member->op == spv::Op::OpTypeMatrix && stride != row.matrixStrides.end()) {
      const TypeRow* column = type(member->element);
      bytes = times(stride->second, row.rowMajor.contains(m) && column ? column->count : member->count);
    }
    const auto offset = row.offsets.find(m);
    const std::uint64_t begin = explicitLayout && offset != row.offsets.end() ? offset->second : end;
    end = std::min(kMost, std::max(end, begin + bytes));
  }
  return end;
}

std::uint64_t ModuleTables::sizeOf(std::uint32_t id, bool explicitLayout, int depth) const {
  const TypeRow* row = type(id);
  if (!row || depth > kMaxDepth) return 0;
  const auto [known, fresh] = sizes_.try_emplace({id, explicitLayout}, 0);  // 0 until computed: a cycle ends here
  if (fresh) known->second = computeSize(*row, explicitLayout, depth);
  return known->second;
}

std::uint64_t ModuleTables::computeSize(const TypeRow& row, bool explicitLayout, int depth) const {
  switch (row.op) {
    case spv::Op::OpTypeBool:
      return 4;
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return row.width / 8;
    case spv::Op::OpTypePointer:
      return 8;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      return times(row.count, sizeOf(row.element, explicitLayout, depth + 1));
    case spv::Op::OpTypeArray: {
      const std::uint64_t element = explicitLayout && row.arrayStride ? row.arrayStride : sizeOf(row.element, explicitLayout, depth + 1);
      return times(element, constant(row.length));
    }
    case spv::Op::OpTypeStruct:
      return structSize(row, explicitLayout, depth);
    default:
      return 0;
  }
}

}  // namespace lanewise
