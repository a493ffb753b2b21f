// Converts between pictures and images of any format.
//
// To an image, by its numeric format. UINT, SINT: a component is the picture's integer (a float is rounded to the nearest); values out of
// range are clamped, with a note. UNORM, SNORM, SFLOAT, UFLOAT: a picture's integers are fractions of their greatest value (255, 65535),
// and its floats are used directly. A UNORM image of the same width keeps the picture's codes. SRGB: codes of 8 bits are kept, anything
// else is a linear value. A grey picture is copied to red, green and blue. A missing alpha is the picture's greatest integer, or 1.
// Components that the format lacks are left out. From an image: UNORM and SRGB of 8 or 16 bits keep their codes, UINT keeps its integers,
// everything else becomes floats.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/contract/device.h"

namespace lanewise {

// Whether a file is a picture, by the ending of its name.
bool isPictureFile(const std::string& file);

// The default format for a picture: the one that holds its components as the sampled type reads them.
Format formatOfPicture(const golden::Image& picture, bool integers);

// Writes all levels of the picture into `image`, whose format, extent, levels and bytes are set. The extents must agree.
Status pictureToImage(const golden::Image& picture, ImageData& image, std::vector<std::string>& notes);

// One layer and slice of an image, with all its levels. `floats`: as floats, for a file that has only floats (.exr).
Expected<golden::Image> imageToPicture(const ImageData& image, bool floats);

// The numbers in an image's texels, for texts: per texel as many as the format has components, in the order red, green, blue, alpha.
std::string texelText(const FormatInfo& format, const std::byte* texel, const TexelRules& rules = {});

}  // namespace lanewise
