#include "tools/sweep/keep.h"

#include <fmt/format.h>

#include "golden/pictures/picture_io.h"
#include "golden/store/hash.h"
#include "model/base/file.h"

namespace lanewise {
namespace {

using golden::Component;

// File systems take names of at most 255 bytes.
constexpr std::size_t kLongestName = 200;

std::string textOf(const golden::Image& image) {
  std::string text;
  const std::size_t step = golden::componentBytes(image.component);
  for (std::size_t at = 0; at < image.bytes.size(); at += step)
    text += golden::valueText(image.component, golden::bitsAt(image, at)) + '\n';
  return text;
}

// The format that holds all of the image.
const char* endingOf(const golden::Image& image) {
  if (image.channels > 4) return ".txt";
  if (image.component == Component::kU8 || image.component == Component::kU16) return ".png";
  if (image.component == Component::kF16 || image.component == Component::kF32) return golden::isWholeChain(image) ? ".exr" : ".tif";
  return ".txt";
}

Status write(const std::filesystem::path& stem, const golden::Image& image) {
  const std::string ending = endingOf(image), file = stem.string() + ending;
  return ending == ".txt" ? writeTextFile(file, textOf(image)) : golden::writeImage(file, image);
}

}  // namespace

std::string folderName(const Case& c) {
  std::string name = c.name();
  const std::string hash = golden::hashText(golden::hashBytes(std::as_bytes(std::span(name))));
  for (char& letter : name)
    if (letter == '/' || letter == ' ' || letter == ':' || letter == ',' || letter == '@') letter = '_';
  return name.size() <= kLongestName ? name : name.substr(0, kLongestName - hash.size() - 1) + "-" + hash;
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

Status keepSides(const std::filesystem::path& folder, const Case& c, std::string_view lines) {
  const std::filesystem::path place = folder / folderName(c);
  std::error_code ignored;
  return std::filesystem::is_directory(place, ignored) ? writeTextFile(place / "sides.txt", lines) : Status{};
}

}  // namespace lanewise
