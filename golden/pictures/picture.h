// A picture that was read.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"

namespace lanewise::golden {

// A picture in the form that the kernels take: RGBA, 8 bits. `notes` says what was converted ("16-bit values rounded to 8 bits", "grey
// copied to three channels", "no alpha: 255", "only the first of 3 levels"); empty if nothing was.
struct Picture {
  Image image;
  std::vector<std::string> notes;
};

}  // namespace lanewise::golden
