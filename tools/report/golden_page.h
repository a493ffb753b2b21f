// What a regeneration of the golden store would change, for the person who approves it: old and new hashes, and the store's pictures: old,
// new and their amplified difference.
#pragma once

#include <filesystem>
#include <string>

#include "golden/pictures/family_images.h"
#include "golden/store/store.h"

namespace lanewise {

// One HTML page without external references. `images`: the folder of the present pictures.
std::string goldenPage(const golden::StoreChange& plan, const golden::ImageChange& pictures, const std::filesystem::path& images);

}  // namespace lanewise
