#include "golden/pictures/family_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "golden/image/inputs.h"
#include "golden/oracles/bilinear.h"
#include "golden/oracles/box_blur.h"
#include "golden/oracles/depth_pyramid.h"
#include "golden/oracles/levels.h"
#include "golden/oracles/mean_pyramid.h"
#include "golden/oracles/saturation.h"
#include "golden/oracles/sobel.h"
#include "golden/pictures/picture_io.h"

namespace lanewise::golden {
namespace {

// Sets alpha to 255, so that the picture can be seen.
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

// Adds one image, or returns why it could not be made.
Status add(std::vector<NamedImage>& images, const char* file, const char* says, Expected<Image> image) {
  if (!image) return image.error();
  images.push_back({file, says, std::move(*image)});
  return std::nullopt;
}

// A picture with soft colours, hard edges and odd sides.
Expected<Image> scene() {
  const auto ramp = makeInput("ramp", {45, 27}), board = makeInput("checkerboard:9", {45, 27});
  if (!ramp) return ramp.error();
  if (!board) return board.error();
  Image mixed = *ramp;
  for (std::size_t i = 0; i < mixed.bytes.size(); ++i) mixed.bytes[i] ^= board->bytes[i] & std::byte{0x7F};
  makeOpaque(mixed);
  return mixed;
}

Expected<Image> atlas(const PyramidForm& form, const Image& base) {
  const auto chain = pyramid(form, base, levelCount(base.extent, LevelCount::kFull));
  if (!chain) return chain.error();
  return mipAtlas(*chain);
}

Status addPyramids(std::vector<NamedImage>& images, const Image& base) {
  if (Status bad = add(images, "pyramid/energy-linear-45x27.png", "all levels, averaged as codes", atlas({}, base))) return bad;
  if (Status bad =
          add(images, "pyramid/energy-srgb-45x27.png", "the same averaged as light: brighter", atlas({.encoding = Encoding::kSrgb}, base)))
    return bad;
  if (Status bad =
          add(images, "pyramid/mean2x2-45x27.png", "odd last rows and columns dropped", atlas({.kernel = PyramidKernel::k2x2}, base)))
    return bad;
  if (Status bad = add(images, "pyramid/energy-max-45x27.png", "the greatest of each channel", atlas({.reduction = Reduction::kMax}, base)))
    return bad;
  const auto depth = makeInput("impulse:44,26", {45, 27}, 1, Component::kF32);
  if (!depth) return depth.error();
  if (Status bad = add(images, "depth/floor-max-impulse-44-26-45x27.exr", "the last texel is far: floor loses it on every level",
                       depthPyramid(DepthForm::kFloor, Extreme::kMax, *depth, 6)))
    return bad;
  return add(images, "depth/conservative-max-impulse-44-26-45x27.exr", "the last texel is far: conservative keeps it in each last texel",
             depthPyramid(DepthForm::kConservative, Extreme::kMax, *depth, 6));
}

Status addStatistics(std::vector<NamedImage>& images, const Image& base) {
  if (Status bad = add(images, "photo/scene-45x27.png", "what the images of this folder and of pyramid/ are made from", base)) return bad;
  if (Status bad = add(images, "photo/saturation-45x27.exr", "(max - min) / max", saturation(base))) return bad;
  if (Status bad = add(images, "photo/sobel-45x27.png", "edges, clamped to 255", sobel8(base))) return bad;
  return add(images, "photo/bilinear-45x27-to-64x64.png", "scaled with two taps an axis", bilinearScale(base, {64, 64}));
}

}  // namespace

Expected<std::vector<NamedImage>> familyImages() {
  std::vector<NamedImage> images;
  if (Status bad = addBlurs(images)) return *bad;
  const auto base = scene();
  if (!base) return base.error();
  if (Status bad = addPyramids(images, *base)) return *bad;
  if (Status bad = addStatistics(images, *base)) return *bad;
  std::sort(images.begin(), images.end(), [](const NamedImage& a, const NamedImage& b) { return a.file < b.file; });
  return images;
}

Expected<ImageChange> imageChanges(const std::filesystem::path& folder) {
  auto images = familyImages();
  if (!images) return images.error();
  ImageChange changes;
  std::set<std::string> wanted;
  for (NamedImage& one : *images) {
    wanted.insert(one.file);
    if (const auto old = readImage(folder / one.file); !old || *old != one.image) changes.write.push_back(std::move(one));
  }
  std::error_code code;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder, code)) {
    const std::string name = file.path().lexically_relative(folder).generic_string(), ending = file.path().extension().string();
    if ((ending == ".png" || ending == ".exr" || ending == ".tif") && !wanted.contains(name)) changes.remove.push_back(name);
  }
  std::sort(changes.remove.begin(), changes.remove.end());
  return changes;
}

Expected<std::vector<Replacement>> replacementsOf(const ImageChange& changes, const std::filesystem::path& subfolder) {
  std::vector<Replacement> files;
  for (const NamedImage& one : changes.write) {
    const auto bytes = encodePicture(one.file, one.image);
    if (!bytes) return bytes.error();
    files.push_back({(subfolder / one.file).string(), std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())});
  }
  for (const std::string& name : changes.remove) files.push_back({(subfolder / name).string(), std::nullopt});
  return files;
}

}  // namespace lanewise::golden
