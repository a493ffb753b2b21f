// Pictures and images of any format, one turned into the other.
//
// The rule, by the image's numeric format. UINT, SINT: a component is the picture's integer as it is (a float's value, rounded to the
// nearest); values out of range are clamped, with a note. UNORM, SNORM, SFLOAT, UFLOAT: integers of a picture stand for fractions of their
// greatest value (255, 65535), floats for themselves; a UNORM image of the same width keeps the picture's codes. SRGB: codes of 8 bits are
// kept as they are, anything else is a linear value. A grey picture goes to red, green and blue; a missing alpha is the picture's greatest
// integer, or 1. Components that the format lacks are left out. The other way: UNORM and SRGB of 8 or 16 bits keep their codes, UINT keeps
// its integers, everything else becomes floats.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/contract/device.h"

namespace lanewise {

// Is it a picture, by the ending of its name?
bool isPictureFile(const std::string& file);

// What a picture becomes by default: the format that holds its components as the sampled type reads them.
Format formatOfPicture(const golden::Image& picture, bool integers);

// All levels that the picture has, into `image`, whose format, extent, levels and bytes are set. The extents must agree.
Status pictureToImage(const golden::Image& picture, ImageData& image, std::vector<std::string>& notes);

// One layer and slice of an image, all its levels. `floats`: as a file of floats takes them (.exr), so no codes.
Expected<golden::Image> imageToPicture(const ImageData& image, bool floats);

// The numbers in an image's texels, for texts: as many a texel as the format has components, in the order red, green, blue, alpha.
std::string texelText(const FormatInfo& format, const std::byte* texel);

}  // namespace lanewise
