// The modules built from image_samples.comp, as embedded in the worker.
#pragma once

#include "shaders/embedded.h"

namespace lanewise {

std::span<const EmbeddedModule> sampleKernels();

}  // namespace lanewise
