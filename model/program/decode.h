// Decoding in two steps, for those who decode one module many times: decode() validates it, decodeValid() does not.
#pragma once

#include "model/ir/program.h"

namespace lanewise {

// Validates, parses, lowers, optimises and lays out. Thread-safe. Errors: bad input with the place in the module; unsupported by name.
Expected<std::shared_ptr<const Program>> decode(const ShaderModule& module, const ProgramOptions& options);

// The module is valid: spirv/validate.h.
Expected<std::shared_ptr<const Program>> decodeValid(const ShaderModule& module, const ProgramOptions& options);

// The program's batches and the order of its lanes, which has a local size already. `quads`: two by two invocations are next to one
// another.
void placeLanes(Program& program, const ProgramOptions& options, bool quads);

// Which instructions lanes that run alone meet at; see exec/lanes.h.
std::vector<std::uint8_t> meetingPoints(const Program& program);

// Program::switchPoints of a program that has everything else.
std::vector<std::uint8_t> switchPoints(const Program& program);

}  // namespace lanewise
