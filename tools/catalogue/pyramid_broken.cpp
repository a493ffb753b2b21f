// The known-bad pyramids: the published defects of the pipelines and their host side, each in a small kernel or a small plan.
#include <bit>

#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/energy_parts.h"
#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

using Module = std::shared_ptr<const ShaderModule>;

bool isEven(Size size) {
  return size.width % 2 == 0 && size.height % 2 == 0;
}

// The small kernels below make pyramids of one shape. Any other is made as it should be, so that nothing but the defect is wrong.
Job rightJob(const Case& c, const golden::Image& input) {
  const Kernel& right = *findKernel("pyramid/energy/one-level");
  return right.plan(c, kernelModule(right), input);
}

// Three levels of whole tiles of 8x8, a group four tiles.
template <bool kAnySize>
Job planTiles(const Case& c, Module module, const golden::Image& input) {
  if (energyLevels(c) != 4 || c.size.width % 8 != 0 || c.size.height % 8 != 0) return rightJob(c, input);
  Job job = energyFrame(c, input);
  const PyramidStep step{true, 0, 3, c.size};
  job.dispatches.push_back(energyDispatch(c, std::move(module), step, {}));
  job.dispatches.back().groups = {groupsFor(c.size.width / 8 * (c.size.height / 8), 4), 1, 1};
  job.dispatches.back().spec.push_back({3, kAnySize ? 1u : 0u});
  return job;
}

// Two levels along one axis.
Job planSharedColumn(const Case& c, Module module, const golden::Image& input) {
  if (energyLevels(c) != 3 || c.size.height != 1) return rightJob(c, input);
  Job job = energyFrame(c, input);
  const PyramidStep step{false, 0, 2, c.size};
  job.dispatches = {energyDispatch(c, std::move(module), step, {})};
  return job;
}

// All levels of a line as one buffer.
Job planCountsDown(const Case& c, Module module, const golden::Image& input) {
  if (c.value(kReductionParameter) != kMean || c.value(kLevelsParameter) != 0 || c.size.height != 1 || !std::has_single_bit(c.size.width))
    return rightJob(c, input);
  const std::uint32_t levels = energyLevels(c);
  Job job;
  job.resources = {undefinedBuffer("chain", pyramidImage("", Format::R8G8B8A8_UINT, input, levels).bytes().size())};
  std::copy(input.bytes.begin(), input.bytes.end(), job.resources[0].bytes().begin());
  job.resources[0].undefined = false;
  job.resources[0].output = true;
  job.subgroupSize = c.subgroupSize;
  job.limits.maxSteps = 100000;
  job.limits.timeoutSeconds = 2;
  Dispatch d;
  d.module = std::move(module);
  d.push = pushWords({c.size.width, levels - 1});
  d.bindings.resize(1);
  d.bindings[0].resource = "chain";
  job.dispatches = {std::move(d)};
  return job;
}

// One level, a group a texel, all along x.
Job planOneAxis(const Case& c, Module module, const golden::Image& input) {
  if (energyLevels(c) != 2 || !isEven(c.size)) return rightJob(c, input);
  Job job = energyFrame(c, input);
  const PyramidStep step{false, 0, 1, c.size};
  job.dispatches = {energyDispatch(c, std::move(module), step, {})};
  job.dispatches[0].groups = {c.size.width / 2 * (c.size.height / 2), 1, 1};
  return job;
}

// One level along one axis, an invocation a texel.
Job planZeroWeight(const Case& c, Module module, const golden::Image& input) {
  if (energyLevels(c) != 2 || c.size.height != 1) return rightJob(c, input);
  Job job = energyFrame(c, input);
  const PyramidStep step{false, 0, 1, c.size};
  job.dispatches = {energyDispatch(c, std::move(module), step, {})};
  job.dispatches[0].groups = {groupsFor(c.size.width / 2, 64), 1, 1};
  return job;
}

// One level by filtered samples of the base, seen as UNORM.
Job planFiltered(const Case& c, Module module, const golden::Image& input) {
  if (energyLevels(c) != 2 || !isEven(c.size)) return rightJob(c, input);
  Job job = energyFrame(c, input);
  const PyramidStep step{false, 0, 1, c.size};
  job.dispatches = {energyDispatch(c, std::move(module), step, {})};
  job.dispatches[0].groups = {groupsFor(c.size.width / 2, 64), c.size.height / 2, 1};
  Binding base;
  base.binding = 3;
  base.resource = "pyramid";
  base.levelCount = 1;
  base.viewFormat = Format::R8G8B8A8_UNORM;
  base.sampler.mag = base.sampler.min = Filter::kLinear;
  job.dispatches[0].bindings.push_back(std::move(base));
  return job;
}

using MakeJob = Job (*)(const Case&, Module, const golden::Image&);

// Its quick set: cases of a size, a number of levels and an input each.
struct Point {
  Size size;
  std::uint32_t levels;
  const char* input;
};

