// AMD's single-pass pyramid in floats, as it was published: {loads, a linear sampler} x {quads, workgroup memory} x {floats, packed
// halves}; and means in halves with fewer steps. Values stay unrounded inside a tile. Judged by the bound of
// golden/bounds/pyramid_bounds.h for means, exactly for minima and maxima, which no rounding touches.
#include <fmt/format.h>

#include <algorithm>

#include "golden/bounds/filter_bounds.h"
#include "golden/bounds/pyramid_bounds.h"
#include "golden/oracles/mean_pyramid.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/families.h"
#include "tools/catalogue/pyramid_parts.h"

namespace lanewise {
namespace {

using Module = std::shared_ptr<const ShaderModule>;
using Ranges = Expected<std::vector<golden::Bounds>>;

constexpr golden::LevelCount kFloatLevelCounts[] = {golden::LevelCount::kSpd};
constexpr std::uint32_t kTileLevels = 6;

// Six levels a tile, then the last workgroup's.
std::vector<std::uint32_t> scheduleOf(std::uint32_t levels) {
  std::vector<std::uint32_t> schedule;
  for (std::uint32_t left = levels - 1; left != 0; left -= schedule.back()) schedule.push_back(std::min(left, kTileLevels));
  return schedule;
}

// The values of "source": what the sampled picture holds.
golden::Component sourceOf(const Case& c) {
  constexpr golden::Component kComponents[] = {golden::Component::kU8, golden::Component::kF16, golden::Component::kF32};
  return kComponents[c.value(kSourceParameter)];
}

// `kBits` is the precision of the arithmetic and of what waits in workgroup memory.
template <int kBits, bool kLinear>
Ranges boundsOf(const Case& c, const golden::Image& input) {
  const auto reduction = static_cast<golden::Reduction>(c.value(kReductionParameter));
  const std::uint32_t levels = pyramidLevels(c);
  if (reduction == golden::Reduction::kMean) {
    golden::PyramidFloatForm form;
    form.kernel = golden::PyramidKernel::k2x2;
    form.bits = form.sharedBits = kBits;
    if (kLinear) {
      form.filtered = 1;
      form.filteredTexels = sourceOf(c);
      if (sourceOf(c) == golden::Component::kF16) form.loadError = 0x1p-11;
    }
    const Expected<golden::Bounds> bounds = golden::pyramidBounds(form, input, scheduleOf(levels));
    if (!bounds) return bounds.error();
    return std::vector<golden::Bounds>{*bounds};
  }
  const Expected<golden::Image> chain = golden::pyramid({golden::PyramidKernel::k2x2, reduction}, input, levels);
  if (!chain) return chain.error();
  return std::vector<golden::Bounds>{{*chain, *chain}};
}

Job planFloatCodes(const Case& c, Module module, const golden::Image& input) {
  Job job = findKernel("pyramid/mean2x2/spd-memory")->plan(c, std::move(module), input);
  for (Dispatch& d : job.dispatches) d.spec = {{3, c.value(kReductionParameter)}};
  return job;
}

// The source is sampled.
Job planLinear(const Case& c, Module module, const golden::Image& input) {
  Job job = planFloatCodes(c, std::move(module), input);
  for (Resource& r : job.resources) {
    if (r.name != "source") continue;
    const bool codes = sourceOf(c) == golden::Component::kU8;
    r = inputPicture("source", codes ? input : codesAsFloats(input, sourceOf(c), 255));
    if (codes) std::get<ImageData>(r.data).format = Format::R8G8B8A8_UNORM;
  }
  Binding& source = job.dispatches[0].bindings[0];
  source.viewFormat = Format::UNDEFINED;
  source.sampler.mag = source.sampler.min = Filter::kLinear;
  constexpr Reduction kReductions[] = {Reduction::kWeightedAverage, Reduction::kMin, Reduction::kMax};
  source.sampler.reduction = kReductions[c.value(kReductionParameter)];
  return job;
}

// spd_shuffles.comp: the size in constants, and level 6 also in a buffer.
Job planShuffles(const Case& c, Module module, const golden::Image& input) {
  Job job = planLinear(c, std::move(module), input);
  const std::uint32_t width = std::max(1u, c.size.width >> kTileLevels), height = std::max(1u, c.size.height >> kTileLevels);
  job.resources.push_back(undefinedBuffer("rows", std::size_t{16} * groupsFor(width, 4) * height));
  job.resources.back().output = false;
  Binding rows;
  rows.binding = 3;
  rows.resource = "rows";
  Dispatch& d = job.dispatches[0];
  d.bindings.push_back(std::move(rows));
  d.push.clear();
  d.spec = {{10, c.size.width}, {11, c.size.height}, {12, pyramidLevels(c)}, {13, d.groups.x * d.groups.y}};
  return job;
}

// The geometry is the exact forms'; the arithmetic is what is new. 64x64 has six levels, 130x66 and 1x193 more. lavapipe compiles these
// modules again for each picture, for seconds: it gets one or two.
std::vector<CaseBlock> quick(const Kernel& kernel, bool halves) {
  const bool linear = kernel.parameters.size() == 4;
  CaseBlock few;
  few.sizes = {{130, 66}, {7, 5}};
  if (halves) few.sizes.pop_back();
  few.values = {{0}, {0}, {0}};
  few.inputs = {"noise:1", "extremes:1", "constant:255"};
  CaseBlock spread = forTheModel(few);
  spread.sizes = {{1, 1}, {2, 1}, {7, 5}, {64, 64}, {130, 66}, {1, 193}};
  CaseBlock extremes = spread;
  extremes.sizes = {{130, 66}};
  extremes.values[0] = {1, 2};
  // The last workgroup continues, from level 6 and from level 12: on each axis, and with texels that no constant picture has.
  CaseBlock tail = forTheModel(few);
  tail.sizes = {{7, 5}, {66, 131}, {257, 33}, {8256, 3}, {3, 8256}};
  tail.inputs = {"noise:2"};
  if (!linear) return {few, spread, extremes, tail};
  CaseBlock sources = spread;
  sources.sizes = {{7, 5}, {130, 66}};
  for (CaseBlock* b : {&few, &spread, &extremes, &tail}) b->values.push_back({halves ? 1u : 2u});
  sources.values.push_back({0, 1});
  CaseBlock codes = few;
  codes.sizes = {{7, 5}};
  codes.values[3] = {0};
  return halves ? std::vector<CaseBlock>{few, spread, extremes, tail, sources}
                : std::vector<CaseBlock>{few, codes, spread, extremes, tail, sources};
}

// How invocations of a subgroup see each other's texels.
struct Through {
  const char *name, *summary;
  std::uint32_t leastSubgroup;
};
constexpr Through kThrough[] = {{"quads", "quad operations", 4}, {"memory", "workgroup memory", 1}};

template <int kBits, bool kLinear>
Kernel row(const Through& through) {
  const char* const reads = kLinear ? "linear" : "load";
  const char* const sums = kBits == 24 ? "f32" : "f16";
  Kernel k;
  k.contract.name = "pyramid/mean2x2-float";
  k.name = fmt::format("{}/spd-{}-{}-{}", k.contract.name, reads, through.name, sums);
  k.module = fmt::format("spd_{}_{}_{}", reads, through.name, sums);
  k.summary = fmt::format("AMD's single pass: {}, {}, {}", kLinear ? "a linear sampler" : "loads", through.summary,
                          kBits == 24 ? "32-bit floats" : "packed halves");
  k.promise = "2x2 means, unrounded inside a tile, 8 bits where stored; inside the proved bound of golden/bounds/pyramid_bounds.h";
  k.oracle = "pyramid-bounds-1";
  k.parameters = {
      {kReductionParameter, 0, 2, 0, {"mean", "min", "max"}}, levelsParameter(kFloatLevelCounts), {kFormatParameter, 0, 0, 0, {"rgba8"}}};
  if (kBits != 24) k.needs = "Float16";
  if (kLinear) {
    k.parameters[0].needs = "samplerFilterMinmax";
    k.parameters.push_back({kSourceParameter, 0, 2, 2, {"rgba8", "rgba16f", "rgba32f"}});
    k.subTexelBits = golden::kFilterWeightBits;
  }
  k.plan = kLinear ? planLinear : planFloatCodes;
  k.bounds = boundsOf<kBits, kLinear>;
  k.quick = quick(k, kBits != 24);
  k.slowToCompile = true;
  k.leastSubgroup = through.leastSubgroup;
  return k;
}

// Means alone. The last workgroup goes on in one subgroup (300x520, 520x300, 1500x20; none with 16 lanes), with all of them up to level 10
// (20x1500) and to levels 11 and 12 (2048x1, 8256x3, 3x8256), and in several tiles. The means of noise are all alike on high levels, those
// of a ramp and of large fields are not. 20x150, 48x300 and 66x131 have an axis that becomes 1 inside a tile.
Kernel shuffles() {
  Kernel k = row<11, true>({"shuffles", "exchanges in subgroups, few barriers", 16});
  k.parameters[0] = {kReductionParameter, 0, 0, 0, {"mean"}};
  k.plan = planShuffles;
  k.quick = quick(k, true);
  std::erase_if(k.quick, [](const CaseBlock& b) { return b.values[0] != std::vector<std::uint32_t>{0}; });
  CaseBlock ways = k.quick[1];
  ways.sizes = {{20, 150}, {48, 300}, {66, 131}, {300, 520}, {520, 300}, {1500, 20}, {20, 1500}, {2048, 1}};
  ways.subgroupSizes = {0, 16};
  ways.inputs = {"ramp", "checkerboard:64", "checkerboard:300"};
  ways.everyInput = true;
  CaseBlock last = ways;
  last.sizes = {{1500, 20}, {8256, 3}, {3, 8256}};
  last.subgroupSizes = {0, 64};
  last.inputs = {"checkerboard:700"};
  k.quick.push_back(std::move(ways));
  k.quick.push_back(std::move(last));
  return k;
}

}  // namespace

std::vector<Kernel> spdFloatKernels() {
  std::vector<Kernel> all;
  for (const Through& through : kThrough) {
    all.push_back(row<24, false>(through));
    all.push_back(row<24, true>(through));
    all.push_back(row<11, false>(through));
    all.push_back(row<11, true>(through));
  }
  all.push_back(shuffles());
  return all;
}

}  // namespace lanewise
