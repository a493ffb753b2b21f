// PNG files, by libpng. The module for all other pictures (codec.h) is not needed to write one, so that a report can be written without it.
#pragma once

#include <cstddef>
#include <vector>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden::png {

// The bytes of a file that holds level 0 of `image`: 1 to 4 channels of u8 or u16, red first, bytes as they are. An image is always the
// same bytes: no date is in it. kIoError if libpng cannot, with its words.
Expected<std::vector<std::byte>> encode(const Image& image);

}  // namespace lanewise::golden::png
