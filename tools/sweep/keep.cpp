#include "tools/sweep/keep.h"

#include <fmt/format.h>

#include "golden/pictures/picture_io.h"
#include "model/base/file.h"

namespace lanewise {
namespace {

Status writeText(const std::filesystem::path& file, const golden::Image& image) {
  std::string text;
  const std::size_t step = golden::componentBytes(image.component);
  for (std::size_t at = 0; at < image.bytes.size(); at += step)
    text += golden::valueText(image.component, golden::bitsAt(image, at)) + '\n';
  return writeTextFile(file, text);
}

Status write(const std::filesystem::path& stem, const golden::Image& image) {
  using golden::Component;
  const bool picture = image.channels <= 4;
  if (picture && (image.component == Component::kU8 || image.component == Component::kU16))
    return golden::writeImage(stem.string() + ".png", image);
  if (picture && golden::isFloat(image.component)) return golden::writeImage(stem.string() + ".exr", image);
  return writeText(stem.string() + ".txt", image);
}

}  // namespace

std::string folderName(const Case& c) {
  std::string name = c.name();
  for (char& letter : name)
    if (letter == '/' || letter == ' ' || letter == ':' || letter == ',' || letter == '@') letter = '_';
  return name;
}

Status keepImages(const std::filesystem::path& folder, const Case& c, std::string_view side, std::span<const golden::Image> images) {
  const std::filesystem::path place = folder / folderName(c);
  std::error_code failed;
  std::filesystem::create_directories(place, failed);
  if (failed) return Error{Outcome::kIoError, "cannot make the folder: " + failed.message(), place.string(), ""};
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::string number = images.size() > 1 ? fmt::format("-{}", i) : "";
    if (Status bad = write(place / (std::string(side) + number), images[i])) return bad;
  }
  return {};
}

}  // namespace lanewise
