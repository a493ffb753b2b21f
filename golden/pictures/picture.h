// A picture that was read.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"

namespace lanewise::golden {

// A picture as the kernels take it: RGBA, 8 bits. `notes` says what was changed on the way ("16-bit values rounded to 8 bits", "grey copied
// to three channels", "no alpha: 255", "only the first of 3 levels"); empty if nothing.
struct Picture {
  Image image;
  std::vector<std::string> notes;
};

}  // namespace lanewise::golden
