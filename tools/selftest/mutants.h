// Small wrong changes to a SPIR-V module, one at a time, which the validator must find.
//
// The rules are a table (rules.cpp): an opcode becomes another of the same shape, a constant grows by one, operands change places, an
// instruction is removed, an atomic becomes a plain load and store, memory semantics become none. A mutant is not counted if it is not
// valid SPIR-V or decodes to the program of the unchanged module: it is then not a wrong kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

struct Mutant {
  std::string rule;           // the rule's name: "operator", "constant", ...
  InstructionPlace place;     // for an instruction without a line, the line before it in its function
  std::string source;         // that line's text, if the module has it
  std::string change;         // "OpIAdd becomes OpISub"
  std::uint32_t instruction;  // which is changed: its index in the unchanged module
  std::vector<std::uint32_t> words;
};

// The rules' names, and what each does, in the order of the table.
struct MutationKind {
  const char* name;
  const char* says;
};
std::vector<MutationKind> mutationKinds();

// A line that is repeated many times (an unrolled loop) gives as many equal changes. Only so many of them are made.
inline constexpr std::size_t kCopies = 8;

// The mutants of a module's functions, in the order of its instructions. Not validated.
std::vector<Mutant> mutantsOf(const spirv::Module& module);

}  // namespace lanewise
