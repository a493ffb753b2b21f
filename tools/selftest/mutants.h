// Small wrong changes to a SPIR-V module, one at a time: what the validator must find.
//
// The rules are a table (rules.cpp): an opcode that becomes another of the same shape, a constant that grows by one, operands that change
// places, an instruction that goes, an atomic made of a plain load and store, memory semantics that become none. A mutant that is not valid
// SPIR-V, or that decodes to the program of the unchanged module, is not counted: it is not a wrong kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

struct Mutant {
  std::string rule;    // the rule's name: "operator", "constant", ...
  std::string place;   // "box_blur.glsl:31"; of an instruction without a line, the line before it in its function
  std::string source;  // that line's text, where the module has it
  std::string change;  // "OpIAdd becomes OpISub"
  std::vector<std::uint32_t> words;
};

// The rules' names with what each does, in the order of the table.
struct MutationKind {
  const char* name;
  const char* says;
};
std::vector<MutationKind> mutationKinds();

// A line that is written out many times (an unrolled loop) gives as many changes that read the same; so many of them are made.
inline constexpr std::size_t kCopies = 8;

// The mutants of a module's functions, in the order of its instructions. Not validated.
std::vector<Mutant> mutantsOf(const spirv::Module& module);

}  // namespace lanewise
