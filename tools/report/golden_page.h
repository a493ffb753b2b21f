// What a regeneration of the golden store would change, for the person who approves it: old and new hashes, and the store's pictures: old,
// new and their amplified difference.
#pragma once

#include <filesystem>
#include <string>

#include "golden/pictures/family_images.h"
#include "golden/store/store.h"

namespace lanewise {

// A golden whose hash changes: the new outputs, and the old ones where they can be made again.
struct ChangedGolden {
  std::string name;
  std::vector<golden::Image> now, old;  // old: as many as now, or none
  std::string noOld;                    // why there are none
};

// One HTML page without external references: changed hashes with their pictures, then the store's illustrations. `images`: the folder of
// the present illustrations.
std::string goldenPage(const golden::StoreChange& changes, const std::vector<ChangedGolden>& changed, const golden::ImageChange& pictures,
                       const std::filesystem::path& images);

}  // namespace lanewise
