// Decides which file format an image is written in, and opens the module that links OpenImageIO (codec.h) for all but a PNG that is
// written. A file is first encoded completely, then put in place by writeWholeFile, so that a full disk is noticed.
//
// Each call asks the loader for the module, which stays loaded once it was opened. Nothing is kept here.
#include "golden/pictures/picture_io.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "golden/image/half.h"
#include "golden/pictures/codec.h"
#include "golden/pictures/png.h"
#include "model/base/file.h"
#include "model/base/program_folder.h"

namespace lanewise::golden {
namespace {

Expected<const PictureCodec*> loadedCodec() {
  const std::filesystem::path file = ownPart(kPictureModule);
  const auto trouble = [&](const std::string& why) {
    return Error{Outcome::kIoError, "cannot load the library for pictures: " + why,
                 why.find(file.string()) == std::string::npos ? file.string() : "",
                 "it comes with the program (Debian: the package lanewise-pictures); a build of your own needs libopenimageio-dev and "
                 "-DLANEWISE_PICTURES=ON"};
  };
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (module == nullptr) return trouble(::dlerror());
  const auto* codec = static_cast<const PictureCodec*>(::dlsym(module, kPictureCodec));
  if (codec == nullptr || std::string_view(codec->version) != LANEWISE_VERSION) return trouble("it belongs to another version of Lanewise");
  return codec;
}

Expected<std::vector<std::byte>> encodeAs(const char* ending, const Image& image, LevelStore levels) {
  const auto with = loadedCodec();
  return with ? (*with)->encode(ending, image, levels) : with.error();
}

Error cannotHold(std::string_view ending, const Image& image, std::string hint) {
  return Error{Outcome::kBadInput, fmt::format("a {} file cannot hold this image", ending), shapeText(image), std::move(hint)};
}

bool fitsNoPicture(Component c) {
  return c == Component::kU64 || c == Component::kF64 || isSigned(c);
}

// Every component as f32 of its value.
Image asFloats(const Image& image) {
  Image wide = makeImage(image.extent, image.channels, Component::kF32, image.levels);
  const std::size_t size = componentBytes(image.component);
  for (std::size_t i = 0; i < image.bytes.size() / size; ++i) {
    const auto value = static_cast<float>(valueOf(image.component, bitsAt(image, i * size)));
    std::memcpy(wide.bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  return wide;
}

Expected<std::vector<std::byte>> encodeTiff(const Image& image) {
  if (fitsNoPicture(image.component)) return cannotHold("tif", image, "");
  return encodeAs("tif", image.component == Component::kF16 ? asFloats(image) : image,
                  image.levels > 1 ? LevelStore::kImages : LevelStore::kOne);
}

Expected<std::vector<std::byte>> encodeExr(const Image& image) {
  if (fitsNoPicture(image.component)) return cannotHold("exr", image, "");
  if (!isWholeChain(image)) return cannotHold("exr", image, "levels that do not end with 1x1 go into a .tif");
  const bool small = image.component == Component::kU8 || image.component == Component::kU16;
  return encodeAs("exr", small ? asFloats(image) : image, image.levels > 1 ? LevelStore::kMip : LevelStore::kOne);
}

}  // namespace

Expected<std::vector<std::byte>> encodePng(const Image& image) {
  if (image.blueFirst) return encodePng(withRedAndBlueSwapped(image));
  if (!image.wellFormed() || image.channels > 4 || (image.component != Component::kU8 && image.component != Component::kU16))
    return cannotHold("png", image, "it holds 1 to 4 channels of 8 or 16 bits");
  return png::encode(image.levels > 1 ? mipAtlas(image) : image);
}

Expected<std::vector<std::byte>> encodePicture(const std::filesystem::path& name, const Image& image) {
  if (image.blueFirst) return encodePicture(name, withRedAndBlueSwapped(image));
  const std::string ending = name.extension().string();
  if (!image.wellFormed() || image.channels > 4) return cannotHold(ending, image, "");
  if (ending == ".png") return encodePng(image);
  if (ending == ".tif") return encodeTiff(image);
  if (ending == ".exr") return encodeExr(image);
  return Error{Outcome::kBadInput, fmt::format("cannot write a picture as '{}'", ending), name.string(), "use .png, .tif or .exr"};
}

Status writeImage(const std::filesystem::path& path, const Image& image) {
  auto bytes = encodePicture(path, image);
  if (bytes) return writeWholeFile(path, *bytes);
  bytes.error().what = fmt::format("cannot write {}: {}", path.string(), bytes.error().what);
  return bytes.error();
}

Expected<Picture> readPicture(const std::filesystem::path& path) {
  const auto with = loadedCodec();
  return with ? (*with)->readPicture(path) : with.error();
}

Expected<Image> readImage(const std::filesystem::path& path) {
  const auto with = loadedCodec();
  return with ? (*with)->readImage(path) : with.error();
}

Status picturesReady() {
  if (const auto with = loadedCodec(); !with) return with.error();
  return {};
}

Image mipAtlas(const Image& image) {
  if (image.levels == 1) return image;
  const Extent base = image.extent, first = image.size(1);
  std::uint32_t right = 0;
  for (std::uint32_t l = 1; l < image.levels; ++l) right += image.size(l).height;
  Image atlas = makeImage({base.width + first.width, std::max(base.height, right)}, image.channels, image.component);
  atlas.blueFirst = image.blueFirst;
  std::uint32_t top = 0;
  for (std::uint32_t l = 0; l < image.levels; ++l) {
    const Extent size = image.size(l);
    for (std::uint32_t y = 0; y < size.height; ++y)
      std::memcpy(atlas.bytes.data() + atlas.offset(0, l == 0 ? 0 : base.width, top + y), image.bytes.data() + image.offset(l, 0, y),
                  size.width * image.texelBytes());
    top = l == 0 ? 0 : top + size.height;
  }
  return atlas;
}

}  // namespace lanewise::golden
