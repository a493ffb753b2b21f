#include "model/spirv/parse.h"

#include <fmt/format.h>

#include "model/base/visible.h"
#include "model/spirv/debug_info.h"
#include "model/spirv/newer.h"
#include "model/spirv/uses.h"

namespace lanewise::spirv {
namespace {

InstructionSet setNamed(const std::string& name) {
  if (name == "GLSL.std.450") return InstructionSet::kGlsl;
  if (name == "NonSemantic.DebugPrintf") return InstructionSet::kDebugPrintf;
  if (name == "NonSemantic.Shader.DebugInfo.100") return InstructionSet::kShaderDebug;
  if (name == "OpenCL.DebugInfo.100") return InstructionSet::kOpenClDebug;
  if (name == "SPV_AMD_shader_trinary_minmax") return InstructionSet::kAmdTrinary;
  if (name == "SPV_AMD_shader_ballot") return InstructionSet::kAmdBallot;
  if (name == "SPV_AMD_gcn_shader") return InstructionSet::kAmdGcn;
  return name.starts_with("NonSemantic.") || name == "DebugInfo" ? InstructionSet::kNonSemantic : InstructionSet::kOther;
}

class Parser {
 public:
  explicit Parser(Module& module) : m_(module) {}

  Status run() {
    if (m_.words.size() < kHeaderWords) return bad(0, "the module ends inside its header");
    if (m_.words[0] != spv::MagicNumber) return bad(0, "the first word is not SPIR-V's magic number");
    m_.version = m_.words[1];
    m_.bound = m_.words[3];
    if (m_.bound > kMaxBound) return bad(3, fmt::format("the id bound {} is above SPIR-V's limit {}", m_.bound, kMaxBound));
    m_.definitions.assign(m_.bound, Module::kNone);
    m_.instructions.reserve(m_.words.size() / 5);
    for (std::size_t at = kHeaderWords; at < m_.words.size();) {
      const std::uint32_t count = m_.words[at] >> 16;
      if (count == 0 || at + count > m_.words.size()) return bad(at, "the instruction runs past the end of the module");
      if (Status error = read(static_cast<std::uint32_t>(at), count)) return error;
      at += count;
    }
    if (inFunction_) return bad(m_.words.size(), "the module ends inside a function");
    return {};
  }

 private:
  static constexpr std::uint32_t kMaxBound = 0x3fffff;  // SPIR-V 1.6, 2.17 "Universal Limits"

  Status bad(std::size_t word, std::string what) const {
    return Error{Outcome::kBadInput, "not a valid SPIR-V module: " + std::move(what), fmt::format("{}, word {}", m_.name, word), ""};
  }

  Status read(std::uint32_t at, std::uint32_t count) {
    Instruction inst;
    inst.op = static_cast<spv::Op>(m_.words[at] & 0xffff);
    inst.offset = at;
    bool hasResult = false, hasType = false;
    spv::HasResultAndType(inst.op, &hasResult, &hasType);
    if (!newerName(inst.op).empty()) hasResult = hasType = true;
    const std::uint32_t fixed = 1u + (hasType ? 1u : 0u) + (hasResult ? 1u : 0u);
    if (count < fixed) return bad(at, fmt::format("the instruction (opcode {}) is too short", static_cast<std::uint32_t>(inst.op)));
    if (hasType) inst.type = m_.words[at + 1];
    if (hasResult) inst.result = m_.words[at + fixed - 1];
    inst.operands = std::span(m_.words).subspan(at + fixed, count - fixed);
    if (inst.type >= m_.bound || inst.result >= m_.bound)
      return bad(at, fmt::format("the instruction (opcode {}) names an id above the bound", static_cast<std::uint32_t>(inst.op)));
    const auto index = static_cast<std::uint32_t>(m_.instructions.size());
    if (inst.result != 0) {
      if (m_.definitions[inst.result] != Module::kNone) return bad(at, fmt::format("id %{} is defined twice", inst.result));
      m_.definitions[inst.result] = index;
    }
    note(inst, index);
    m_.instructions.push_back(inst);
    return {};
  }

