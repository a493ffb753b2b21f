// Filtering and address modes from the Vulkan specification's "Image Operations", in doubles: every weight here is a dyadic fraction.
#include <algorithm>
#include <cmath>

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

enum class Mode { kRepeat, kMirroredRepeat, kClampToEdge, kClampToBorder, kMirrorClampToEdge };

constexpr Mode kModes[] = {Mode::kRepeat, Mode::kMirroredRepeat, Mode::kClampToEdge, Mode::kClampToBorder, Mode::kMirrorClampToEdge};

i32 modulo(i32 i, i32 size) {
  return (i % size + size) % size;
}

i32 mirror(i32 i) {
  return i >= 0 ? i : -(1 + i);
}

// The texel that stands for texel `i`; -1 is the border.
i32 wrapped(i32 i, i32 size, Mode mode) {
  switch (mode) {
    case Mode::kRepeat:
      return modulo(i, size);
    case Mode::kMirroredRepeat:
      return size - 1 - mirror(modulo(i, 2 * size) - size);
    case Mode::kClampToEdge:
      return std::clamp(i, 0, size - 1);
    case Mode::kClampToBorder:
      return i < 0 || i >= size ? -1 : i;
    default:
      return std::min(mirror(i), size - 1);
  }
}

// Every place is the centre of a texel: of texel l - 8 of four, and of texel l - 7 of five. A linear filter gives that texel too.
Bytes addressModes(const Inputs& in) {
  const auto four = in.of<float>("0"), five = in.of<float>("3");
  const auto at = [](const std::vector<float>& image, i32 i, Mode mode, float border) {
    const i32 texel = wrapped(i, static_cast<i32>(image.size()), mode);
    return texel < 0 ? border : image[static_cast<std::size_t>(texel)];
  };
  std::vector<float> out;
  for (i32 offset = 0; offset < 2; ++offset)
    for (const float border : {0.0f, 1.0f})  // opaque black of the nearest filter, white of the linear one
      for (const Mode mode : kModes)
        for (i32 l = 0; l < 20; ++l) out.push_back(at(four, l - 8 + offset, mode, border));
  for (const Mode mode : kModes)
    for (i32 l = 0; l < 20; ++l) out.push_back(at(five, l - 7, mode, 0));
  // An image of one component has no green, and its alpha is one, as is the border's.
  for (u32 i = 0; i < 3; ++i)
    for (i32 l = 0; l < 20; ++l) out.push_back(l < 10 ? 0 : 1);
  return bytesOf(out);
}

// The two texels along one axis around a place, and their weights.
struct Axis {
  std::array<i32, 2> texel;
  std::array<double, 2> weight;

  Axis(double place, i32 size, Mode mode) {
    const double at = place * size - 0.5, first = std::floor(at);
    texel = {wrapped(static_cast<i32>(first), size, mode), wrapped(static_cast<i32>(first) + 1, size, mode)};
    weight = {1 - (at - first), at - first};
  }
};

// The sum over the texels of two or three axes of weight times value; the border is zero.
template <class Value>
float filtered(std::span<const Axis> axes, Value value) {
  double sum = 0;
  for (u32 corner = 0; corner < 1u << axes.size(); ++corner) {
    double weight = 1;
    std::array<i32, 3> texel{};
    for (u32 i = 0; i < axes.size(); ++i) {
      const u32 side = (corner >> i) % 2;
      weight *= axes[i].weight[side];
      texel[i] = axes[i].texel[side];
    }
    if (std::ranges::find(texel, -1) == texel.end()) sum += weight * static_cast<double>(value(texel));
  }
  return static_cast<float>(sum);
}

// The nearest layer of three to l / 16 - 1/2; a half goes to the even one.
i32 layerOf(u32 l) {
  return l <= 16 ? 0 : l < 32 ? 1 : 2;
}