Kernel broken(const char* name, const char* module, const char* summary, MakeJob plan, const std::vector<Point>& points) {
  Kernel k = energyKernel("", module, summary, plan);
  k.name = std::string("broken/") + name;
  for (const Point& p : points) {
    CaseBlock b;
    b.sizes = {p.size};
    b.values = {{kMean}, {p.levels}, {0}};
    b.inputs = {p.input};
    k.quick.push_back(std::move(b));
  }
  return k;
}

}  // namespace

std::vector<Kernel> brokenPyramidKernels() {
  const char* tiles = "broken/pyramid_tile_by_shuffles";
  Kernel small = broken("pyramid-small-subgroups", tiles, "shuffles by 4, 8 and 12 in subgroups of any size (N1)", planTiles<true>,
                        {{{8, 8}, 4, "noise:1"}});
  small.quick[0].subgroupSizes = {8, 16};
  small.defects = {{.id = "N1",
                    .point = "8x8 levels=4 input=noise:1 subgroup=8",
                    .text = "texel (0, 0) of level 3: 121 expected, 71 got (channel r)",
                    .nearMiss = "8x8 levels=4 input=noise:1 subgroup=16"}};
  Kernel mapping = broken("pyramid-lane-mapping", tiles, "the place by the local index, who stores by the lane (N2)", planTiles<false>,
                          {{{8, 8}, 4, "noise:1"}});
  mapping.quick[0].subgroupSizes = {16};
  mapping.defects = {{.id = "N2",
                      .point = "8x8 levels=4 input=noise:1 subgroup=16",
                      .text = "texel (0, 0) of level 2: 163 expected, 97 got (channel r)",
                      .nearMiss = "8x8 levels=4 input=noise:1 subgroup=64",
                      .profile = "adverse"}};
  Kernel shared = broken("pyramid-shared-column", "broken/pyramid_shared_column", "two groups write the texel between their tiles (N3)",
                         planSharedColumn, {{{38, 1}, 3, "noise:1"}, {{36, 1}, 3, "noise:1"}});
  shared.defects = {{.id = "N3",
                     .point = "38x1 levels=3 input=noise:1",
                     .shows = Defect::Shows::kFinding,
                     .text = "data race of equal values: OpImageWrite of 'levels[1][16,0]', level 1",
                     .nearMiss = "36x1 levels=3 input=noise:1"}};
  Kernel counts = broken("pyramid-counts-down", "broken/pyramid_counts_down", "counts the levels down past zero: a loop without end (N4)",
                         planCountsDown, {{{1, 1}, 0, "noise:1"}, {{8, 1}, 0, "noise:1"}});
  counts.defects = {{.id = "N4",
                     .point = "1x1 input=noise:1",
                     .shows = Defect::Shows::kError,
                     .text = "the step limit of 100000 was reached in the loop of broken/pyramid_counts_down.comp:24",
                     .nearMiss = "8x1 input=noise:1"}};
  Kernel axis = broken("pyramid-one-axis", "broken/pyramid_one_axis", "more groups along x than every device takes (N5)", planOneAxis,
                       {{{512, 512}, 2, "noise:1"}, {{510, 512}, 2, "noise:1"}});
  axis.defects = {{.id = "N5",
                   .point = "512x512 levels=2 input=noise:1",
                   .shows = Defect::Shows::kError,
                   .text = "65536 workgroups on axis x are above the limit of 65535",
                   .nearMiss = "510x512 levels=2 input=noise:1",
                   .profile = "lavapipe"}};
  Kernel zero = broken("pyramid-zero-weight", "broken/pyramid_zero_weight", "a third tap of weight 0 beside an unbounded light (N7)",
                       planZeroWeight, {{{2, 1}, 2, "constant:255"}, {{2, 1}, 2, "list:254,0"}});
  zero.defects = {{.id = "N7",
                   .point = "2x1 levels=2 input=constant:255",
                   .text = "texel 0 of level 1: 255 expected, 0 got (channel r)",
                   .nearMiss = "3x1 levels=2 input=constant:255"}};
  Kernel filtered = broken("pyramid-filtered", "broken/pyramid_filtered", "2x2 texels by one filtered sample at a rounded place (N6)",
                           planFiltered, {{{6, 2}, 2, "noise:2"}, {{8, 2}, 2, "noise:2"}, {{44, 2}, 2, "noise:1"}});
  filtered.defects = {{.id = "N6",
                       .point = "6x2 levels=2 input=noise:2",
                       .text = "texel (0, 0) of level 1: 136 expected, 137 got (channel g)",
                       .nearMiss = "8x2 levels=2 input=noise:2",
                       .profile = "adverse"},
                      {.id = "N6",
                       .point = "44x2 levels=2 input=noise:1",
                       .text = "texel (6, 0) of level 1: 184 expected, 183 got (channel g)",
                       .nearMiss = "40x2 levels=2 input=noise:1",
                       .profile = "strict,cutWeights=yes"}};
  return {small, mapping, shared, counts, axis, zero, filtered};
}

}  // namespace lanewise
