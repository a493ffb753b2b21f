// A parsed SPIR-V module: instructions with their word offsets and source lines, definitions by id, names, decorations, entry points.
//
// Source: SPIR-V 1.6, section 2 "Specification". Only data and look-ups: parse.h makes it from words and says what it promises.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/contract/instruction_place.h"
#include "model/spirv/literal.h"

namespace lanewise::spirv {

// The place of an instruction in the source. line 0: unknown.
struct SourceLine {
  std::uint32_t file = 0;  // id of the OpString (or DebugSource's file string); 0: unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

struct Instruction {
  spv::Op op{};
  std::uint32_t offset = 0;                 // in words, from the start of the module
  std::uint32_t type = 0;                   // result type id, 0 if none
  std::uint32_t result = 0;                 // result id, 0 if none
  std::span<const std::uint32_t> operands;  // the words after type and result
  SourceLine source;

  std::uint32_t operand(std::size_t i) const { return i < operands.size() ? operands[i] : 0; }
};

struct Decoration {
  spv::Decoration kind{};
  std::span<const std::uint32_t> operands;
};

// The set that an extended instruction is of. Several imports may name one set.
enum class InstructionSet : std::uint8_t {
  kNone,         // not an extended instruction, or its import is missing
  kGlsl,         // GLSL.std.450
  kDebugPrintf,  // NonSemantic.DebugPrintf: prints values, which other instructions load
  kShaderDebug,  // NonSemantic.Shader.DebugInfo.100
  kOpenClDebug,  // OpenCL.DebugInfo.100
  kNonSemantic,  // another one that says something about the module and has no effect
  kAmdTrinary,   // SPV_AMD_shader_trinary_minmax
  kAmdBallot,    // SPV_AMD_shader_ballot
  kAmdGcn,       // SPV_AMD_gcn_shader
  kOther,
};
constexpr bool isNonSemantic(InstructionSet set) {
  return set == InstructionSet::kShaderDebug || set == InstructionSet::kOpenClDebug || set == InstructionSet::kNonSemantic;
}

// The instructions of one function: [first, last) in Module::instructions, OpFunction and OpFunctionEnd included.
struct FunctionRange {
  std::uint32_t id = 0;
  std::uint32_t first = 0, last = 0;
};

struct EntryPoint {
  spv::ExecutionModel model{};
  std::uint32_t function = 0;
  std::string name;
  std::vector<std::uint32_t> interface;
};

// An OpExecutionMode, or an OpExecutionModeId, whose operands are ids of constants.
struct ExecutionMode {
  std::uint32_t function = 0;
  spv::ExecutionMode mode{};
  bool ids = false;
  std::span<const std::uint32_t> operands;

  std::uint32_t operand(std::size_t i) const { return i < operands.size() ? operands[i] : 0; }
};

// Movable, not copyable: instructions point into `words`.
class Module {
 public:
  Module() = default;
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;
  std::string name;                  // for messages
  std::vector<std::uint32_t> words;  // owns what the spans of the instructions point into
  std::uint32_t version = 0;         // 0x00010600 for 1.6
  std::uint32_t bound = 0;
  std::vector<Instruction> instructions;
  std::vector<std::uint32_t> definitions;  // by id: index into instructions, or kNone
  std::unordered_map<std::uint32_t, std::vector<Decoration>> decorations;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Decoration>> memberDecorations;  // (struct id, member)
  std::unordered_map<std::uint32_t, std::string> names;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> memberNames;
  std::vector<EntryPoint> entryPoints;
  std::vector<ExecutionMode> executionModes;
  std::vector<FunctionRange> functions;
  std::vector<spv::Capability> capabilities;
  std::unordered_map<std::uint32_t, InstructionSet> sets;  // by the id of the import
  std::vector<std::uint32_t> named, namedFrom;             // namedBy(), of all instructions; and where each one's begin, and the end

  static constexpr std::uint32_t kNone = 0xffffffffu;

  // The instruction that defines an id; nullptr if none does.
  const Instruction* definition(std::uint32_t id) const;
  InstructionSet setOf(const Instruction& inst) const;
  // The ids that an instruction of this module names. Debug information and DebugPrintf name none: other instructions compute what they
  // show.
  std::span<const std::uint32_t> namedBy(const Instruction& inst) const;
  const Decoration* decoration(std::uint32_t id, spv::Decoration kind) const;
  const Decoration* memberDecoration(std::uint32_t id, std::uint32_t member, spv::Decoration kind) const;
  // The first literal of a decoration; empty without one.
  std::optional<std::uint32_t> decorationNumber(std::uint32_t id, spv::Decoration kind) const;
  std::optional<std::uint32_t> memberDecorationNumber(std::uint32_t id, std::uint32_t member, spv::Decoration kind) const;
  // An entry point for compute; nullptr without one of that name.
  const EntryPoint* computeEntry(const std::string& entryName) const;
  const FunctionRange* function(std::uint32_t id) const;
  // The string of an OpString; empty if there is none.
  std::string string(std::uint32_t id) const;
  // "box_blur_naive.comp:31", or empty where the line is unknown.
  std::string lineText(SourceLine line) const;
  // An instruction that belongs to this line, which may be unknown.
  InstructionPlace placeOf(const Instruction& inst, SourceLine line) const;
  // The name an author gave an id, or "%17".
  std::string nameOf(std::uint32_t id) const;
};

// "OpIAdd"; "Op<number>" for an unknown one. Every message takes names from here.
std::string opName(spv::Op op);

}  // namespace lanewise::spirv