Bytes linear(const Inputs& in) {
  const auto plane = in.of<float>("0"), volume = in.of<float>("1"), rows = in.of<float>("2"), layers = in.of<float>("3");
  std::vector<float> out(256);
  for (u32 l = 0; l < 64; ++l) {
    const double x = l % 8 * 0.140625 - 0.0625, y = l / 8 * 0.140625 - 0.0625, z = l * 0.0625;
    const auto texel = [](const std::vector<float>& image, i32 i) { return image[static_cast<std::size_t>(i)]; };
    const Axis inPlane[] = {{x, 4, Mode::kClampToEdge}, {y, 4, Mode::kClampToEdge}};
    out[l] = filtered(inPlane, [&](auto t) { return texel(plane, t[1] * 4 + t[0]); });
    const Axis inVolume[] = {{x, 2, Mode::kRepeat}, {y, 2, Mode::kRepeat}, {z, 2, Mode::kRepeat}};
    const i32 component = static_cast<i32>(l % 4);
    out[64 + l] = filtered(inVolume, [&](auto t) { return texel(volume, (t[2] * 4 + t[1] * 2 + t[0]) * 4 + component); });
    const Axis inRow[] = {{l * 3 / 1024.0, 4, Mode::kMirroredRepeat}};
    out[128 + l] = filtered(inRow, [&](auto t) { return texel(rows, layerOf(l) * 4 + t[0]); });
    const Axis inLayer[] = {{x, 2, Mode::kClampToBorder}, {y, 2, Mode::kClampToBorder}};
    out[192 + l] = filtered(inLayer, [&](auto t) { return texel(layers, layerOf(l) * 4 + t[1] * 2 + t[0]); });
  }
  return bytesOf(out);
}

using Direction = std::array<double, 3>;

// The place (s, t) of a face's plane, from -1 to 1 and beyond, as a direction: "Cube Map Face Selection" read backwards.
Direction direction(u32 face, double s, double t) {
  const Direction all[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
  return all[face];
}

struct Place {
  u32 face = 0;
  double s = 0, t = 0;

  explicit Place(const Direction& d) {
    u32 axis = 2;
    for (const u32 other : {1u, 0u})
      if (std::abs(d[other]) > std::abs(d[axis])) axis = other;
    const double size = std::abs(d[axis]), x = d[0] / size, y = d[1] / size, z = d[2] / size;
    face = axis * 2 + (d[axis] < 0 ? 1 : 0);
    s = face == 0 ? -z : face == 1 ? z : face == 5 ? -x : x;
    t = face == 2 ? z : face == 3 ? -z : -y;
  }
};

// Faces of 2x2 texels, whose centres are at -1/2 and 1/2.
float nearestOfCube(const std::vector<float>& texels, const Direction& d) {
  const Place at(d);
  return texels[at.face * 4 + (at.t > 0 ? 2 : 0) + (at.s > 0 ? 1 : 0)];
}

// A texel beyond the edge of a face is the one of the neighbour that lies in the direction of its centre.
float linearOfCube(const std::vector<float>& texels, const Direction& d) {
  const Place at(d);
  const double i = std::floor(at.s + 0.5), j = std::floor(at.t + 0.5), right = at.s + 0.5 - i, down = at.t + 0.5 - j;
  double sum = 0;
  for (const double y : {0.0, 1.0})
    for (const double x : {0.0, 1.0}) {
      const double weight = (x > 0 ? right : 1 - right) * (y > 0 ? down : 1 - down);
      sum += weight * nearestOfCube(texels, direction(at.face, i + x - 0.5, j + y - 0.5));
    }
  return static_cast<float>(sum);
}

// The program's own six axes: of axis f / 2, the lower one first.
Direction axis(u32 f, double a, double b) {
  const double way = f % 2 == 0 ? 1 : -1;
  return f < 2 ? Direction{way, a, b} : f < 4 ? Direction{a, way, b} : Direction{a, b, way};
}

Bytes cubeFaces(const Inputs& in) {
  const auto texels = in.of<float>("0");
  std::vector<float> out;
  for (u32 f = 0; f < 6; ++f)
    for (u32 c = 0; c < 4; ++c) out.push_back(nearestOfCube(texels, axis(f, c % 2 - 0.5, c / 2 - 0.5)));
  for (u32 f = 0; f < 6; ++f)
    for (const auto& [a, b] : {std::pair{0.0, 0.0}, {1, 0}, {0, -1}, {0.75, 0.25}}) out.push_back(linearOfCube(texels, axis(f, a, b)));
  return bytesOf(out);
}

constexpr Definition kSamplers[] = {
    {"sample_address_modes.comp", "2 f32", addressModes},
    {"sample_cube.comp", "4 f32", cubeFaces},
    {"sample_linear.comp", "4 f32", linear},
};

}  // namespace

std::span<const Definition> samplers() {
  return kSamplers;
}

}  // namespace lanewise::text::definitions
