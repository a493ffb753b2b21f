// Reading. An error that OpenImageIO reports only as a remark (a JPEG cut short) is an error here too.
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>

#include "golden/pictures/codec.h"

namespace lanewise::golden::codec {
namespace {

constexpr std::uint64_t kMaxTexels = std::uint64_t{1} << 28, kMaxBytes = std::uint64_t{1} << 32;

Error readError(const std::filesystem::path& path, std::string reason, std::string hint = "") {
  reason.resize(std::min(reason.size(), reason.find('\n')));  // TIFF has a line for each strip
  while (!reason.empty() && (reason.back() == '\n' || reason.back() == '.')) reason.pop_back();
  return Error{Outcome::kIoError, fmt::format("cannot read the picture {}: {}", path.string(), reason), "", std::move(hint)};
}

// How files of an ending begin.
struct Signature {
  std::string_view ending, bytes;
};
constexpr Signature kSignatures[] = {
    {".png", {"\x89PNG\r\n\x1a\n", 8}},
    {".jpg", {"\xff\xd8\xff", 3}},
    {".jpeg", {"\xff\xd8\xff", 3}},
    {".exr", {"v/1\x01", 4}},
    {".tif", {"II*\0", 4}},
    {".tiff", {"II*\0", 4}},
    {".tif", {"MM\0*", 4}},
    {".tiff", {"MM\0*", 4}},
};

// A file that begins as its ending says is read by the reader of that ending alone. After an error OpenImageIO's own `open` tries all of
// its readers, which takes 10 ms and starts threads.
std::unique_ptr<OIIO::ImageInput> readerOf(const std::filesystem::path& path) {
  std::string begin(8, '\0');
  std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  for (const auto& [ending, bytes] : kSignatures)
    if (path.extension() == ending && begin.starts_with(bytes)) return OIIO::ImageInput::create(std::string(ending.substr(1)));
  return nullptr;
}

// What the formats of kSignatures at most make of one byte: Zstandard in a TIFF 32768, deflate 1032.
constexpr std::uint64_t kMostOfOneByte = 1 << 16;

struct Claimed {
  std::uint64_t width, height, channels, bytes;
};

// Before memory is taken for what a damaged header says.
Status checkSize(const std::filesystem::path& path, const Claimed& said, bool isKnown) {
  if (said.width == 0 || said.height == 0 || said.channels == 0) return readError(path, "it has no texels");
  const std::string size = fmt::format("{}x{} with {} channels", said.width, said.height, said.channels);
  if (said.width > kMaxTexels / said.height || said.channels > 64 || said.bytes > kMaxBytes)
    return Error{Outcome::kBadInput, fmt::format("{} is {}", path.string(), size), "", "at most 2^28 texels, 64 channels and 4 GiB"};
  std::error_code code;
  const std::uintmax_t bytes = std::filesystem::file_size(path, code);
  if (!code && isKnown && said.bytes / kMostOfOneByte > bytes)
    return readError(path, fmt::format("{} bytes cannot be {}", bytes, size), "damaged or cut short");
  return std::nullopt;
}

Status checkSize(const std::filesystem::path& path, const OIIO::ImageInput& input) {
  const OIIO::ImageSpec& spec = input.spec();
  if (spec.deep || spec.depth > 1)
    return Error{Outcome::kUnsupported, fmt::format("{} is a deep or a volume image", path.string()), "", "give a flat picture"};
  const bool isKnown = std::ranges::any_of(kSignatures, [&](const Signature& s) { return path.extension() == s.ending; });
  const auto counted = [](int n) { return static_cast<std::uint64_t>(std::max(n, 0)); };
  return checkSize(path, {counted(spec.width), counted(spec.height), counted(spec.nchannels), spec.image_bytes()}, isKnown);
}

// Before a file is opened, whatever its name: of a JPEG that is progressive libjpeg then takes memory for all, and reads it.
Status checkJpegSize(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto byte = [&] { return static_cast<std::uint64_t>(std::max(file.get(), 0)); };
  const auto two = [&] {
    const std::uint64_t high = byte();
    return high << 8 | byte();
  };
  if (two() != 0xffd8) return std::nullopt;
  while (file) {
    while (file && byte() != 0xff) {
    }
    std::uint64_t marker = 0xff;
    while (file && marker == 0xff) marker = byte();
    if (marker == 0xd9 || marker == 0xda) break;                      // the end, or a scan
    if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) continue;  // nothing follows
    const auto length = static_cast<std::streamoff>(two());
    if (marker < 0xc0 || marker > 0xcf || marker == 0xc4 || marker == 0xc8 || marker == 0xcc) {
      file.seekg(std::max<std::streamoff>(length - 2, 0), std::ios::cur);
      continue;
    }
    file.get();  // the precision, then the size
    const std::uint64_t height = two(), width = two(), channels = byte();
    if (!file) break;
    return checkSize(path, {width, height, channels, width * height * channels}, true);
  }
  return std::nullopt;  // libjpeg says what is wrong
}

// Opens a file with colours as stored.
Expected<std::unique_ptr<OIIO::ImageInput>> open(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) return readError(path, "no such file");
  if (status.type() == std::filesystem::file_type::directory) return readError(path, "it is a folder");
  if (code) return readError(path, code.message());
  if (Status bad = checkJpegSize(path)) return *bad;
  OIIO::ImageSpec config, spec;
  config["oiio:UnassociatedAlpha"] = 1;
  std::string reason;
  auto input = readerOf(path);
  if (!input) {
    input = OIIO::ImageInput::open(path.string(), &config);
    if (!input) reason = OIIO::geterror();
  } else if (!input->open(path.string(), spec, config)) {
    reason = input->geterror();
    input = nullptr;
  }
  if (!input) return readError(path, reason.empty() ? "not a picture" : reason, "not a picture, cut short, or not readable");
  return input;
}

