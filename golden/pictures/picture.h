// A picture that was read.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

// The first level of a file as it is stored: u8, u16, f16 or f32, with 1 (grey), 2 (grey, alpha), 3 or 4 channels (RGB, RGBA). `notes` says
// what of the file was left out or taken as it is ("only the first level or image of the file"); empty if there is nothing to say.
struct Picture {
  Image stored;
  std::vector<std::string> notes;
};

// The picture in the form that a kernel takes (docs/contracts.md, 12):
//   RGBA of 8 bits        codes as they are; 16 bits and floats from 0 to 1 rounded; grey copied to three channels; no alpha is 255
//   4 channels of floats  floats as they are, codes divided by the greatest; grey copied; alpha 1
//   1 channel of floats   of a grey picture its values, as above; of colours the luma of the 8-bit form, divided by 255:
//                         floor((299 R + 587 G + 114 B + 500) / 1000) / 255
// Bad input: a float that is not finite, or beyond what a half float holds.
Expected<Image> pictureAs(const Picture& picture, std::uint32_t channels, Component component);
// What that changes, a line each; empty if the bytes are those of the file.
std::vector<std::string> conversionNotes(const Picture& picture, std::uint32_t channels, Component component);

}  // namespace lanewise::golden
