// Decoding in two functions, for callers that decode one module many times: decode() validates it, decodeValid() does not.
#pragma once

#include "model/ir/program.h"

namespace lanewise {

// Validates, parses, lowers, optimises and lays out. Thread-safe. Errors: bad input with the place in the module; unsupported by name.
Expected<std::shared_ptr<const Program>> decode(const ShaderModule& module, const ProgramOptions& options);

// The same for a module that is known to be valid (spirv/validate.h).
Expected<std::shared_ptr<const Program>> decodeValid(const ShaderModule& module, const ProgramOptions& options);

// Sets the program's batches and the order of its lanes. The program already has a local size. `quads`: invocations of 2x2 are adjacent.
void placeLanes(Program& program, const ProgramOptions& options, bool quads);

// Finds the instructions at which lanes that run alone meet; see exec/lanes.h.
std::vector<std::uint8_t> meetingPoints(const Program& program);

// Sets Program::switchPoints of a program that is otherwise complete.
std::vector<std::uint8_t> switchPoints(const Program& program);

}  // namespace lanewise
