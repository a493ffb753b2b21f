#include "tools/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "golden/pictures/picture_io.h"
#include "model/base/text.h"
#include "tools/report/escape.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kMostSide = 128;  // of a map of sizes; larger ones are counted in its caption
constexpr std::uint32_t kRemainders = 16;
constexpr std::size_t kMostKernels = 12;

struct Cell {
  std::size_t cases = 0, failed = 0;
  void add(bool bad) {
    ++cases;
    failed += bad ? 1 : 0;
  }
  double share() const { return cases == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(cases); }
};

// Opaque green where nothing failed, yellow to red by the share that did; nothing where nothing ran.
std::array<std::uint8_t, 4> colour(const Cell& cell) {
  if (cell.cases == 0) return {0, 0, 0, 0};
  if (cell.failed == 0) return {63, 158, 110, 255};
  return {217, static_cast<std::uint8_t>(164 - 132 * cell.share()), static_cast<std::uint8_t>(50 - 10 * cell.share()), 255};
}

std::string cssColour(const Cell& cell) {
  const auto c = colour(cell);
  return c[3] == 0 ? "transparent" : fmt::format("rgb({},{},{})", c[0], c[1], c[2]);
}

// A map as a picture of one pixel a cell, enlarged by the browser.
std::string mapFigure(const std::vector<Cell>& cells, std::uint32_t columns, const std::string& caption, std::uint32_t first) {
  const std::uint32_t rows = static_cast<std::uint32_t>(cells.size()) / columns;
  golden::Image image = golden::makeImage({columns, rows}, 4, golden::Component::kU8);
  for (std::uint32_t i = 0; i < cells.size(); ++i)
    for (std::uint32_t channel = 0; channel < 4; ++channel)
      image.set<std::uint8_t>(0, i % columns, i / columns, channel, colour(cells[i])[channel]);
  const Expected<std::vector<std::byte>> png = golden::encodePng(image);
  if (!png) return {};
  const std::uint32_t zoom = std::clamp(288u / std::max(columns, rows), 2u, 18u);
  return fmt::format(
      "<figure class=\"map\"><div class=\"axis\">width &rarr;, height &darr;</div><img alt=\"{}\" width=\"{}\" height=\"{}\" "
      "data-columns=\"{}\" "
      "data-rows=\"{}\" data-first=\"{}\" src=\"data:image/png;base64,{}\"><figcaption>{}</figcaption></figure>",
      escaped(caption), columns * zoom, rows * zoom, columns, rows, first, base64(*png), escaped(caption));
}

using Cases = std::vector<const CaseResult*>;

std::string sizeMap(const Cases& cases) {
  std::uint32_t width = 1, height = 1;
  std::size_t beyond = 0, beyondFailed = 0;
  const auto fits = [](Size s) { return s.width <= kMostSide && s.height <= kMostSide; };
  for (const CaseResult* c : cases) {
    if (!fits(c->what.size)) {
      ++beyond;
      beyondFailed += c->failed() ? 1 : 0;
      continue;
    }
    width = std::max(width, c->what.size.width);
    height = std::max(height, c->what.size.height);
  }
  std::vector<Cell> cells(std::size_t{width} * height);
  for (const CaseResult* c : cases)
    if (fits(c->what.size)) cells[(c->what.size.height - 1) * width + c->what.size.width - 1].add(c->failed());
  std::string caption = fmt::format("by size: width 1 to {}, height 1 to {}", width, height);
  if (beyond != 0) caption += fmt::format("; {} of {} larger ones failed", beyondFailed, beyond);
  return mapFigure(cells, width, caption, 1);
}

// Of a few sizes it would say nothing: then it is left out.
std::string remainderMap(const Cases& cases) {
  std::set<Size> sizes;
  for (const CaseResult* c : cases) sizes.insert(c->what.size);
  if (sizes.size() < 2 * kRemainders) return {};
  std::vector<Cell> cells(kRemainders * kRemainders);
  for (const CaseResult* c : cases)
    cells[c->what.size.height % kRemainders * kRemainders + c->what.size.width % kRemainders].add(c->failed());
  return mapFigure(cells, kRemainders, fmt::format("by remainder of width and height by {}, 0 first", kRemainders), 0);
}

std::string parityTable(const Cases& cases) {
  Cell cells[2][2];
  for (const CaseResult* c : cases) cells[c->what.size.height % 2][c->what.size.width % 2].add(c->failed());
  std::string out = "<figure><table class=\"parity\"><tr><th></th><th>even width</th><th>odd width</th></tr>";
  for (const int h : {0, 1}) {
    out += fmt::format("<tr><th>{} height</th>", h == 0 ? "even" : "odd");
    for (const int w : {0, 1})
      out += fmt::format("<td><i style=\"background:{}\"></i>{} of {}</td>", cssColour(cells[h][w]), cells[h][w].failed, cells[h][w].cases);
    out += "</tr>";
  }
  return out + "</table><figcaption>failed by parity</figcaption></figure>";
}

