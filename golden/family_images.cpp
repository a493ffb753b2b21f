#include "golden/family_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/box_blur.h"
#include "golden/inputs.h"

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

}  // namespace lanewise::golden