// One row after another, and memory for all of them when the first was read: for a whole TIFF OpenImageIO takes 64 MiB, and more where a
// damaged header says that a strip has more rows; and of a damaged strip 2.4 writes more than the picture has.
bool readRows(OIIO::ImageInput& input, const OIIO::ImageSpec& spec, int subimage, int level, OIIO::TypeDesc type,
              std::vector<std::byte>& texels) {
  const auto height = static_cast<std::size_t>(spec.height);
  const std::size_t bytes = static_cast<std::size_t>(spec.width) * static_cast<std::size_t>(spec.nchannels) * type.size();
  std::vector<std::byte> row(spec.scanline_bytes(true));
  for (std::size_t y = 0; y < height; ++y) {
    if (!input.read_native_scanline(subimage, level, spec.y + static_cast<int>(y), 0, row.data())) return false;
    if (y == 0) texels.reserve(height * bytes);
    texels.resize((y + 1) * bytes);
    if (!OIIO::convert_image(spec.nchannels, spec.width, 1, 1, row.data(), spec.format, OIIO::AutoStride, OIIO::AutoStride,
                             OIIO::AutoStride, texels.data() + y * bytes, type, OIIO::AutoStride, OIIO::AutoStride, OIIO::AutoStride))
      return false;
  }
  return true;
}

// All channels of one level as values of `type`.
Expected<std::vector<std::byte>> readTexels(OIIO::ImageInput& input, const std::filesystem::path& path, int subimage, int level,
                                            OIIO::TypeDesc type) {
  const OIIO::ImageSpec spec = input.spec_dimensions(subimage, level);
  std::vector<std::byte> texels;
  bool read = false;
  if (spec.tile_width == 0 && spec.channelformats.empty() && std::string_view(input.format_name()) != "openexr") {
    read = readRows(input, spec, subimage, level, type, texels);
  } else {  // OpenEXR's rows are compressed together
    texels.resize(static_cast<std::size_t>(spec.image_pixels()) * static_cast<std::size_t>(spec.nchannels) * type.size());
    // Without a type comes what the file holds: to convert, OpenImageIO takes 64 MiB for the smallest picture.
    const bool asStored = type == spec.format && spec.channelformats.empty();
    read = input.read_image(subimage, level, 0, spec.nchannels, asStored ? OIIO::TypeDesc() : type, texels.data());
  }
  const std::string remark = input.geterror();
  if (!read || !remark.empty()) return readError(path, remark.empty() ? "it cannot be decoded" : remark, "damaged or cut short");
  return texels;
}

// Any exception inside (out of memory, a decoder's own) becomes an error.
template <class Function>
auto guarded(const std::filesystem::path& path, Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::exception& e) {
    return readError(path, e.what());
  }
}

// The component that keeps what the file holds: other types are read as f32.
Component storedComponent(const OIIO::TypeDesc& type) {
  return type == OIIO::TypeDesc::UINT8    ? Component::kU8
         : type == OIIO::TypeDesc::UINT16 ? Component::kU16
         : type == OIIO::TypeDesc::HALF   ? Component::kF16
                                          : Component::kF32;
}

// The channels of the file that a picture has: grey, grey and alpha, RGB or RGBA.
std::vector<std::size_t> channelsOf(const OIIO::ImageSpec& spec, std::vector<std::string>& notes) {
  const int n = spec.nchannels;
  const int alpha = spec.alpha_channel >= 0 ? spec.alpha_channel : (n == 2 ? 1 : n == 4 ? 3 : -1);
  if (n > 4) notes.push_back(fmt::format("{} channels: the first three{} taken", n, alpha < 0 ? "" : " and alpha"));
  std::vector<std::size_t> channels = {0, 1, 2};
  if (n <= 2) channels = {n == 2 && alpha == 0 ? std::size_t{1} : 0};
  if (n > 1 && alpha >= 0) channels.push_back(static_cast<std::size_t>(alpha));
  return channels;
}

