// Decoding in two steps, for those who decode one module many times: decode() of program.h validates it, this does not.
#pragma once

#include "model/program/program.h"

namespace lanewise {

// The module is valid: spirv/validate.h.
Expected<std::shared_ptr<const Program>> decodeValid(const ShaderModule& module, const ProgramOptions& options);

}  // namespace lanewise
