// The interface of lanewise-pictures.so, the part that needs OpenImageIO, which brings 250 libraries and takes 0.3 s to load. It is a
// module beside the program, and picture_io.cpp opens it when the first picture is read or written, but for a PNG that is written (png.h).
//
// Both sides are built together by one compiler and pass C++ values. `version` is Lanewise's; a module of another version is not used. No
// exception leaves the module.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "golden/pictures/picture.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

enum class LevelStore { kOne, kImages, kMip };

struct PictureCodec {
  const char* version;
  Expected<Picture> (*readPicture)(const std::filesystem::path&);
  Expected<Image> (*readImage)(const std::filesystem::path&);
  // The bytes of a file with this ending ("tif", "exr"), of an image that the format can hold.
  Expected<std::vector<std::byte>> (*encode)(const char* ending, const Image& image, LevelStore levels);
};

constexpr const char* kPictureModule = "lanewise-pictures.so";
constexpr const char* kPictureCodec = "lanewisePictureCodec";  // of type PictureCodec

// Used inside the module.
namespace codec {
Expected<Picture> readPicture(const std::filesystem::path& path);
Expected<Image> readImage(const std::filesystem::path& path);
Expected<std::vector<std::byte>> encode(const char* ending, const Image& image, LevelStore levels);
}  // namespace codec

}  // namespace lanewise::golden
