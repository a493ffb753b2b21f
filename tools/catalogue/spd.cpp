// The kernels of AMD's single-pass pyramid, and a dispatch a level beside them: 2x2 means, minima and maxima of 8-bit codes, exact
// (docs/contracts.md, 6). Layers lie in one image; a part of the picture may change and be computed again.
#include "golden/image/inputs.h"
#include "golden/oracles/mean_pyramid.h"
#include "tools/catalogue/families.h"
#include "tools/catalogue/pyramid_parts.h"

namespace lanewise {
namespace {

using Module = std::shared_ptr<const ShaderModule>;

constexpr std::uint32_t kSpdTile = 64;
constexpr std::uint32_t kPictures = 13;  // of the single-pass modules
constexpr golden::LevelCount kLevelCounts[] = {golden::LevelCount::kSpd};
constexpr Format kFormat = Format::R8G8B8A8_UINT, kView = Format::R32_UINT;

// The float forms have one layer and no parameter for it.
std::uint32_t layersOf(const Case& c) {
  return std::max(1u, c.value(kLayersParameter));
}

// The part of a picture that changes between two runs: [x, endX) x [y, endY).
struct Part {
  std::uint32_t x, y, endX, endY;
};

// The values of "rect": whole (one run), centre (a half of each side, about), corner (the last texel).
Part partOf(const Case& c) {
  const Size s = c.size;
  switch (c.value(kRectParameter)) {
    case 1:
      return {s.width / 4, s.height / 4, s.width / 4 + (s.width + 1) / 2, s.height / 4 + (s.height + 1) / 2};
    case 2:
      return {s.width - 1, s.height - 1, s.width, s.height};
    default:
      return {0, 0, s.width, s.height};
  }
}

// The base of a layer. Layers differ by what is added to every code.
golden::Image layerBase(const golden::Image& input, std::uint32_t layer) {
  golden::Image base = input;
  for (std::byte& b : base.bytes) b = static_cast<std::byte>(std::to_integer<unsigned>(b) + 53 * layer);
  return base;
}

std::vector<golden::Image> basesOf(const Case& c, const golden::Image& input) {
  std::vector<golden::Image> bases;
  for (std::uint32_t l = 0; l < layersOf(c); ++l) bases.push_back(layerBase(input, l));
  return bases;
}

// What the part looked like before: every bit the other way round.
std::vector<golden::Image> basesBefore(const Case& c, std::vector<golden::Image> bases) {
  const Part part = partOf(c);
  for (golden::Image& base : bases)
    for (std::uint32_t y = part.y; y < part.endY; ++y)
      for (std::size_t i = base.offset(0, part.x, y); i < base.offset(0, part.x, y) + 4 * (part.endX - part.x); ++i)
        base.bytes[i] ^= std::byte{255};
  return bases;
}

// Reduces the tiles that meet a part of the picture.
Dispatch reducePart(const Case& c, Module module, const Part& part, const std::string& source) {
  const std::uint32_t x = part.x / kSpdTile, y = part.y / kSpdTile, levels = pyramidLevels(c);
  Dispatch d;
  d.module = std::move(module);
  d.groups = {groupsFor(part.endX, kSpdTile) - x, groupsFor(part.endY, kSpdTile) - y, layersOf(c)};
  d.push = pushWords({c.size.width, c.size.height, levels, d.groups.x * d.groups.y, x, y, c.value(kReductionParameter)});
  d.bindings = spdBindings(source, "pyramid", {levels, kPictures}, kView);
  return d;
}

Job planSpd(const Case& c, Module module, const golden::Image& input) {
  const std::vector<golden::Image> bases = basesOf(c, input);
  Job job;
  job.resources = {pyramidOn("pyramid", kFormat, bases, pyramidLevels(c)), zeroedCounters(layersOf(c)),
                   pyramidOn("source", kFormat, bases, 1)};
  job.resources.back().output = false;
  if (c.value(kRectParameter) != 0) {
    job.resources.push_back(pyramidOn("before", kFormat, basesBefore(c, bases), 1));
    job.resources.back().output = false;
    job.dispatches.push_back(reducePart(c, module, {0, 0, c.size.width, c.size.height}, "before"));
  }
  job.dispatches.push_back(reducePart(c, std::move(module), partOf(c), "source"));
  job.subgroupSize = c.subgroupSize;
  return job;
}

Job planSpdLevels(const Case& c, Module module, const golden::Image& input) {
  Job job;
  job.resources = {pyramidOn("pyramid", kFormat, basesOf(c, input), pyramidLevels(c))};
  job.dispatches = levelDispatches(c, std::move(module), {"pyramid", 8, layersOf(c), kView});
  job.subgroupSize = c.subgroupSize;
  return job;
}

// Several layers become one row of texels, level after level, in a level layer after layer: an image of the goldens has no layers.
golden::Image layered(std::span<const golden::Image> chains) {
  if (chains.size() == 1) return chains[0];
  const auto texels = static_cast<std::uint32_t>(chains.size() * chains[0].bytes.size() / 4);
  golden::Image all = golden::makeImage({texels, 1}, 4, golden::Component::kU8);
  auto at = all.bytes.begin();
  for (std::uint32_t l = 0; l < chains[0].levels; ++l)
    for (const golden::Image& chain : chains) {
      const auto first = chain.bytes.begin() + static_cast<std::ptrdiff_t>(chain.levelOffset(l));
      at = std::copy(first, first + static_cast<std::ptrdiff_t>(chain.levelBytes(l)), at);
    }
  return all;
}

Expected<std::vector<golden::Image>> expectCodes(const Case& c, const golden::Image& input) {
  golden::PyramidForm form;
  form.kernel = golden::PyramidKernel::k2x2;
  form.reduction = static_cast<golden::Reduction>(c.value(kReductionParameter));
  std::vector<golden::Image> chains;
  for (const golden::Image& base : basesOf(c, input)) {
    Expected<golden::Image> chain = golden::pyramid(form, base, pyramidLevels(c));
    if (!chain) return chain.error();
    chains.push_back(std::move(*chain));
  }
  return std::vector<golden::Image>{layered(chains)};
}

// Sizes as for the depth pyramids, and the two published failures at the edge, 128x32 and 128x1. Layers: 1, 2, and more than the six of the
// published counters. Parts: in one tile, in several, in the last one alone.
std::vector<CaseBlock> spdQuick(bool subgroups) {
  CaseBlock spread;
  spread.sizes = {{1, 1}, {2, 1}, {1, 3}, {3, 2}, {7, 5}, {64, 64}, {65, 63}, {128, 1}, {128, 32}, {1, 193}, {66, 131}, {257, 33}};
  spread.values = {{0, 1, 2}, {0}, {1}, {0}, {0}};
  spread.inputs = {"noise:1", "extremes:1", "ramp", "constant:255"};
  CaseBlock layers = spread;
  layers.sizes = {{3, 2}, {130, 66}};
  layers.values = {{0}, {0}, {2, 7}, {0, 1}, {0}};
  CaseBlock parts = spread;
  parts.sizes = {{1, 1}, {70, 3}, {200, 150}};
  parts.values = {{0, 2}, {0}, {1}, {1, 2}, {0}};
  // The last workgroup makes three tiles of level 6, one after another: along each axis.
  CaseBlock tail = forTheModel(spread);
  tail.sizes = {{8256, 3}, {3, 8256}};
  tail.values[0] = {0, 2};
  tail.inputs = {"noise:2"};
  // Two layers of several workgroups each, in any order.
  CaseBlock order = forTheModel(layers);
  order.sizes = {{129, 1}};
  order.values[3] = {0};
  std::vector<CaseBlock> blocks = {spread, layers, parts, tail, order};
  if (!subgroups) return blocks;
  CaseBlock widths = spread;
  widths.sizes = {{33, 65}, {130, 66}};
  widths.values[0] = {0};
  widths.subgroupSizes = {4, 8, 16, 64, 128};
  blocks.push_back(widths);
  return blocks;
}

Kernel row(const char* algorithm, const char* module, const char* summary, bool subgroups) {
  Kernel k;
  k.contract.name = "pyramid/mean2x2";
  k.name = k.contract.name + "/" + algorithm;
  k.module = module;
  k.summary = summary;
  k.promise = "(a + b + c + d + 2) >> 2 of the 2x2 below, or its least or greatest; an odd last row or column is dropped; exact";
  k.oracle = "mean-pyramid-" + std::to_string(golden::kMeanPyramidVersion);
  k.parameters = {{kReductionParameter, 0, 2, 0, {"mean", "min", "max"}},
                  levelsParameter(kLevelCounts),
                  {kLayersParameter, 1, 64, 1, {}},
                  {kRectParameter, 0, 2, 0, {"whole", "centre", "corner"}},
                  {kFormatParameter, 0, 0, 0, {"rgba8ui"}}};
  k.plan = planSpd;
  k.expect = expectCodes;
  k.quick = spdQuick(subgroups);
  k.slowToCompile = true;
  if (subgroups) k.leastSubgroup = 4;  // of a quad
  return k;
}

}  // namespace

std::vector<Kernel> spdKernels() {
  Kernel quads = row("spd-quads", "spd_exact_quads", "AMD's single pass, 2x2 texels meet by quad operations", true);
  Kernel memory = row("spd-memory", "spd_exact_memory", "AMD's single pass, 2x2 texels meet in workgroup memory", false);
  Kernel levels = row("multipass", "spd_exact_level", "a dispatch a level, one invocation a texel", false);
  levels.plan = planSpdLevels;
  levels.slowToCompile = false;
  return {quads, memory, levels};
}

}  // namespace lanewise
