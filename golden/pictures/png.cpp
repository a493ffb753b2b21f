#include "golden/pictures/png.h"

#include <png.h>

#include <bit>
#include <csetjmp>
#include <exception>
#include <string>

namespace lanewise::golden::png {
namespace {

struct Sink {
  std::vector<std::byte> bytes;
  std::string trouble;
};

[[noreturn]] void onError(png_structp png, png_const_charp text) {
  static_cast<Sink*>(png_get_error_ptr(png))->trouble = text;
  png_longjmp(png, 1);
}

void onWarning(png_structp, png_const_charp) {}

void append(png_structp png, png_bytep data, std::size_t size) {
  auto& bytes = static_cast<Sink*>(png_get_io_ptr(png))->bytes;
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  bool full = false;
  try {
    bytes.insert(bytes.end(), begin, begin + size);
  } catch (const std::exception&) {
    full = true;
  }
  if (full) png_error(png, "out of memory");
}

void flush(png_structp) {}

// libpng leaves this function by a jump when it fails: nothing with a destructor lives in it.
bool write(png_structp png, png_infop info, Sink& sink, const Image& image) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;  // NOLINT(cert-err52-cpp): libpng's way to report errors
  constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  const bool wide = image.component == Component::kU16;
  png_set_write_fn(png, &sink, append, flush);
  png_set_IHDR(png, info, image.extent.width, image.extent.height, wide ? 16 : 8, kColours[image.channels - 1], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (wide && std::endian::native == std::endian::little) png_set_swap(png);  // a file has the high byte first
  for (std::uint32_t y = 0; y < image.extent.height; ++y)
    png_write_row(png, reinterpret_cast<png_const_bytep>(image.bytes.data() + image.offset(0, 0, y)));
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

Expected<std::vector<std::byte>> encode(const Image& image) {
  Sink sink;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, onError, onWarning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  const bool written = info != nullptr && write(png, info, sink, image);
  png_destroy_write_struct(&png, &info);
  if (!written)
    return Error{Outcome::kIoError, "cannot encode the picture: " + (sink.trouble.empty() ? "libpng does not start" : sink.trouble), "",
                 ""};
  return std::move(sink.bytes);
}

}  // namespace lanewise::golden::png
