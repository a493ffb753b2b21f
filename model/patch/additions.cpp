#include "model/patch/additions.h"

#include <algorithm>

#include "model/ir/operation_info.h"
#include "model/spirv/words.h"

namespace lanewise {

using spv::Op;

bool isBehindDecorations(Op op) {
  const ir::Section section = ir::sectionOf(op);
  return section == ir::Section::kType || section == ir::Section::kConstant || op == Op::OpLine || op == Op::OpNoLine ||
         op == Op::OpVariable || op == Op::OpUndef || op == Op::OpFunction;
}

void Additions::require(spv::Capability capability, std::string_view extension) {
  if (std::ranges::count(m_.capabilities, capability) != 0 || !required_.insert(capability).second) return;
  spirv::appendInstruction(capabilities_, Op::OpCapability, {static_cast<std::uint32_t>(capability)});
  if (!extension.empty()) spirv::appendInstruction(extensions_, Op::OpExtension, {}, spirv::literalWords(extension));
}

void Additions::decorate(std::uint32_t id, spv::Decoration decoration, std::initializer_list<std::uint32_t> operands) {
  spirv::appendInstruction(decorations_, Op::OpDecorate, {id, static_cast<std::uint32_t>(decoration)}, Words(operands));
}

void Additions::decorateMember(std::uint32_t id, std::uint32_t member, spv::Decoration decoration,
                               std::initializer_list<std::uint32_t> operands) {
  spirv::appendInstruction(decorations_, Op::OpMemberDecorate, {id, member, static_cast<std::uint32_t>(decoration)}, Words(operands));
}

std::uint32_t Additions::newType(Op op, std::initializer_list<std::uint32_t> operands) {
  spirv::appendInstruction(globals_, op, {bound_}, Words(operands));
  return bound_++;
}

std::uint32_t Additions::type(Op op, std::initializer_list<std::uint32_t> operands) {
  std::uint32_t& known = types_[{op, operands}];
  if (known != 0) return known;
  const auto own = std::ranges::find_if(
      m_.instructions, [&](const spirv::Instruction& inst) { return inst.op == op && std::ranges::equal(inst.operands, operands); });
  return known = own != m_.instructions.end() ? own->result : newType(op, operands);
}

std::uint32_t Additions::constant(std::uint32_t value) {
  std::uint32_t& known = constants_[value];
  if (known == 0) {
    const std::uint32_t word = type(Op::OpTypeInt, {32, 0});
    spirv::appendInstruction(globals_, Op::OpConstant, {word, known = bound_++, value});
  }
  return known;
}

std::uint32_t Additions::variable(std::uint32_t pointerType, spv::StorageClass storage, std::uint32_t id) {
  const std::uint32_t own = id != 0 ? id : newId();
  spirv::appendInstruction(globals_, Op::OpVariable, {pointerType, own, static_cast<std::uint32_t>(storage)});
  return own;
}

ShaderModule Additions::with(const std::function<void(const spirv::Instruction&, Words& out)>& write) {
  // What is written first may add to what stands above it.
  struct Piece {
    const Words* added;
    Words words;
  };
  std::vector<Piece> pieces{{&capabilities_, {}}};
  bool extended = false, decorated = false;
  const spirv::Instruction* const firstFunction = m_.functions.empty() ? nullptr : &m_.instructions[m_.functions[0].first];
  for (const spirv::Instruction& inst : m_.instructions) {
    if (inst.op != Op::OpCapability && !std::exchange(extended, true)) pieces.push_back({&extensions_, {}});
    if (isBehindDecorations(inst.op) && !std::exchange(decorated, true)) pieces.push_back({&decorations_, {}});
    if (&inst == firstFunction) pieces.push_back({&globals_, {}});
    write(inst, pieces.back().words);
  }
  ShaderModule out{m_.name, Words(m_.words.begin(), m_.words.begin() + 5)};
  for (const Piece& piece : pieces) {
    if (piece.added) out.words.insert(out.words.end(), piece.added->begin(), piece.added->end());
    out.words.insert(out.words.end(), piece.words.begin(), piece.words.end());
  }
  out.words[3] = bound_;
  return out;
}

}  // namespace lanewise
