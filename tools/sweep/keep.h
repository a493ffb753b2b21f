// What a case was given and what each side made of it, as files a person can open: FOLDER/CASE/SIDE.png.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "golden/image/image.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// A case's name as a folder's: characters that a shell or a path would take amiss become '_'.
std::string folderName(const Case& c);
// 8- and 16-bit images become PNG, floats EXR, other numbers text, one value a line. An Error is kIoError. Safe from several threads for
// different sides.
Status keepImages(const std::filesystem::path& folder, const Case& c, std::string_view side, std::span<const golden::Image> images);

}  // namespace lanewise
