#include "golden/family_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "golden/box_blur.h"
#include "golden/file.h"
#include "golden/inputs.h"
#include "golden/picture_io.h"

namespace lanewise::golden {
namespace {

// Alpha to 255 for a picture that is to be seen.
void makeOpaque(Image& picture) {
  for (std::size_t i = 3; i < picture.bytes.size(); i += 4) picture.bytes[i] = std::byte{255};
}

struct BlurRow {
  const char* input;
  Extent extent;
  std::uint32_t radius;
  Edge edge;
  const char* says;
};

constexpr BlurRow kBlurs[] = {
    {"checkerboard:4", {33, 17}, 2, Edge::kClamp, "fields of 4x4 blurred, their edges kept outward"},
    {"checkerboard:4", {33, 17}, 2, Edge::kZero, "the same with darkness outside"},
    {"impulse:16,8", {33, 17}, 5, Edge::kClamp, "one texel becomes a flat square of 11x11"},
    {"ramp", {33, 17}, 7, Edge::kMirror, "a ramp flattens where it is mirrored"},
    {"noise:1", {33, 17}, 3, Edge::kMirror101, "noise becomes calmer"},
};

// The picture and its two blurs.
Status addBlurs(std::vector<NamedImage>& images) {
  for (const BlurRow& row : kBlurs) {
    const auto input = makeInput(row.input, row.extent);
    if (!input) return input.error();
    for (const BoxForm form : {BoxForm::kDouble, BoxForm::kSingle}) {
      Image seen = *input;
      makeOpaque(seen);
      auto blurred = boxBlur(form, seen, row.radius, row.edge);
      if (!blurred) return blurred.error();
      std::string stem = row.input;
      std::replace_if(
          stem.begin(), stem.end(), [](char c) { return c == ':' || c == ','; }, '-');
      images.push_back({fmt::format("box-blur/{}-{}-{}x{}-radius{}-{}.png", form == BoxForm::kDouble ? "double" : "single", stem,
                                    row.extent.width, row.extent.height, row.radius, edgeName(row.edge)),
                        row.says, std::move(*blurred)});
    }
  }
  return std::nullopt;
}

}  // namespace

Expected<std::vector<NamedImage>> familyImages() {
  std::vector<NamedImage> images;
  if (Status bad = addBlurs(images)) return *bad;
  std::sort(images.begin(), images.end(), [](const NamedImage& a, const NamedImage& b) { return a.file < b.file; });
  return images;
}

Expected<ImageChanges> regenerateImages(const std::filesystem::path& folder) {
  const auto images = familyImages();
  if (!images) return images.error();
  ImageChanges changes;
  std::error_code code;
  std::set<std::string> wanted;
  for (const NamedImage& one : *images) {
    wanted.insert(one.file);
    const std::filesystem::path path = folder / one.file;
    if (const auto old = readImage(path); old && *old == one.image) continue;
    std::filesystem::create_directories(path.parent_path(), code);
    if (code) return fileError("make folder", path.parent_path(), code.value());
    if (Status bad = writeImage(path, one.image)) return *bad;
    changes.written.push_back(one.file);
  }
  std::set<std::string> extra;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder, code)) {
    const std::string name = file.path().lexically_relative(folder).generic_string(), ending = file.path().extension().string();
    if ((ending == ".png" || ending == ".exr" || ending == ".tif") && !wanted.contains(name)) extra.insert(name);
  }
  for (const std::string& name : extra) {
    if (!std::filesystem::remove(folder / name, code)) return fileError("remove", folder / name, code.value());
    changes.removed.push_back(name);
  }
  return changes;
}

}  // namespace lanewise::golden
