// Writing: encoded in memory by OpenImageIO and checked there, then put in place by writeWholeFile, so that a full disk cannot go
// unnoticed.
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <exception>
#include <span>

#include "golden/image/half.h"
#include "golden/pictures/picture_io.h"
#include "model/base/file.h"

namespace lanewise::golden {
namespace {

Error writeError(const std::string& what) {
  return Error{Outcome::kIoError, "cannot encode the picture: " + what, "", ""};
}
Error cannotHold(std::string_view ending, const Image& image, std::string hint) {
  return Error{Outcome::kBadInput, fmt::format("a {} file cannot hold this image", ending), shapeText(image), std::move(hint)};
}

OIIO::TypeDesc typeOf(Component component) {
  switch (component) {
    case Component::kU8:
      return OIIO::TypeDesc::UINT8;
    case Component::kU16:
      return OIIO::TypeDesc::UINT16;
    case Component::kU32:
      return OIIO::TypeDesc::UINT32;
    case Component::kU64:
      return OIIO::TypeDesc::UINT64;
    case Component::kF16:
      return OIIO::TypeDesc::HALF;
    case Component::kF32:
      return OIIO::TypeDesc::FLOAT;
  }
  return OIIO::TypeDesc::UNKNOWN;
}

// What OpenImageIO has to know of one level.
OIIO::ImageSpec specOf(const Image& image, std::uint32_t level) {
  const Extent size = image.size(level);
  OIIO::ImageSpec spec(static_cast<int>(size.width), static_cast<int>(size.height), static_cast<int>(image.channels),
                       typeOf(image.component));
  if (image.channels == 2) {
    spec.channelnames = {"Y", "A"};
    spec.alpha_channel = 1;
  }
  spec.attribute("oiio:UnassociatedAlpha", 1);
  return spec;
}

enum class LevelStore { kOne, kImages, kMip };

// Hands the levels to OpenImageIO one after another.
Status encodeTo(const std::string& path, const char* ending, const Image& image, LevelStore levels) {
  const auto output = OIIO::ImageOutput::create(std::string("image.") + ending);
  if (!output) return writeError(OIIO::geterror());
  for (std::uint32_t l = 0; l < image.levels; ++l) {
    OIIO::ImageSpec spec = specOf(image, l);
    if (levels == LevelStore::kMip) {
      spec.tile_width = spec.tile_height = 64;
      spec.attribute("textureformat", "Plain Texture");  // MIP levels,
      spec.attribute("openexr:roundingmode", 0);         // rounded down: max(1, D >> l)
    }
    const auto append = levels == LevelStore::kMip ? OIIO::ImageOutput::AppendMIPLevel : OIIO::ImageOutput::AppendSubimage;
    if (!output->open(path, spec, l == 0 ? OIIO::ImageOutput::Create : append)) return writeError(output->geterror());
    if (!output->write_image(spec.format, image.bytes.data() + image.levelOffset(l))) return writeError(output->geterror());
  }
  if (!output->close()) return writeError(output->geterror());
  return std::nullopt;
}

// Encodes into a file in memory (OpenImageIO's own streams in memory cannot append an image), and reads it back: not every writer notices a
// short write.
Expected<std::vector<std::byte>> encode(const char* ending, const Image& image, LevelStore levels) {
  const Descriptor memory(::memfd_create("picture", MFD_CLOEXEC));
  if (memory.get() < 0) return writeError("no file in memory");
  const std::string path = fmt::format("/proc/self/fd/{}", memory.get());
  try {
    if (Status bad = encodeTo(path, ending, image, levels)) return *bad;
  } catch (const std::exception& e) {
    return writeError(e.what());
  }
  if (const auto back = readImage(path); !back || *back != image)
    return writeError("memory or the limit on a file's size was too small for it");
  const auto text = readWholeFile(path);
  if (!text) return text.error();
  const auto bytes = std::as_bytes(std::span(*text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// Every component as f32 of its value.
Image asFloats(const Image& image) {
  Image wide = makeImage(image.extent, image.channels, Component::kF32, image.levels);
  const std::size_t size = componentBytes(image.component);
  for (std::size_t i = 0; i < image.bytes.size() / size; ++i) {
    const std::uint64_t bits = bitsAt(image, i * size);
    const auto value =
        static_cast<float>(image.component == Component::kF16 ? halfToDouble(static_cast<std::uint16_t>(bits)) : static_cast<double>(bits));
    std::memcpy(wide.bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  return wide;
}

bool isWholeChain(const Image& image) {
  return image.size(image.levels - 1) == Extent{1, 1} && (image.levels < 2 || image.size(image.levels - 2) != Extent{1, 1});
}

Expected<std::vector<std::byte>> encodeTiff(const Image& image) {
  if (image.component == Component::kU64) return cannotHold("tif", image, "");
  return encode("tif", image.component == Component::kF16 ? asFloats(image) : image,
                image.levels > 1 ? LevelStore::kImages : LevelStore::kOne);
}

Expected<std::vector<std::byte>> encodeExr(const Image& image) {
  if (image.component == Component::kU64) return cannotHold("exr", image, "");
  if (image.levels > 1 && !isWholeChain(image)) return cannotHold("exr", image, "a chain that does not end with 1x1 goes into a .tif");
  const bool small = image.component == Component::kU8 || image.component == Component::kU16;
  return encode("exr", small ? asFloats(image) : image, image.levels > 1 ? LevelStore::kMip : LevelStore::kOne);
}

}  // namespace

Expected<std::vector<std::byte>> encodePng(const Image& image) {
  if (!image.wellFormed() || image.channels > 4 || (image.component != Component::kU8 && image.component != Component::kU16))
    return cannotHold("png", image, "it holds 1 to 4 channels of 8 or 16 bits");
  return encode("png", image.levels > 1 ? mipAtlas(image) : image, LevelStore::kOne);
}

Expected<std::vector<std::byte>> encodePicture(const std::filesystem::path& name, const Image& image) {
  const std::string ending = name.extension().string();
  if (!image.wellFormed() || image.channels > 4) return cannotHold(ending, image, "");
  if (ending == ".png") return encodePng(image);
  if (ending == ".tif") return encodeTiff(image);
  if (ending == ".exr") return encodeExr(image);
  return Error{Outcome::kBadInput, fmt::format("cannot write a picture as '{}'", ending), name.string(), "use .png, .tif or .exr"};
}

Status writeImage(const std::filesystem::path& path, const Image& image) {
  const auto bytes = encodePicture(path, image);
  if (!bytes) return bytes.error();
  return writeWholeFile(path, *bytes);
}

Image mipAtlas(const Image& image) {
  if (image.levels == 1) return image;
  const Extent base = image.extent, first = image.size(1);
  std::uint32_t right = 0;
  for (std::uint32_t l = 1; l < image.levels; ++l) right += image.size(l).height;
  Image atlas = makeImage({base.width + first.width, std::max(base.height, right)}, image.channels, image.component);
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