  // Keeps what other instructions refer to by id: names, decorations, entry points, functions.
  void note(const Instruction& inst, std::uint32_t index) {
    const auto& w = inst.operands;
    switch (inst.op) {
      case spv::Op::OpName:
        if (w.size() > 1) m_.names[w[0]] = visible(literalString(w.subspan(1)));
        break;
      case spv::Op::OpMemberName:
        if (w.size() > 2) m_.memberNames[{w[0], w[1]}] = visible(literalString(w.subspan(2)));
        break;
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateId:
        if (w.size() > 1) m_.decorations[w[0]].push_back({static_cast<spv::Decoration>(w[1]), w.subspan(2)});
        break;
      case spv::Op::OpMemberDecorate:
        if (w.size() > 2) m_.memberDecorations[{w[0], w[1]}].push_back({static_cast<spv::Decoration>(w[2]), w.subspan(3)});
        break;
      case spv::Op::OpGroupDecorate:
        for (std::uint32_t target : w.subspan(w.empty() ? 0 : 1)) copyDecorations(w[0], target);
        break;
      case spv::Op::OpGroupMemberDecorate:
        for (std::size_t i = 1; i + 1 < w.size(); i += 2) {
          const std::vector<Decoration> copied = m_.decorations[w[0]];
          std::vector<Decoration>& to = m_.memberDecorations[{w[i], w[i + 1]}];
          to.insert(to.end(), copied.begin(), copied.end());
        }
        break;
      case spv::Op::OpExtInstImport:
        m_.sets[inst.result] = setNamed(literalString(w));
        break;
      case spv::Op::OpCapability:
        m_.capabilities.push_back(static_cast<spv::Capability>(inst.operand(0)));
        break;
      case spv::Op::OpEntryPoint:
        entryPoint(w);
        break;
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId:
        if (w.size() > 1)
          m_.executionModes.push_back({w[0], static_cast<spv::ExecutionMode>(w[1]), inst.op == spv::Op::OpExecutionModeId, w.subspan(2)});
        break;
      case spv::Op::OpFunction:
        inFunction_ = true;
        m_.functions.push_back({inst.result, index, 0});
        break;
      case spv::Op::OpFunctionEnd:
        if (inFunction_) m_.functions.back().last = index + 1;
        inFunction_ = false;
        break;
      default:
        break;
    }
  }

  void copyDecorations(std::uint32_t group, std::uint32_t target) {
    const std::vector<Decoration> copied = m_.decorations[group];
    std::vector<Decoration>& to = m_.decorations[target];
    to.insert(to.end(), copied.begin(), copied.end());
  }

  void entryPoint(std::span<const std::uint32_t> w) {
    if (w.size() < 3) return;
    EntryPoint entry{static_cast<spv::ExecutionModel>(w[0]), w[1], literalString(w.subspan(2)), {}};
    const std::size_t nameWords = entry.name.size() / 4 + 1;
    if (w.size() > 2 + nameWords) entry.interface.assign(w.begin() + 2 + static_cast<std::ptrdiff_t>(nameWords), w.end());
    m_.entryPoints.push_back(std::move(entry));
  }

  Module& m_;
  bool inFunction_ = false;
};

// Tint names no buffer, but its block: "particles_block_tint_explicit_layout".
void nameBuffersOfTint(Module& module) {
  constexpr std::string_view kEnd = "_block_tint_explicit_layout";
  for (const Instruction& inst : module.instructions) {
    if (inst.op != spv::Op::OpVariable || module.names.contains(inst.result)) continue;
    const Instruction* pointer = module.definition(inst.type);
    if (!pointer || pointer->op != spv::Op::OpTypePointer) continue;
    const auto block = module.names.find(pointer->operand(1));
    if (block == module.names.end() || !block->second.ends_with(kEnd)) continue;
    module.names[inst.result] = block->second.substr(0, block->second.size() - kEnd.size());
  }
}

}  // namespace

Expected<Module> parse(std::string name, std::vector<std::uint32_t> words) {
  Module module;
  module.name = std::move(name);
  module.words = std::move(words);
  if (Status error = Parser(module).run()) return *error;
  readLines(module);
  readNames(module);
  nameBuffersOfTint(module);
  return module;
}

}  // namespace lanewise::spirv
