// The part of a buffer that a binding names.
#pragma once

#include <cstdint>

#include "model/contract/device.h"

namespace lanewise {

struct BoundBytes {
  std::uint64_t offset = 0, size = 0;
};

// Bad input, without a place: no byte is left of the buffer, or more are asked for than are left (VUID-VkDescriptorBufferInfo-offset-00340
// and -range-00342). So nothing of an empty buffer can be bound: Vulkan has none.
Expected<BoundBytes> boundBytes(const Binding& binding, std::uint64_t bufferBytes);

}  // namespace lanewise
