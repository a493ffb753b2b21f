// Writing: encoded in memory by OpenImageIO and checked there.
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <exception>
#include <span>

#include "golden/pictures/codec.h"
#include "model/base/file.h"

namespace lanewise::golden::codec {
namespace {

Error writeError(const std::string& what) {
  return Error{Outcome::kIoError, "cannot encode the picture: " + what, "", ""};
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
    default:  // picture_io.cpp refuses these
      return OIIO::TypeDesc::UNKNOWN;
  }
}

// The description of one level for OpenImageIO.
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

// Passes the levels to OpenImageIO one after another.
Status encodeTo(const std::string& path, const char* ending, const Image& image, LevelStore levels) {
  const auto output = OIIO::ImageOutput::create(std::string("image.") + ending);
  if (!output) return writeError(OIIO::geterror());
  for (std::uint32_t l = 0; l < image.levels; ++l) {
    OIIO::ImageSpec spec = specOf(image, l);
    spec.attribute("DateTime", "");  // else the present one: an image is always the same bytes
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

}  // namespace

// Encodes into a file in memory (OpenImageIO's own memory streams cannot append an image) and reads it back, because not every writer
// notices a short write.
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

}  // namespace lanewise::golden::codec
