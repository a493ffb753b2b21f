// A few small images of each family for people to open: made by the oracles from the inputs, written by the command that regenerates the
// store.
//
// They are illustrations, and checked like goldens: familyImages() is compared with the files in golden/store/images by a test and by the
// program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "golden/image.h"
#include "model/outcome.h"

namespace lanewise::golden {

struct NamedImage {
  std::string file;  // inside golden/store/images, e.g. "box-blur/double-checkerboard-33x17-radius2-mirror.png"
  std::string says;  // one line: what it shows
  Image image;
};

// The images of all families, in the order of their file names. An Error is a bug of ours.
Expected<std::vector<NamedImage>> familyImages();

// What was done to make a folder hold exactly these images: files written and files removed, by name.
struct ImageChanges {
  std::vector<std::string> written, removed;
};
// Writes the images that the folder lacks or has otherwise, and removes pictures (.png, .exr, .tif) that are none of them.
Expected<ImageChanges> regenerateImages(const std::filesystem::path& folder);

}  // namespace lanewise::golden