void noteTheRest(OIIO::ImageInput& input, std::vector<std::string>& notes) {
  const OIIO::ImageSpec spec = input.spec();
  if (const int orientation = spec.get_int_attribute("Orientation", 1); orientation != 1)
    notes.push_back(fmt::format("texels as stored, not turned (orientation {})", orientation));
  if (spec.alpha_channel >= 0 && std::string_view(input.format_name()) == "openexr")
    notes.push_back("colours multiplied by alpha, as stored");
  if (input.seek_subimage(0, 1) || input.seek_subimage(1, 0)) notes.push_back("only the first level or image of the file");
  (void)input.geterror();  // that there is none is no error
  input.seek_subimage(0, 0);
}

Expected<Picture> readPictureUnguarded(const std::filesystem::path& path) {
  auto input = open(path);
  if (!input) return input.error();
  const OIIO::ImageSpec spec = (*input)->spec();
  if (Status bad = checkSize(path, **input)) return *bad;
  Picture picture;
  noteTheRest(**input, picture.notes);
  const Component component = storedComponent(spec.format);
  const OIIO::TypeDesc type = component == Component::kF32 ? OIIO::TypeDesc(OIIO::TypeDesc::FLOAT) : spec.format;
  const auto texels = readTexels(**input, path, 0, 0, type);
  if (!texels) return texels.error();
  const std::vector<std::size_t> channels = channelsOf(spec, picture.notes);
  picture.stored = makeImage({static_cast<std::uint32_t>(spec.width), static_cast<std::uint32_t>(spec.height)},
                             static_cast<std::uint32_t>(channels.size()), component);
  const std::size_t size = componentBytes(component), of = static_cast<std::size_t>(spec.nchannels);
  for (std::size_t i = 0; i < picture.stored.bytes.size() / size; ++i) {
    const std::size_t from = i / channels.size() * of + channels[i % channels.size()];
    std::memcpy(picture.stored.bytes.data() + i * size, texels->data() + from * size, size);
  }
  return picture;
}

std::optional<Component> componentOf(const OIIO::TypeDesc& type) {
  switch (type.basetype) {
    case OIIO::TypeDesc::UINT8:
      return Component::kU8;
    case OIIO::TypeDesc::UINT16:
      return Component::kU16;
    case OIIO::TypeDesc::UINT32:
      return Component::kU32;
    case OIIO::TypeDesc::HALF:
      return Component::kF16;
    case OIIO::TypeDesc::FLOAT:
      return Component::kF32;
    default:
      return std::nullopt;
  }
}

// The position of level l in a file: MIP levels of the first image, or one image after another.
struct LevelPlace {
  int subimage, level;
};

std::vector<LevelPlace> levelPlaces(OIIO::ImageInput& input) {
  std::vector<LevelPlace> places{{0, 0}};
  while (places.size() < 32 && input.seek_subimage(0, static_cast<int>(places.size())))
    places.push_back({0, static_cast<int>(places.size())});
  if (places.size() == 1)
    while (places.size() < 32 && input.seek_subimage(static_cast<int>(places.size()), 0))
      places.push_back({static_cast<int>(places.size()), 0});
  (void)input.geterror();
  return places;
}

Expected<Image> readImageUnguarded(const std::filesystem::path& path) {
  auto input = open(path);
  if (!input) return input.error();
  const OIIO::ImageSpec spec = (*input)->spec();
  if (Status bad = checkSize(path, **input)) return *bad;
  const auto component = componentOf(spec.format);
  if (!component)
    return Error{Outcome::kUnsupported, fmt::format("{} has components of type {}", path.string(), spec.format.c_str()), "", ""};
  const std::vector<LevelPlace> places = levelPlaces(**input);
  Image image;
  image.extent = {static_cast<std::uint32_t>(spec.width), static_cast<std::uint32_t>(spec.height)};
  image.channels = static_cast<std::uint32_t>(spec.nchannels);
  image.component = *component;
  image.levels = static_cast<std::uint32_t>(places.size());
  for (std::uint32_t l = 0; l < image.levels; ++l) {
    const OIIO::ImageSpec one = (*input)->spec_dimensions(places[l].subimage, places[l].level);
    const Extent size{static_cast<std::uint32_t>(one.width), static_cast<std::uint32_t>(one.height)};
    if (size != image.size(l) || one.nchannels != spec.nchannels)
      return readError(path, fmt::format("image {} in it is no level of the first", l));
    auto texels = readTexels(**input, path, places[l].subimage, places[l].level, spec.format);
    if (!texels) return texels.error();
    if (l == 0)
      image.bytes = std::move(*texels);
    else
      image.bytes.insert(image.bytes.end(), texels->begin(), texels->end());
  }
  return image;
}

}  // namespace

Expected<Picture> readPicture(const std::filesystem::path& path) {
  return guarded(path, [&] { return readPictureUnguarded(path); });
}

Expected<Image> readImage(const std::filesystem::path& path) {
  return guarded(path, [&] { return readImageUnguarded(path); });
}

}  // namespace lanewise::golden::codec
