// The kernels of tests/kernels, compiled to SPIR-V like the program's own.
#pragma once

#include "shaders/embedded.h"

namespace lanewise {

std::span<const EmbeddedModule> testKernels();

}  // namespace lanewise
