// Makes the view that the engine reads from a binding: which levels, layers or bytes of a resource, in which format. It is checked against
// the module's declaration; errors are those of spirv/bound_view.h.
#pragma once

#include <vector>

#include "model/state/batch.h"

namespace lanewise {

// `levels` are the image's, padded. `chain` receives the view's levels and must stay at its address.
Expected<ImageView> viewOfImage(const ImageData& image, const std::vector<ImageLevel>& levels, const Type& declared, const Binding& binding,
                                std::vector<ImageLevel>& chain);
Expected<ImageView> viewOfTexelBuffer(BufferData& buffer, const Type& declared, const Binding& binding);
// The bytes of a buffer that a binding names: the view's data, size and offset.
Expected<BufferView> viewOfBuffer(BufferData& buffer, const Binding& binding);

}  // namespace lanewise
