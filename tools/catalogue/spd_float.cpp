// AMD's single-pass pyramid in floats, as it was published: values stay unrounded inside a tile. Judged by the bound of
// golden/pyramid_bounds.h for means, exactly for minima and maxima, which no rounding touches.
#include "golden/mean_pyramid.h"
#include "golden/pyramid_bounds.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/families.h"
#include "tools/catalogue/pyramid_parts.h"

namespace lanewise {
namespace {

using Module = std::shared_ptr<const ShaderModule>;
using Ranges = Expected<std::vector<golden::Bounds>>;

constexpr golden::LevelCount kLevelCounts[] = {golden::LevelCount::kSpd};
constexpr std::uint32_t kTileLevels = 6;

// Six levels a tile, then the last workgroup's.
std::vector<std::uint32_t> scheduleOf(std::uint32_t levels) {
  std::vector<std::uint32_t> schedule;
  for (std::uint32_t left = levels - 1; left != 0; left -= schedule.back()) schedule.push_back(std::min(left, kTileLevels));
  return schedule;
}

// `kBits` is the precision of the arithmetic and of what waits in workgroup memory.
template <int kBits>
Ranges boundsOf(const Case& c, const golden::Image& input) {
  const auto reduction = static_cast<golden::Reduction>(c.value("reduction"));
  const std::uint32_t levels = pyramidLevels(c);
  if (reduction == golden::Reduction::kMean) {
    golden::PyramidFloatForm form;
    form.kernel = golden::PyramidKernel::k2x2;
    form.bits = form.sharedBits = kBits;
    const Expected<golden::Bounds> bounds = golden::pyramidBounds(form, input, scheduleOf(levels));
    if (!bounds) return bounds.error();
    return std::vector<golden::Bounds>{*bounds};
  }
  const Expected<golden::Image> chain = golden::pyramid({golden::PyramidKernel::k2x2, reduction}, input, levels);
  if (!chain) return chain.error();
  return std::vector<golden::Bounds>{{*chain, *chain}};
}

Job planCodes(const Case& c, Module module, const golden::Image& input) {
  return findKernel("pyramid/mean2x2/spd-memory")->plan(c, std::move(module), input);
}

struct Row {
  const char* algorithm;
  const char* module;
  const char* summary;
  Ranges (*bounds)(const Case&, const golden::Image&);
};

const Row kRows[] = {
    {"spd-load-quads-f32", "spd_load_quads_f32", "loads, quad operations, 32-bit floats", boundsOf<24>},
    {"spd-load-memory-f32", "spd_load_memory_f32", "loads, workgroup memory, 32-bit floats", boundsOf<24>},
};

// Fewer points than the exact forms: the geometry is theirs, the arithmetic is what is new. 64x64 has six levels, the others more.
std::vector<Block> quick() {
  Block spread;
  spread.sizes = {{1, 1}, {2, 1}, {7, 5}, {64, 64}, {130, 66}, {1, 193}};
  spread.values = {{0}, {0}, {0}};
  spread.inputs = {"noise:1", "extremes:1", "constant:255"};
  Block extremes = spread;
  extremes.sizes = {{130, 66}};
  extremes.values[0] = {1, 2};
  // The last workgroup continues, from level 6 and from level 12: on each axis, and with texels that no constant picture has.
  Block tail = spread;
  tail.sizes = {{66, 131}, {257, 33}, {8256, 3}, {3, 8256}};
  tail.inputs = {"noise:2"};
  return {spread, extremes, tail};
}

}  // namespace

std::vector<Kernel> spdFloatKernels() {
  std::vector<Kernel> all;
  for (const Row& row : kRows) {
    Kernel k;
    k.contract.name = "pyramid/mean2x2-float";
    k.name = k.contract.name + "/" + row.algorithm;
    k.module = row.module;
    k.summary = std::string("AMD's single pass: ") + row.summary;
    k.promise = "2x2 means, unrounded inside a tile, 8 bits where stored; inside the proved bound of golden/pyramid_bounds.h";
    k.oracle = "pyramid-bounds-1";
    k.parameters = {{"reduction", 0, 2, 0, {"mean", "min", "max"}}, levelsParameter(kLevelCounts), {"format", 0, 0, 0, {"rgba8"}}};
    k.plan = planCodes;
    k.bounds = row.bounds;
    k.quick = quick();
    all.push_back(std::move(k));
  }
  return all;
}

}  // namespace lanewise
