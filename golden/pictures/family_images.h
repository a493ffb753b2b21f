// A few small images of each family for people to open: made by the oracles from the inputs, written by the command that regenerates the
// store.
//
// They are illustrations, and checked like goldens: familyImages() is compared with the files in golden/store/images by a test and by the
// program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/base/outcome.h"
#include "model/base/replace.h"

namespace lanewise::golden {

struct NamedImage {
  std::string file;  // inside golden/store/images, e.g. "box-blur/double-checkerboard-33x17-radius2-mirror.png"
  std::string says;  // one line: what it shows
  Image image;
};

// The images of all families, in the order of their file names. An Error is a bug of Lanewise.
Expected<std::vector<NamedImage>> familyImages();

// The changes after which a folder has exactly these images: those that are missing or different, and other pictures (.png, .exr, .tif) to
// remove.
struct ImageChange {
  std::vector<NamedImage> write;
  std::vector<std::string> remove;
  bool empty() const { return write.empty() && remove.empty(); }
};
Expected<ImageChange> imageChanges(const std::filesystem::path& folder);
// The files that make these changes, in a subfolder of the store.
Expected<std::vector<Replacement>> replacementsOf(const ImageChange& changes, const std::filesystem::path& subfolder);

}  // namespace lanewise::golden
