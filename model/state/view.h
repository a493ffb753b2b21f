// From a binding to the view that the engine reads: which levels, layers or bytes of a resource, seen as which format, checked against what
// the module declares.
//
// Source: Vulkan 1.3, "Image Views", "Buffer Views", "Shader Resource Interface". Errors (bad input, unsupported) name no place: the caller
// adds it.
#pragma once

#include <vector>

#include "model/state/batch.h"

namespace lanewise {

// `levels` are the image's, padded; `chain` gets the view's, and must stay where it is.
Expected<ImageView> viewOfImage(const ImageData& image, const std::vector<ImageLevel>& levels, const Type& declared, const Binding& binding,
                                std::vector<ImageLevel>& chain);
Expected<ImageView> viewOfTexelBuffer(BufferData& buffer, const Type& declared, const Binding& binding);
// The bytes of a buffer that a binding names; data, size and offset of the view.
Expected<BufferView> viewOfBuffer(BufferData& buffer, const Binding& binding);

}  // namespace lanewise
