// What a binding names of an image or a texel buffer, checked against the OpTypeImage that the module declares: the same for the model and
// for devices.
//
// Source: Vulkan 1.3, "Image Views", "Buffer Views", "Shader Resource Interface". Errors (bad input, unsupported) name no place; the caller
// adds it.
#pragma once

#include "model/contract/bound_bytes.h"
#include "model/contract/device.h"
#include "model/spirv/types.h"

namespace lanewise::spirv {

struct BoundView {
  const FormatInfo* format = nullptr;
  std::uint32_t levels = 0, layers = 0;  // from the binding's baseLevel and baseLayer on
};
Expected<BoundView> boundView(const ImageData& image, const Type& declared, const Binding& binding);

// The bytes of a buffer, from a whole number of texels on.
struct BoundTexels {
  const FormatInfo* format = nullptr;
  BoundBytes bytes;
};
Expected<BoundTexels> boundTexels(std::uint64_t bufferBytes, const Type& declared, const Binding& binding);

}  // namespace lanewise::spirv
