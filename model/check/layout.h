// Which bytes of a block its members name (Vulkan 1.3, "Offset and Stride Assignment"): the others are padding.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spirv/types.h"

namespace lanewise {

// Marks the bytes of every scalar of a laid-out block that begins at byte 0; its runtime array takes what is left.
void markScalars(const Type& block, std::vector<std::uint8_t>& bytes);

}  // namespace lanewise
