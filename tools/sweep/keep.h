// The input of a case and the result of each side, as files a person can open: FOLDER/CASE/SIDE.png, and what each side did.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "golden/image/image.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// A case's name as the name of a folder. Characters with a meaning in a shell or a path become '_'. A long name is cut, and ends with a
// hash of all of it.
std::string folderName(const Case& c);
// Images of 8 and 16 bits become PNG; floats EXR, or TIFF where their levels do not end with 1x1; other numbers text with one value per
// line. An Error is kIoError. Safe from several threads for different sides.
Status keepImages(const std::filesystem::path& folder, const Case& c, std::string_view side, std::span<const golden::Image> images);
// The same place's sides.txt: a line for each side, also for those that have no image. Nothing if the case was not kept.
Status keepSides(const std::filesystem::path& folder, const Case& c, std::string_view lines);

}  // namespace lanewise
