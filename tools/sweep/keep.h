// The input of a case and the result of each side, as files a person can open: FOLDER/CASE/SIDE.png.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "golden/image/image.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// A case's name as the name of a folder. Characters with a meaning in a shell or a path become '_'.
std::string folderName(const Case& c);
// Images of 8 and 16 bits become PNG, floats EXR, other numbers text with one value per line. An Error is kIoError. Safe from several
// threads for different sides.
Status keepImages(const std::filesystem::path& folder, const Case& c, std::string_view side, std::span<const golden::Image> images);

}  // namespace lanewise
