#include "tools/report/golden_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/image/compare.h"
#include "golden/pictures/picture_io.h"
#include "model/base/text.h"
#include "tools/report/escape.h"
#include "tools/report/html_style.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostRows = 5000;

std::string figure(const golden::Image& image, const std::string& caption) {
  const Expected<std::vector<std::byte>> png = golden::encodePng(image);
  if (!png) return fmt::format("<figure><figcaption>{}: {}</figcaption></figure>", escaped(caption), escaped(png.error().text()));
  const std::uint32_t zoom = std::clamp(256u / std::max(image.extent.width, image.extent.height), 1u, 16u);
  return fmt::format(
      "<figure class=\"map\"><img alt=\"{}\" width=\"{}\" height=\"{}\" "
      "src=\"data:image/png;base64,{}\"><figcaption>{}</figcaption></figure>",
      escaped(caption), image.extent.width * zoom, image.extent.height * zoom, base64(*png), escaped(caption));
}

// All levels in one picture of 8 bits that a person sees: floats from 0 to 1, larger integers up to `most`, alpha opaque.
golden::Image visible(const golden::Image& image, double most) {
  const golden::Image atlas = golden::mipAtlas(image);
  golden::Image out = golden::makeImage(atlas.extent, atlas.channels, golden::Component::kU8);
  out.blueFirst = atlas.blueFirst;
  const std::size_t size = golden::componentBytes(atlas.component);
  const bool hasAlpha = atlas.channels == 2 || atlas.channels == 4;
  for (std::size_t i = 0; i < out.bytes.size(); ++i) {
    const double value = golden::valueOf(atlas.component, golden::bitsAt(atlas, i * size));
    const bool alpha = hasAlpha && i % atlas.channels == atlas.channels - 1;
    out.bytes[i] = alpha ? std::byte{255} : static_cast<std::byte>(static_cast<std::uint8_t>(std::clamp(value / most, 0.0, 1.0) * 255));
  }
  return out;
}

// The value that is shown white.
double whiteOf(const golden::Image& image) {
  if (golden::isFloat(image.component)) return 1;
  if (image.component == golden::Component::kU8) return 255;
  double most = 1;
  const std::size_t size = golden::componentBytes(image.component);
  for (std::size_t at = 0; at < image.bytes.size(); at += size)
    most = std::max(most, golden::valueOf(image.component, golden::bitsAt(image, at)));
  return most;
}

// Old, new and difference; `old` may be missing.
std::string threePictures(const golden::Image* old, const golden::Image& now, const std::string& noOld) {
  const double white = whiteOf(now);
  std::string out = "<div class=\"row\">";
  out += old ? figure(visible(*old, white), "old") : fmt::format("<figure><figcaption>{}</figcaption></figure>", escaped(noOld));
  out += figure(visible(now, white), "new");
  if (old) {
    const Expected<golden::DifferenceImage> difference = golden::differenceImage(golden::mipAtlas(*old), golden::mipAtlas(now));
    if (difference) out += figure(difference->picture, fmt::format("difference x {}", difference->factor));
    if (!difference) out += fmt::format("<p class=\"fine\">no difference: {}</p>", escaped(difference.error().text()));
  }
  return out + "</div>\n";
}

std::string changedRow(const ChangedGolden& golden) {
  std::string out = fmt::format("<h3><code>{}</code></h3>", escaped(golden.name));
  for (std::size_t i = 0; i < golden.now.size(); ++i)
    out += threePictures(golden.old.empty() ? nullptr : &golden.old[i], golden.now[i], golden.noOld);
  return out;
}

std::string pictureRow(const golden::NamedImage& named, const std::filesystem::path& folder) {
  const Expected<golden::Image> old = golden::readImage(folder / named.file);
  return fmt::format("<h3>{}</h3><p class=\"fine\">{}</p>", escaped(named.file), escaped(named.says)) +
         threePictures(old ? &*old : nullptr, named.image, "there is no old one");
}

std::string row(const char* what, const std::string& name, const std::string& before, const std::string& after) {
  return fmt::format("<tr><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td><code>{}</code></td></tr>\n", what, escaped(name),
                     before, after);
}

std::string rows(const golden::StoreChange& changes) {
  std::string out;
  std::size_t left = kMostRows;
  const auto one = [&](const char* what, const std::string& name, const std::string& before, const std::string& after) {
    if (left == 0) return;
    --left;
    out += row(what, name, before, after);
  };
  for (const auto& c : changes.changed) one("changed", c.name, golden::hashText(c.before.hash), golden::hashText(c.after.hash));
  for (const std::string& name : changes.removed) one("removed", name, "", "");
  for (const std::string& name : changes.added) one("added", name, "", "");
  for (const auto& c : changes.refreshed) one("refreshed", c.name, c.before.provenance.oracle, c.after.provenance.oracle);
  return out;
}

}  // namespace

std::string goldenPage(const golden::StoreChange& changes, const std::vector<ChangedGolden>& changed, const golden::ImageChange& pictures,
                       const std::filesystem::path& images) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Lanewise "
      "goldens</title><style>{}</style></head><body><main>\n"
      "<h1>What a regeneration of the goldens would change</h1>\n<p>{} added, {} removed, {} changed, {} refreshed (same hash, newer "
      "oracle), "
      "{} unchanged</p>\n",
      kReportStyle, changes.added.size(), changes.removed.size(), changes.changed.size(), changes.refreshed.size(), changes.unchanged);
  for (const ChangedGolden& golden : changed) out += changedRow(golden);
  if (changed.size() < changes.changed.size())
    out += fmt::format("<p>{} more changed hashes are in the table alone</p>\n", changes.changed.size() - changed.size());
  for (const golden::NamedImage& named : pictures.write) out += pictureRow(named, images);
  for (const std::string& name : pictures.remove)
    out += fmt::format("<p>{} belongs to no family and would be removed</p>\n", escaped(name));
  if (!changes.empty())
    out += "<div class=\"wide\"><table class=\"list\"><tr><th></th><th>golden</th><th>old</th><th>new</th></tr>\n" + rows(changes) +
           "</table></div>\n";
  return out + "</main></body></html>\n";
}

}  // namespace lanewise
