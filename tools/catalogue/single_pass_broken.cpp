// The known-bad pyramids: the published defects S1 to S8 and S10 of the depth pyramid, A1 to A5 and A7 to A12 of AMD's and N8 of the hybrid
// one, each in a kernel or a dispatch that is otherwise right, with the smallest case that shows it. Those that no order of
// execution shows are data races, which findings show.
#include <algorithm>
#include <utility>

#include "golden/oracles/levels.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/families.h"
#include "tools/catalogue/pyramid_parts.h"

namespace lanewise {
namespace {

using Module = std::shared_ptr<const ShaderModule>;
using Shows = Defect::Shows;

Job planDepth(const Case& c, Module module, const golden::Image& input) {
  return findKernel("depth/floor/spd")->plan(c, std::move(module), input);
}

Job planCodes(const Case& c, Module module, const golden::Image& input) {
  return findKernel("pyramid/mean2x2/spd-memory")->plan(c, std::move(module), input);
}

// `kPlan` with one of the defects of shaders/broken/depth_single_pass.comp or spd_synchronization.comp.
template <auto kPlan, std::uint32_t kDefect>
Job planDefect(const Case& c, Module module, const golden::Image& input) {
  Job job = kPlan(c, std::move(module), input);
  job.dispatches[0].spec = {{4, kDefect}};
  return job;
}

// S6: as many levels as ceil(log2) counts, where all were asked for.
Job planFewLevels(const Case& c, Module module, const golden::Image& input) {
  Job job = planDepth(c, std::move(module), input);
  const std::uint32_t counted = golden::levelCount({c.size.width, c.size.height}, golden::LevelCount::kCeil);
  std::memcpy(job.dispatches[0].push.data() + 8, &counted, sizeof counted);
  return job;
}

// S10: the kernel is given one workgroup more than are dispatched: none is the last.
Job planCounter(const Case& c, Module module, const golden::Image& input) {
  Job job = planDepth(c, std::move(module), input);
  const std::uint32_t groups = job.dispatches[0].groups.x * job.dispatches[0].groups.y + 1;
  std::memcpy(job.dispatches[0].push.data() + 12, &groups, sizeof groups);
  return job;
}

Resource& countersOf(Job& job) {
  return *std::ranges::find(job.resources, "counters", &Resource::name);
}

// S10: the counter starts at 1, as a run that was cut short has left it.
Job planCounterStart(const Case& c, Module module, const golden::Image& input) {
  Job job = planDepth(c, std::move(module), input);
  countersOf(job).bytes()[0] = std::byte{1};
  return job;
}

// S8: level 1 is bound to two variables. For three levels; any others are made as they should be.
Job planReference(const Case& c, Module module, const golden::Image& input) {
  if (pyramidLevels(c) != 3 || c.size.width != c.size.height) return planDepth(c, moduleNamed("depth_spd"), input);
  const auto part = [](std::uint32_t binding, std::uint32_t level) {
    Binding b;
    b.binding = binding;
    b.resource = "pyramid";
    b.baseLevel = level;
    b.levelCount = 1;
    return b;
  };
  Job job;
  job.resources = {pyramidOn("pyramid", Format::R32_SFLOAT, {&input, 1}, 3)};
  Dispatch d;
  d.module = std::move(module);
  d.push = pushWords({c.size.width, c.size.height, c.value(kReductionParameter)});
  d.bindings = {part(0, 0), part(1, 1), part(2, 1), part(3, 2)};
  job.dispatches = {std::move(d)};
  return job;
}

// A5: the host clears a copy of the counters, and the buffer keeps what it held.
Job planUnclearedCounters(const Case& c, Module module, const golden::Image& input) {
  Job job = planCodes(c, std::move(module), input);
  std::ranges::fill(countersOf(job).bytes(), std::byte{0xa7});
  return job;
}

// A9: the number of workgroups times the layers, although each layer has a counter.
Job planGroupsOfAllLayers(const Case& c, Module module, const golden::Image& input) {
  Job job = planCodes(c, std::move(module), input);
  for (Dispatch& d : job.dispatches) {
    const std::uint32_t groups = d.groups.x * d.groups.y * d.groups.z;
    std::memcpy(d.push.data() + 12, &groups, sizeof groups);
  }
  return job;
}

// A10: counters for six layers.
Job planSixCounters(const Case& c, Module module, const golden::Image& input) {
  Job job = planCodes(c, std::move(module), input);
  std::vector<std::byte>& counters = countersOf(job).bytes();
  counters.resize(std::min<std::size_t>(counters.size(), 6 * sizeof(std::uint32_t)));
  return job;
}

// A11: only level 1 is made in linear light.
Job planEncodedMeans(const Case& c, Module module, const golden::Image& input) {
  Job job = findKernel("pyramid/energy/one-level")->plan(c, std::move(module), input);
  for (std::size_t i = 1; i < job.dispatches.size(); ++i)
    for (SpecConstant& s : job.dispatches[i].spec)
      if (s.id == 1) s.value = 0;  // kSrgb
  return job;
}

// A7: groups for size >> level, which is 0 for an axis of 1.
Job planNoGroups(const Case& c, Module module, const golden::Image& input) {
  Job job = findKernel("pyramid/mean2x2/multipass")->plan(c, std::move(module), input);
  for (std::uint32_t l = 1; l <= job.dispatches.size(); ++l) {
    job.dispatches[l - 1].groups.x = groupsFor(c.size.width >> l, 8);
    job.dispatches[l - 1].groups.y = groupsFor(c.size.height >> l, 8);
  }
  return job;
}

// A1: one dispatch a level, of a kernel that reads zeros outside.
Job planZeroEdge(const Case& c, Module module, const golden::Image& input) {
  return findKernel("pyramid/mean2x2/multipass")->plan(c, std::move(module), input);
}

// A8: the second run makes as many levels as the part has that changed (the part "corner" is one texel).
Job planFewForPart(const Case& c, Module module, const golden::Image& input) {
  Job job = planCodes(c, std::move(module), input);
  const std::uint32_t levels = 1;
  std::memcpy(job.dispatches.back().push.data() + 8, &levels, sizeof levels);
  return job;
}

// N8: the sampler filters between levels and sees those that are written; what these held before is no number where they hold floats.
Job planTrilinear(const Case& c, Module module, const golden::Image& input) {
  Job job = findKernel("pyramid/energy-float/nvpro-hybrid-bilinear")->plan(c, std::move(module), input);
  std::fill(job.resources[0].bytes().begin() + static_cast<std::ptrdiff_t>(input.bytes.size()), job.resources[0].bytes().end(),
            std::byte{0xff});
  for (Dispatch& d : job.dispatches)
    for (Binding& b : d.bindings) {
      if (b.binding != 1) continue;
      b.levelCount = 0;
      b.sampler.mip = Filter::kLinear;
    }
  return job;
}

// One kernel, known to be wrong: what it should have been, and where it is not.
struct DefectRow {
  const char* name;   // without broken/
  const char* model;  // the kernel whose contract and parameters it claims
  const char* module;
  const char* summary;
  Job (*plan)(const Case&, Module, const golden::Image&);
  Defect defect;
  std::uint32_t largestSide = 16384;
};

const DefectRow kDefectRows[] = {
    {"depth-overwrite",
     "depth/floor/spd",
     "broken/depth_single_pass",
     "workgroup memory is overwritten while others still read it (S1)",
     planDefect<planDepth, 1>,
     {.id = "S1",
      .point = "4x4 input=impulse:2,0",
      .text = "texel (0, 0) of level 2: 1 (0x3f800000) expected, 0 (0x00000000) got",
      .nearMiss = "3x3 input=noise:1",
      .schedule = "lanes-reverse"},
     511},
    {"depth-dropped",
     "depth/conservative/spd",
     "depth_spd",
     "odd rows and columns are dropped, so a lookup misses what they held (S2)",
     planDepth,
     {.id = "S2",
      .point = "2x3 input=impulse:0,2",
      .text = "texel (0, 0) of level 1: 1 (0x3f800000) expected, 0 (0x00000000) got",
      .nearMiss = "2x2 input=impulse:0,1"}},
    {"depth-vanished",
     "depth/floor/spd",
     "broken/depth_single_pass",
     "a level whose other axis has shrunk to 0 is never written (S3)",
     planDefect<planDepth, 2>,
     {.id = "S3",
      .point = "1x2 input=constant:0.5",
      .text = "texel (0, 0) of level 1: 0.5 (0x3f000000) expected, -4.653358e-15 (0xa7a7a7a7) got, looks never written",
      .nearMiss = "2x2 input=noise:1"},
     511},
    {"depth-vanished-tail",
     "depth/floor/spd",
     "broken/depth_single_pass",
     "... and the last workgroup reads it all the same (S4)",
     planDefect<planDepth, 2>,
     {.id = "S4",
      .point = "129x1 input=constant:0.5",
      .shows = Shows::kFinding,
      .text = "uninitialised read: OpImageRead of 'levels[6][0,0]', level 6",
      .nearMiss = "128x128 input=noise:1"},
     511},
    {"depth-beyond",
     "depth/floor/spd",
     "broken/depth_single_pass",
     "levels 1 to 6 are written although the pyramid ends before; what is bound there is its last level (S5)",
     planDefect<planDepth, 3>,
     {.id = "S5",
      .point = "2x2 levels=ceil input=list:0,0.25,0.5,1",
      .text = "texel (0, 0): 0 (0x00000000) expected, 1 (0x3f800000) got",
      .nearMiss = "64x64 levels=full input=noise:1"},
     511},
    {"depth-level-count",
     "depth/floor/spd",
     "depth_spd",
     "ceil(log2) levels: a power of two does not get its 1x1 (S6)",
     planFewLevels,
     {.id = "S6",
      .point = "2x2 input=constant:0.5",
      .text = "texel (0, 0) of level 1: 0.5 (0x3f000000) expected, -4.653358e-15 (0xa7a7a7a7) got, looks never written",
      .nearMiss = "3x3 input=noise:1"}},
    {"depth-relaxed",
     "depth/floor/spd",
     "broken/depth_single_pass",
     "the counter orders nothing between workgroups (S7)",
     planDefect<planDepth, 4>,
     {.id = "S7", .point = "128x64 input=noise:1", .shows = Shows::kFinding, .text = "data race: OpImageRead of 'levels[6][0,0]', level 6"},
     511},
    {"depth-reference",
     "depth/floor/spd",
     "broken/depth_reference",
     "a level is read through another variable than it was written, with no barrier (S8)",
     planReference,
     {.id = "S8", .point = "4x4 input=noise:1", .shows = Shows::kFinding, .text = "aliased bindings: OpImageRead of 'firstAgain[0,0]'"}},
    {"depth-counter",
     "depth/floor/spd",
     "depth_spd",
     "the counter and the number of workgroups disagree: nobody is the last (S10)",
     planCounter,
     {.id = "S10",
      .point = "128x1 input=impulse:127,0",
      .text = "texel 0 of level 7: 1 (0x3f800000) expected, -4.653358e-15 (0xa7a7a7a7) got, looks never written",
      .nearMiss = "64x64 input=noise:1"}},
    {"depth-counter-start",
     "depth/floor/spd",
     "depth_spd",
     "the counter does not start at 0: the wrong workgroup is the last (S10)",
     planCounterStart,
     {.id = "S10",
      .point = "128x1 input=impulse:127,0",
      .text = "texel 0 of level 7: 1 (0x3f800000) expected, 0 (0x00000000) got",
      .nearMiss = "64x64 input=noise:1"}},
    {"spd-zero-edge",
     "pyramid/mean2x2/multipass",
     "broken/spd_zero_edge",
     "what lies outside reads as zero (A1)",
     planZeroEdge,
     {.id = "A1",
      .point = "2x1 input=constant:255",
      .text = "texel 0 of level 1: 255 expected, 128 got (channel r)",
      .nearMiss = "3x3 input=constant:255"}},
    {"spd-one-tile",
     "pyramid/mean2x2/spd-memory",
     "broken/spd_synchronization",
     "the last workgroup takes 64x64 texels of level 6 and leaves the rest (A2)",
     planDefect<planCodes, 1>,
     {.id = "A2",
      .point = "4224x1 input=constant:255",
      .text = "texel 32 of level 7: 255 expected, 167 got (channel r), looks never written",
      .nearMiss = "4096x1 input=noise:1"}},
    {"spd-barrier",
     "pyramid/mean2x2/spd-memory",
     "broken/spd_synchronization",
     "the last workgroup's barriers do not order the pictures (A3)",
     planDefect<planCodes, 2>,
     {.id = "A3",
      .point = "256x64 input=noise:1",  // an invocation reads that is not the one that took the counter
      .shows = Shows::kFinding,
      .text = "data race: OpImageRead of 'levels[6][2,0]', level 6"}},
    {"spd-relaxed",
     "pyramid/mean2x2/spd-memory",
     "broken/spd_synchronization",
     "the counter orders nothing between workgroups (A4)",
     planDefect<planCodes, 3>,
     {.id = "A4",
      .point = "128x64 input=noise:1",
      .shows = Shows::kFinding,
      .text = "data race: OpImageRead of 'levels[6][0,0]', level 6"}},
    {"spd-counter-start",
     "pyramid/mean2x2/spd-memory",
     "spd_exact_memory",
     "the counters are not cleared: nobody is the last (A5)",
     planUnclearedCounters,
     {.id = "A5",
      .point = "128x1 input=constant:255",
      .text = "texel 0 of level 7: 255 expected, 167 got (channel r), looks never written",
      .nearMiss = "64x64 input=noise:1"}},
    {"spd-groups-of-all-layers",
     "pyramid/mean2x2/spd-memory",
     "spd_exact_memory",
     "the number of workgroups counts those of every layer: nobody is the last (A9)",
     planGroupsOfAllLayers,
     {.id = "A9",
      .point = "128x1 layers=2 input=constant:255",
      .text = "texel 508: 255 expected, 167 got (channel r), looks never written",
      .nearMiss = "128x1 layers=1 input=noise:1"}},
    {"spd-six-counters",
     "pyramid/mean2x2/spd-memory",
     "spd_exact_memory",
     "counters for six layers (A10)",
     planSixCounters,
     {.id = "A10",
      .point = "128x1 layers=7 input=noise:1",
      .shows = Shows::kFinding,
      .text = "out of range (buffer)",
      .nearMiss = "128x1 layers=6 input=noise:1"}},
    {"pyramid-encoded-means",
     "pyramid/energy/one-level",
     "pyramid_general",
     "level 1 is made in linear light, the others from its codes (A11)",
     planEncodedMeans,
     {.id = "A11",
      .point = "4x1 format=srgb8 input=list:255,255,0,0",
      .text = "texel 0 of level 2: 188 expected, 128 got (channel r)",
      .nearMiss = "2x1 format=srgb8 input=list:255,0"}},
    {"spd-no-groups",
     "pyramid/mean2x2/multipass",
     "spd_exact_level",
     "an axis of 1 gets no workgroups (A7)",
     planNoGroups,
     {.id = "A7",
      .point = "2x1 input=constant:255",
      .text = "texel 0 of level 1: 255 expected, 167 got (channel r), looks never written",
      .nearMiss = "3x2 input=noise:1"}},
    {"spd-part-levels",
     "pyramid/mean2x2/spd-memory",
     "spd_exact_memory",
     "levels are counted from the part that changed, those above stay as they were (A8)",
     planFewForPart,
     {.id = "A8",
      .point = "2x1 rect=corner input=constant:255",
      .text = "texel 0 of level 1: 255 expected, 128 got (channel r)",
      .nearMiss = "1x1 rect=corner input=noise:1"}},
    {"pyramid-trilinear",
     "pyramid/energy-float/nvpro-hybrid-bilinear",
     "pyramid_float_fast_r32f_bilinear",
     "the sampler filters between levels: 0 times what the next level held before (N8)",
     planTrilinear,
     {.id = "N8",
      .point = "4x4 levels=2 format=r32f input=constant:0.5",
      .text = "texel (0, 0) of level 1: 0.49999925 (0x3effffe7) to 0.5000008 (0x3f00000d) expected, nan (0x7fc00000) got",
      .nearMiss = "4x4 levels=2 format=rgba8ui input=constant:128",
      .profile = "adverse"}},
    {"spd-lanes",
     "pyramid/mean2x2/spd-quads",
     "broken/spd_lanes",
     "quads are taken to follow gl_LocalInvocationIndex (A12)",
     planCodes,
     {.id = "A12",
      .point = "8x8 input=noise:1",
      .text = "texel (0, 0) of level 2: 163 expected, 76 got (channel r)",
      .nearMiss = "8x8 input=constant:7",
      .profile = "adverse"}},
};

}  // namespace

void addBrokenSinglePass(std::vector<Kernel>& all) {
  std::vector<Kernel> broken;
  for (const DefectRow& row : kDefectRows)
    for (const Kernel& k : all) {
      if (k.name != row.model) continue;
      Kernel bad = k;
      bad.name = std::string("broken/") + row.name;
      bad.module = row.module;
      bad.summary = row.summary;
      bad.plan = row.plan;
      bad.largestSide = row.largestSide;
      bad.defects = {row.defect};
      bad.quick.clear();  // the points of its row
      broken.push_back(std::move(bad));
    }
  std::move(broken.begin(), broken.end(), std::back_inserter(all));
}

}  // namespace lanewise
