#include "tools/report/golden_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/image/compare.h"
#include "golden/pictures/picture_io.h"
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

// Floats as grey from 0 to 1; other components as they are.
golden::Image visible(const golden::Image& image) {
  if (image.component != golden::Component::kF32) return image;
  golden::Image out = golden::makeImage(image.extent, image.channels, golden::Component::kU8);
  for (std::size_t i = 0; i < out.bytes.size(); ++i) {
    float value = 0;
    std::memcpy(&value, image.bytes.data() + 4 * i, 4);
    out.bytes[i] = static_cast<std::byte>(static_cast<std::uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255));
  }
  return out;
}

std::string pictureRow(const golden::NamedImage& named, const std::filesystem::path& folder) {
  std::string out = fmt::format("<h3>{}</h3><p class=\"fine\">{}</p><div class=\"row\">", escaped(named.file), escaped(named.says));
  const Expected<golden::Image> old = golden::readImage(folder / named.file);
  out += old ? figure(visible(*old), "old") : "<figure><figcaption>there is no old one</figcaption></figure>";
  out += figure(visible(named.image), "new");
  if (old) {
    const Expected<golden::DifferenceImage> difference = golden::differenceImage(*old, named.image);
    if (difference) out += figure(difference->picture, fmt::format("difference x {}", difference->factor));
  }
  return out + "</div>\n";
}

std::string row(const char* what, const std::string& name, const std::string& before, const std::string& after) {
  return fmt::format("<tr><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td><code>{}</code></td></tr>\n", what, escaped(name),
                     before, after);
}

std::string rows(const golden::StoreChange& plan) {
  std::string out;
  std::size_t left = kMostRows;
  const auto one = [&](const char* what, const std::string& name, const std::string& before, const std::string& after) {
    if (left == 0) return;
    --left;
    out += row(what, name, before, after);
  };
  for (const auto& c : plan.changed) one("changed", c.name, golden::hashText(c.before.hash), golden::hashText(c.after.hash));
  for (const std::string& name : plan.removed) one("removed", name, "", "");
  for (const std::string& name : plan.added) one("added", name, "", "");
  for (const auto& c : plan.refreshed) one("refreshed", c.name, c.before.provenance.oracle, c.after.provenance.oracle);
  return out;
}

}  // namespace

std::string goldenPage(const golden::StoreChange& plan, const golden::ImageChange& pictures, const std::filesystem::path& images) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Lanewise "
      "goldens</title><style>{}</style></head><body><main>\n"
      "<h1>What a regeneration of the goldens would change</h1>\n<p>{} added, {} removed, {} changed, {} refreshed (same hash, newer "
      "oracle), "
      "{} unchanged</p>\n",
      kReportStyle, plan.added.size(), plan.removed.size(), plan.changed.size(), plan.refreshed.size(), plan.unchanged);
  for (const golden::NamedImage& named : pictures.write) out += pictureRow(named, images);
  for (const std::string& name : pictures.remove)
    out += fmt::format("<p>{} belongs to no family and would be removed</p>\n", escaped(name));
  if (!plan.empty())
    out += "<div class=\"wide\"><table class=\"list\"><tr><th></th><th>golden</th><th>old</th><th>new</th></tr>\n" + rows(plan) +
           "</table></div>\n";
  return out + "</main></body></html>\n";
}

}  // namespace lanewise
