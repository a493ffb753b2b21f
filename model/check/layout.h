// The bytes of a block that its members name (Vulkan 1.3, "Offset and Stride Assignment"). The others are padding.
#pragma once

#include <cstdint>
#include <vector>

#include "model/contract/device.h"
#include "model/ir/program.h"

namespace lanewise {

// Marks the bytes of every scalar of a block that begins at byte 0. Its runtime array takes the remaining bytes.
void markScalars(const Type& block, std::vector<std::uint8_t>& bytes);

// The bytes of a resource that a member of a bound block names. Without a block, all bytes.
using ProgramOfDispatch = std::pair<const Program*, const Dispatch*>;
std::vector<std::uint8_t> namedBytesOf(const Resource& resource, std::span<const ProgramOfDispatch> dispatches);

}  // namespace lanewise
