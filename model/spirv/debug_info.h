// What a module says about its source: the place of each instruction, the scopes and calls around it, the variables there and where their
// values are, and the source texts.
//
// Source: NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100, as glslang, DXC and Slang write them. Without these: OpLine, OpName,
// OpMemberName and OpSource, as naga and Tint write them. Promise: any module can be read, and wrong debug information is left out. Gaps:
// only the empty DebugExpression and Deref are followed, so a variable described in another way cannot be read there. Macros, imported
// entities and inheritance are ignored.
#pragma once

#include <optional>

#include "model/spirv/debug_types.h"

namespace lanewise::spirv {

struct DebugSource {
  std::uint32_t file = 0;  // id of the OpString, as in SourceLine
  std::string name;
  std::string text;  // empty: not in the module
};

// Scopes, calls and variables refer to each other by index; index 0 is none.
struct DebugScope {
  enum class Kind : std::uint8_t { kNone, kUnit, kType, kFunction, kBlock };
  Kind kind = Kind::kNone;
  std::string name;  // of a function without its parameters, of a type or of a named block
  SourceLine declared;
  std::uint32_t parent = 0;
  std::uint32_t function = 0;  // kFunction: id of its OpFunction, 0 where it was inlined everywhere
  bool isWrapper = false;      // kFunction: a compiler of HLSL made it, to call the author's entry point
};

// A call that the compiler inlined. The instructions in its scope were called at `call`, from `scope`, which is itself inlined at
// `inlinedAt`.
struct DebugInlinedAt {
  SourceLine call;
  std::uint32_t scope = 0, inlinedAt = 0;
};

struct DebugPlace {
  std::uint32_t scope = 0, inlinedAt = 0;
  friend bool operator==(const DebugPlace&, const DebugPlace&) = default;
};

struct DebugVariable {
  std::string name;
  std::uint32_t type = 0;   // index of a DebugType
  std::uint32_t scope = 0;  // where it is declared
  SourceLine declared;
  std::uint32_t argument = 0;  // 1 for a function's first
  bool isGlobal = false;
  bool isMade = false;  // made by the compiler: the module's debug information does not have it
};

// Where a variable, or a part of it, is from one instruction on.
struct DebugLocation {
  std::uint32_t variable = 0;
  std::uint32_t instruction = 0;    // of the module
  std::uint32_t inlinedAt = 0;      // as in the place of the instruction
  std::uint32_t value = 0;          // an id
  bool inMemory = false;            // the id is a pointer to the value
  bool isKnown = true;              // false: from here on the variable has no place
  std::vector<std::uint32_t> path;  // the part: member and element numbers
};

// One function of the source. A list goes from the innermost one outwards, with the functions that the compiler inlined, but not those that
// SPIR-V calls.
struct DebugFrame {
  DebugPlace place;
  std::uint32_t function = 0;  // its scope
  SourceLine line;             // the current line, or the line that calls the previous frame
};

struct DebugInfo {
  bool isComplete = false;  // the module has debug information, not only names and lines
  std::vector<DebugSource> sources;
  std::vector<DebugType> types{1};
  std::vector<DebugScope> scopes{1};
  std::vector<DebugInlinedAt> inlined{1};
  std::vector<DebugVariable> variables{1};
  std::vector<DebugLocation> locations;                               // in the order of the module
  std::vector<std::pair<std::uint32_t, DebugPlace>> places{{0, {}}};  // from which instruction on

  DebugPlace placeOf(std::uint32_t instruction) const;
  // The function's scope that a scope is in; 0 if none.
  std::uint32_t functionOf(std::uint32_t scope) const;
  // `line`: the one of the instruction itself.
  std::vector<DebugFrame> frames(std::uint32_t instruction, SourceLine line) const;
  // True if `inner` is `outer` or within it.
  bool isWithin(std::uint32_t inner, std::uint32_t outer) const;
  // A line of an embedded source, counted from 1; empty if the text is not in the module.
  std::optional<std::string_view> lineOf(SourceLine line) const;
};

DebugInfo readDebugInfo(const Module& module);

// Fills Instruction::source of every instruction, from OpLine and DebugLine. In a wrapper only initializers of globals have one: nobody
// wrote the rest.
void readLines(Module& module);

}  // namespace lanewise::spirv
