#include "tools/report/html_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "golden/pictures/picture_io.h"
#include "model/base/text.h"
#include "tools/report/escape.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

using golden::Image;

// The part of a picture that is shown, and the texel marked in it.
struct View {
  std::uint32_t left = 0, top = 0, width = 1, height = 1;
  std::uint32_t markX = 0, markY = 0;
};

View viewOf(golden::Extent extent, const golden::TexelDiff& first) {
  const auto cut = [](std::uint32_t size, std::uint32_t at, std::uint32_t& from) {
    if (size <= kWholeSide) return size;
    from = std::min(at - std::min(at, kCutSide / 2), size - kCutSide);
    return kCutSide;
  };
  View view;
  view.width = cut(extent.width, first.x, view.left);
  view.height = cut(extent.height, first.y, view.top);
  view.markX = first.x - view.left;
  view.markY = first.y - view.top;
  return view;
}

// A part of a picture of 8 bits, opaque: what alpha holds must not hide the colours.
Image cutOut(const Image& from, const View& view) {
  Image part = golden::makeImage({view.width, view.height}, from.channels, from.component);
  part.blueFirst = from.blueFirst;
  const std::size_t row = view.width * from.texelBytes();
  for (std::uint32_t y = 0; y < view.height; ++y)
    std::copy_n(from.bytes.begin() + static_cast<std::ptrdiff_t>(from.offset(0, view.left, view.top + y)), row,
                part.bytes.begin() + static_cast<std::ptrdiff_t>(part.offset(0, 0, y)));
  if (part.channels == 4)
    for (std::size_t i = 3; i < part.bytes.size(); i += 4) part.bytes[i] = std::byte{255};
  return part;
}

// What numbers are black and white in a picture whose components are no bytes.
struct Greys {
  double black = 0, white = 1;
};

double valueAt(const Image& image, std::size_t i) {
  return golden::valueOf(image.component, golden::bitsAt(image, i * golden::componentBytes(image.component)));
}

Greys greysOf(const Image& image) {
  std::optional<Greys> range;
  for (std::size_t i = 0; i < image.bytes.size() / golden::componentBytes(image.component); ++i) {
    const double v = valueAt(image, i);
    if (!std::isfinite(v)) continue;
    range = range ? Greys{std::min(range->black, v), std::max(range->white, v)} : Greys{v, v};
  }
  if (!range) return {};
  return range->white > range->black ? *range : Greys{range->black - 1, range->white + 1};
}

// Alpha alone, where that is what is wrong: in a picture it would not be seen.
Image alphaOf(const Image& image) {
  Image alpha = golden::makeImage(image.extent, 1, image.component);
  const std::size_t size = golden::componentBytes(image.component);
  for (std::size_t i = 0; i < alpha.bytes.size() / size; ++i)
    std::copy_n(image.bytes.begin() + static_cast<std::ptrdiff_t>((4 * i + 3) * size), size,
                alpha.bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
  return alpha;
}

Image inGreys(const Image& image, const Greys& greys) {
  if (image.component == golden::Component::kU8) return image;
  Image seen = golden::makeImage(image.extent, image.channels, golden::Component::kU8);
  seen.blueFirst = image.blueFirst;
  for (std::size_t i = 0; i < seen.bytes.size(); ++i) {
    const double share = (valueAt(image, i) - greys.black) / (greys.white - greys.black);
    seen.bytes[i] = static_cast<std::byte>(share > 0 ? std::min(255.0, share * 255 + 0.5) : 0.0);  // not a number: black
  }
  return seen;
}

// Of pictures whose components are no bytes.
std::string rangeText(const char* whose, const Image& image, const Greys& greys) {
  if (image.component == golden::Component::kU8) return {};
  return fmt::format("<p class=\"fine\">Of {} black is {:.6g} and less, white {:.6g} and more.</p>", whose, greys.black, greys.white);
}

std::string figure(const Image& picture, const View& view, const std::string& caption) {
  const Expected<std::vector<std::byte>> png = golden::encodePng(cutOut(picture, view));
  if (!png) return fmt::format("<figure><figcaption>{}: {}</figcaption></figure>", escaped(caption), escaped(png.error().text()));
  // Whole screen pixels a texel, as many as make the longer side about 256.
  const std::uint32_t zoom = std::clamp(256u / std::max(view.width, view.height), 1u, 48u);
  const auto percent = [](std::uint32_t part, std::uint32_t whole) { return 100.0 * part / whole; };
  return fmt::format(
      "<figure><div class=\"pic\" style=\"width:{}px;height:{}px\"><img loading=\"lazy\" alt=\"{}\" src=\"data:image/png;base64,{}\">"
      "<i style=\"left:{:.3f}%;top:{:.3f}%;width:{:.3f}%;height:{:.3f}%\"></i></div><figcaption>{}</figcaption></figure>",
      view.width * zoom, view.height * zoom, escaped(caption), base64(*png), percent(view.markX, view.width),
      percent(view.markY, view.height), percent(1, view.width), percent(1, view.height), escaped(caption));
}

bool isPicture(const Image& image) {
  return image.channels <= 4;
}

}  // namespace

std::string figureRow(const SweepResult& result, const Evidence& evidence, const std::vector<std::size_t>& group) {
  const SideResult& side = result.cases[evidence.caseIndex].sides[group.front()];
  const std::vector<Image>& got = evidence.got[group.front()];
  if (got.empty() || !side.diff || !side.diff->first || !isPicture(got[side.output])) return {};
  const golden::TexelDiff& first = *side.diff->first;
  const Image expected = golden::levelOf(evidence.expected[side.output], first.level);
  const Image made = golden::levelOf(got[side.output], first.level);
  const View view = viewOf(expected.extent, first);
  std::string out = "<div class=\"row\">";
  const Greys greys = greysOf(expected);
  const bool alpha = first.channel == 3;
  const auto show = [&](const Image& image, const Greys& range, const std::string& caption) {
    const bool only = alpha && image.channels == 4;
    out += figure(inGreys(only ? alphaOf(image) : image, range), view, caption + (only ? ", alpha" : ""));
  };
  std::string notes = rangeText("expected and got", expected, greys);
  bool opaque = !alpha && expected.channels == 4;
  if (evidence.input.extent == expected.extent && isPicture(evidence.input)) {
    const Greys own = greysOf(evidence.input);
    show(evidence.input, own, "input");
    notes = rangeText("the input", evidence.input, own) + notes;
    opaque |= !alpha && evidence.input.channels == 4;
  }
  show(expected, greys, "expected");
  show(made, greys, "got on " + sideNames(result, group));
  const Expected<golden::DifferenceImage> difference = golden::differenceImage(expected, made);
  if (difference) out += figure(difference->picture, view, fmt::format("difference x {}", difference->factor));
  out += "</div>" + notes;
  if (opaque) out += "<p class=\"fine\">Alpha is shown as opaque.</p>";
  if (view.width != expected.extent.width || view.height != expected.extent.height)
    out += fmt::format("<p class=\"fine\">Shown: {}x{} texels from ({}, {}) of {}x{}.</p>", view.width, view.height, view.left, view.top,
                       expected.extent.width, expected.extent.height);
  return out;
}

}  // namespace lanewise
