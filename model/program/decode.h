// Decoding in two steps, for those who decode one module many times: decode() of program.h validates it, this does not.
#pragma once

#include "model/program/program.h"

namespace lanewise {

// The module is valid: spirv/validate.h.
Expected<std::shared_ptr<const Program>> decodeValid(const ShaderModule& module, const ProgramOptions& options);

// The program's batches and the order of its lanes, which has a local size already. `quads`: two by two invocations are next to one
// another.
void placeLanes(Program& program, const ProgramOptions& options, bool quads);

}  // namespace lanewise