// A bar for each value of a number, as high as the share that failed.
std::string bars(const Cases& cases, const Kernel& kernel, std::size_t parameter) {
  std::map<std::uint32_t, Cell> cells;
  for (const CaseResult* c : cases) cells[c->what.values[parameter]].add(c->failed());
  if (cells.size() < 2) return {};
  const Parameter& p = kernel.parameters[parameter];
  std::string out = "<figure><div class=\"bars\">";
  std::size_t shown = 0;
  for (const auto& [value, cell] : cells) {
    if (++shown > 80) break;
    out += fmt::format("<span title=\"{} {}: {} of {} failed\"><b style=\"height:{:.0f}%;background:{}\"></b><u>{}</u></span>",
                       escaped(p.name), escaped(p.text(value)), cell.failed, cell.cases, std::max(4.0, 100 * cell.share()), cssColour(cell),
                       cells.size() <= 12 ? escaped(p.text(value))
                       : value % 8 == 0   ? std::to_string(value)
                                          : "");
  }
  return out + fmt::format("</div><figcaption>share that failed by {}</figcaption></figure>", escaped(p.name));
}

std::string card(const Kernel& kernel, const Cases& cases) {
  const auto failed = std::count_if(cases.begin(), cases.end(), [](const CaseResult* c) { return c->failed(); });
  std::string out = fmt::format("<section class=\"card\"><h3>{}</h3><p class=\"fine\">{} of {} cases failed</p><div class=\"row\">",
                                escaped(kernel.name), failed, cases.size());
  out += sizeMap(cases) + remainderMap(cases) + "<div>" + parityTable(cases);
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) out += bars(cases, kernel, p);
  return out + "</div></div></section>\n";
}

// "box-blur/double" of "box-blur/double/naive".
std::string formOf(const Kernel& kernel) {
  return kernel.broken() ? kernel.name : kernel.name.substr(0, kernel.name.rfind('/'));
}

}  // namespace

std::string failureCharts(const SweepResult& result) {
  std::map<std::string, Cases> kernels;
  for (const CaseResult& c : result.cases) kernels[c.what.kernel->name].push_back(&c);
  std::erase_if(kernels, [](const auto& k) {
    return std::none_of(k.second.begin(), k.second.end(), [](const CaseResult* c) { return c->failed(); });
  });
  if (kernels.empty()) return {};
  std::string out =
      "<h2>Where it fails</h2>\n<p class=\"fine\">Green: all passed. Yellow to red: the share that failed. Empty: nothing ran there.</p>\n";
  std::size_t shown = 0;
  for (const auto& [name, cases] : kernels)
    if (++shown <= kMostKernels) out += card(*cases[0]->what.kernel, cases);
  if (shown > kMostKernels) out += fmt::format("<p class=\"fine\">{} more kernels have failures.</p>\n", shown - kMostKernels);
  return out;
}

std::string summaryMatrix(const SweepResult& result) {
  std::map<std::string, std::vector<Cell>> forms;
  for (const CaseResult& c : result.cases) {
    std::vector<Cell>& row = forms[formOf(*c.what.kernel)];
    row.resize(result.sides.size());
    for (std::size_t s = 0; s < c.sides.size(); ++s) {
      const Verdict v = c.sides[s].verdict;
      if (v != Verdict::kNotRun && v != Verdict::kNotApplicable) row[s].add(v != Verdict::kOk);
    }
  }
  std::string out = "<h2>Summary</h2>\n<div class=\"wide\"><table class=\"matrix\"><tr><th>family</th><th>form</th>";
  for (const SideInfo& side : result.sides) out += fmt::format("<th>{}</th>", escaped(side.name));
  out += "</tr>\n";
  std::string family;
  for (const auto& [form, row] : forms) {
    const std::size_t slash = form.find('/');
    const std::string name = form.substr(0, slash);
    out += fmt::format("<tr><td>{}</td><td>{}</td>", name == family ? "" : escaped(name),
                       escaped(form.substr(std::min(slash + 1, form.size()))));
    family = name;
    for (const Cell& cell : row) {
      const char* style = cell.cases == 0 ? "warn" : cell.failed == 0 ? "good" : "bad";
      const std::string text = cell.cases == 0    ? "nothing ran"
                               : cell.failed == 0 ? fmt::format("{} ok", cell.cases)
                                                  : fmt::format("{} of {} failed", cell.failed, cell.cases);
      out += fmt::format("<td class=\"{}\">{}</td>", style, text);
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace lanewise
