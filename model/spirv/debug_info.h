// What a module says about its author's source: the place of each instruction, the scopes and calls around it, the variables there and
// where their values live, and the sources themselves.
//
// Source: NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100 as glslang, DXC and Slang write them; where there is no more, OpLine,
// OpName, OpMemberName and OpSource, as naga and Tint leave them. Promise: any module can be read; what its debug information gets wrong
// is left out. Gaps: of DebugExpression only the empty one and Deref are followed (a variable told any other way is not readable there);
// macros, imported entities and inheritance are passed over.
#pragma once

#include <optional>

#include "model/spirv/debug_types.h"

namespace lanewise::spirv {

struct DebugSource {
  std::uint32_t file = 0;  // id of the OpString, as in SourceLine
  std::string name;
  std::string text;  // empty: not in the module
};

// Scopes, calls and variables name one another by their index; index 0 is none.
struct DebugScope {
  enum class Kind : std::uint8_t { kNone, kUnit, kType, kFunction, kBlock };
  Kind kind = Kind::kNone;
  std::string name;  // of a function, a type or a named block
  SourceLine declared;
  std::uint32_t parent = 0;
  std::uint32_t function = 0;  // kFunction: id of its OpFunction, 0 where it was inlined everywhere
};

// A call that the compiler inlined: what stands in its scope was called at `call`, from `scope`, itself inlined at `inlinedAt`.
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
  bool isMade = false;  // the compiler's own: the module has debug information, which does not know it
};

// Where a variable, or a part of it, lives from one instruction on.
struct DebugLocation {
  std::uint32_t variable = 0;
  std::uint32_t instruction = 0;    // of the module
  std::uint32_t inlinedAt = 0;      // as in the place of the instruction
  std::uint32_t value = 0;          // an id
  bool inMemory = false;            // the id is a pointer to the value
  bool isKnown = true;              // false: from here on the variable is nowhere
  std::vector<std::uint32_t> path;  // the part: member and element numbers
};

// One function of the source, from the innermost one outwards; those that the compiler inlined, not those that SPIR-V calls.
struct DebugFrame {
  DebugPlace place;
  std::uint32_t function = 0;  // its scope
  SourceLine line;             // where it stands, or where it calls the frame before
};

struct DebugInfo {
  bool isComplete = false;  // the module has debug information, not names and lines alone
  std::vector<DebugSource> sources;
  std::vector<DebugType> types{1};
  std::vector<DebugScope> scopes{1};
  std::vector<DebugInlinedAt> inlined{1};
  std::vector<DebugVariable> variables{1};
  std::vector<DebugLocation> locations;                               // as they stand in the module
  std::vector<std::pair<std::uint32_t, DebugPlace>> places{{0, {}}};  // from which instruction on

  DebugPlace placeOf(std::uint32_t instruction) const;
  // The function's scope that a scope is in; 0 if none.
  std::uint32_t functionOf(std::uint32_t scope) const;
  // `line`: the instruction's own.
  std::vector<DebugFrame> frames(std::uint32_t instruction, SourceLine line) const;
  // True if `inner` is `outer` or within it.
  bool isWithin(std::uint32_t inner, std::uint32_t outer) const;
  // A line of an embedded source, counted from 1; nothing where the text is not in the module.
  std::optional<std::string_view> lineOf(SourceLine line) const;
};

DebugInfo readDebugInfo(const Module& module);

// Fills Instruction::source of every instruction, from OpLine and DebugLine.
void readLines(Module& module);

}  // namespace lanewise::spirv
