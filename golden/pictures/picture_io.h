// Pictures in and out of files, through OpenImageIO (docs/contracts.md, 12), which is loaded with the first of them (codec.h). A PNG is
// written without it (png.h).
//
// Colours are never multiplied or divided by alpha and never converted (oiio:UnassociatedAlpha=1 both ways): the bytes of a PNG are the
// bytes of the image. Writing is atomic: a temporary file beside the target, flushed, renamed. Nothing is printed and no global OpenImageIO
// state is relied on.
//
// Errors: kIoError with a plain sentence: no such file, not a picture, cut short, folder not writable, disk full; kBadInput for an image
// that the format cannot hold. Thread safety: all functions may run at once; two writers of one path leave the file of one of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "golden/pictures/picture.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

Expected<Picture> readPicture(const std::filesystem::path& path);

// An image with its levels and its own component type, as writeImage wrote it (levels: the MIP levels of an EXR, or the images of a TIFF).
Expected<Image> readImage(const std::filesystem::path& path);

// By the ending of the name:
//   .png   u8 or u16, 1 to 4 channels; several levels become one atlas (mipAtlas)
//   .tif   any component but u64 (f16 as f32), any number of levels, 1 to 4 channels
//   .exr   f16, f32 or u32 as they are, u8 and u16 as f32 of their integer value; one level or a whole chain down to 1x1
Status writeImage(const std::filesystem::path& path, const Image& image);
// The bytes of such a file, without writing it.
Expected<std::vector<std::byte>> encodePicture(const std::filesystem::path& name, const Image& image);
// The same as a PNG file in memory, for reports that embed pictures.
Expected<std::vector<std::byte>> encodePng(const Image& image);

// Loads the module that all of them need but encodePng; an Error if it is missing. For callers that want to know before they begin.
Status picturesReady();

// All levels in one level: level 0 at the left, the others below one another at its right, zeros in between.
Image mipAtlas(const Image& image);

}  // namespace lanewise::golden
