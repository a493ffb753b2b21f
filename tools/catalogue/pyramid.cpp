// The exact energy pyramids (docs/contracts.md, 6): two pipelines and a scheduler that picks between them, and the alternatives it is
// measured against. Every level is rounded to 8 bits, so all algorithms give the same bytes.
#include <fmt/format.h>

#include "golden/image/inputs.h"
#include "golden/oracles/levels.h"
#include "golden/oracles/mean_pyramid.h"
#include "golden/oracles/pyramid_traffic.h"
#include "tools/catalogue/cascade.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/energy_parts.h"
#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

using Images = Expected<std::vector<golden::Image>>;
using Module = std::shared_ptr<const ShaderModule>;

constexpr PyramidRules kHybrid{};
constexpr PyramidRules kGeneral{.fastMost = 0};
constexpr PyramidRules kOneLevel{.fastLeast = 1, .fastMost = 1, .generalMost = 1};
constexpr PyramidRules kUpToThree{.fastLeast = 1, .fastMost = 3};
constexpr PyramidRules kUpToFive{.fastLeast = 1, .fastMost = 5};
constexpr PyramidRules kUpToSix{.fastLeast = 1};
constexpr PyramidRules kWide{.fastLeast = 1, .fastLocal = 1024};

using MakeJob = Job (*)(const Case&, Module, const golden::Image&);

golden::PyramidForm formOf(const Case& c) {
  golden::PyramidForm form;
  const std::uint32_t reduction = c.value(kReductionParameter);
  form.reduction = reduction == kMin ? golden::Reduction::kMin : reduction == kMax ? golden::Reduction::kMax : golden::Reduction::kMean;
  form.premultiply = reduction == kPremultiplied;
  form.encoding = c.value(kFormatParameter) == 1 ? golden::Encoding::kSrgb : golden::Encoding::kLinear;
  return form;
}

// The two tables of the sRGB curve, as the kernels bind them.
Resource curveBuffer() {
  Resource r;
  r.name = "curve";
  BufferData data;
  data.bytes.resize(sizeof golden::kSrgbDecode + sizeof golden::kSrgbThreshold);
  std::memcpy(data.bytes.data(), golden::kSrgbDecode, sizeof golden::kSrgbDecode);
  std::memcpy(data.bytes.data() + sizeof golden::kSrgbDecode, golden::kSrgbThreshold, sizeof golden::kSrgbThreshold);
  r.data = std::move(data);
  return r;
}

Dispatch premultiplyDispatch(const Case& c) {
  Dispatch d;
  d.module = moduleNamed("pyramid_premultiply");
  d.groups = {groupsFor(c.size.width, 16), groupsFor(c.size.height, 16), 1};
  d.push = pushWords({c.size.width, c.size.height});
  d.bindings.resize(1);
  d.bindings[0].resource = "pyramid";
  d.bindings[0].levelCount = 1;
  return d;
}

template <const PyramidRules& kRules>
Job planEnergy(const Case& c, Module module, const golden::Image& input) {
  return energyJob(c, std::move(module), input, kRules);
}

Job planCascade(const Case& c, Module module, const golden::Image& input) {
  Job job = energyFrame(c, input);
  const std::uint32_t reduction = c.value(kReductionParameter);
  addCascade(job, c, module, "pyramid", energyLevels(c),
             {.borders = true, .copies = false, .constants = {{0, reduction == kPremultiplied ? kMean : reduction}}});
  return job;
}

Images expectEnergy(const Case& c, const golden::Image& input) {
  Expected<golden::Image> chain = golden::pyramid(formOf(c), input, energyLevels(c));
  if (!chain) return chain.error();
  return std::vector<golden::Image>{std::move(*chain)};
}

// A dispatch that reads the base and writes every level, with kCopy the base's copy too, without a dependency.
template <bool kCopy>
Job planTraffic(const Case& c, Module module, const golden::Image& input) {
  constexpr std::uint32_t kViews = 16, kTileSide = 64;
  const std::uint32_t levels = energyLevels(c);
  Job job;
  if (kCopy) {
    job.resources = {inputPicture("source", input),
                     undefinedImage("pyramid", Format::R8G8B8A8_UINT, {c.size.width, c.size.height, 1}, levels)};
  } else {
    job.resources = {pyramidImage("pyramid", Format::R8G8B8A8_UINT, input, levels)};
  }
  job.subgroupSize = c.subgroupSize;
  Dispatch d;
  d.module = std::move(module);
  d.groups = {groupsFor(c.size.width, kTileSide), groupsFor(c.size.height, kTileSide), 1};
  d.push = pushWords({c.size.width, c.size.height, levels});
  for (std::uint32_t i = 0; i < kViews; ++i) {
    Binding b;
    b.element = i;
    b.resource = "pyramid";
    b.baseLevel = std::min(i, levels - 1);
    b.levelCount = 1;
    b.viewFormat = Format::R32_UINT;
    d.bindings.push_back(std::move(b));
  }
  d.bindings.push_back(d.bindings[0]);
  d.bindings.back().binding = 1;
  d.bindings.back().resource = kCopy ? "source" : "pyramid";
  d.spec = {{0, kCopy ? 1u : 0u}};
  job.dispatches = {std::move(d)};
  return job;
}

Images expectTraffic(const Case& c, const golden::Image& input) {
  Expected<golden::Image> chain = golden::pyramidTraffic(input, energyLevels(c));
  if (!chain) return chain.error();
  return std::vector<golden::Image>{std::move(*chain)};
}

// Sizes by their schedules: nothing to make, each number of fast levels, a change to the general pipeline and back, odd sides, one axis.
std::vector<Size> scheduleSizes() {
  return {
      {1, 1},      // nothing to make
      {2, 2},      // G1
      {1, 7},      // an axis of 1, a window of three
      {8, 8},      // F3
      {36, 20},    // F2 and back to odd sides
      {48, 80},    // F4
      {96, 32},    // F5
      {64, 128},   // F6, then one level along one axis
      {300, 172},  // F2, then windows whose sums pass 32 bits in sRGB
      {37, 73},    // three taps on both axes, level after level
      {38, 1},     // two tiles of the second level that share a column of the first
      {130, 67},   // a last tile of two columns
      {39, 39},    // 19, then 9 texels: a last tile of one texel on each axis, and what lies beyond it
      {33, 66},    // 8 of them on an axis: one tile exactly; and 16
      {17, 19},    // the smallest windows whose sums pass 32 bits in sRGB
      {35, 39},    // the same on the second level
      {1, 258},    // more than seven tiles, the last with a row that no other has
  };
}

CaseBlock sizesBlock(std::vector<Size> sizes, std::vector<std::uint32_t> reductions, std::vector<std::uint32_t> formats,
                     std::vector<std::string> inputs) {
  CaseBlock b;
  b.sizes = std::move(sizes);
  b.values = {std::move(reductions), {0}, std::move(formats)};
  b.inputs = std::move(inputs);
  return b;
}

std::vector<CaseBlock> hybridQuick() {
  const std::vector<std::string> inputs = {"noise:1", "extremes:1", "ramp", "checkerboard"};
  std::vector<CaseBlock> blocks = {sizesBlock({{1, 1}, {36, 20}, {96, 160}, {37, 73}}, {kMean}, {0, 1}, inputs),
                                   forTheModel(sizesBlock(scheduleSizes(), {kMean}, {0, 1}, inputs))};
  blocks.push_back(sizesBlock({{37, 20}}, {kMin, kMax, kPremultiplied}, {0}, {"noise:2"}));
  blocks.push_back(forTheModel(sizesBlock({{64, 64}, {37, 20}}, {kMin, kMax, kPremultiplied}, {0, 1}, {"noise:2", "noise:3"})));
  // Below 16 the exchange goes through workgroup memory.
  CaseBlock subgroups = sizesBlock({{64, 64}, {40, 24}}, {kMean}, {0}, {"noise:4"});
  subgroups.subgroupSizes = {1, 4, 8, 16, 32, 128};
  blocks.push_back(subgroups);
  // Few enough texels for the self-test's lanes apart.
  CaseBlock apart = sizesBlock({{16, 16}}, {kMean}, {0}, {"noise:4"});
  apart.subgroupSizes = {4, 32};
  blocks.push_back(apart);
  // Two tiles of six levels on the other axis; and more than 64 groups, whose numbers reach a texel's place.
  blocks.push_back(forTheModel(sizesBlock({{128, 64}, {16, 4112}}, {kMean}, {0}, {"noise:2"})));
  // Chains cut short.
  CaseBlock cut = sizesBlock({{1, 1}, {4, 4}, {64, 64}}, {kMean, kPremultiplied}, {0}, {"noise:5"});
  cut.values[1] = {1, 2, 4};
  blocks.push_back(cut);
  return blocks;
}

// Weights: an impulse at every texel under windows of 3x3 and 3x2, whose codes are then weights.
std::vector<CaseBlock> generalQuick() {
  const std::vector<std::string> inputs = {"noise:1", "extremes:1", "ramp"};
  std::vector<CaseBlock> blocks = {sizesBlock({{1, 1}, {36, 20}, {17, 19}}, {kMean}, {0, 1}, inputs),
                                   forTheModel(sizesBlock(scheduleSizes(), {kMean}, {0, 1}, inputs)),
                                   forTheModel(sizesBlock({{37, 20}, {130, 67}}, {kMin, kMax}, {0}, {"noise:2"})),
                                   // Sums of more than 32 bits by an even divisor: ties, from the picture and from a level that waits.
                                   forTheModel(sizesBlock({{131, 40}, {262, 8}}, {kMean}, {1}, {"noise:2"})),
                                   // Sums of three columns and many rows, and ties: where an estimate of their mean is one off.
                                   forTheModel(sizesBlock({{7, 16223}}, {kMean}, {0}, {"noise:1", "noise:2"}))};
  blocks.back().everyInput = true;
  blocks.push_back(forTheModel(sizesBlock({{2, 41}}, {kMean}, {0}, {"checkerboard"})));
  CaseBlock impulses = sizesBlock({{5, 3}}, {kMean}, {0}, {});
  for (const golden::InputSpec& spec : golden::impulsesEverywhere({5, 3})) impulses.inputs.push_back(golden::inputName(spec));
  impulses.everyInput = true;
  blocks.push_back(impulses);
  return blocks;
}

// Sizes by their stages (tests/tools/catalogue/cascade_test.cpp): one tile; regular tiles of an even and of an odd level 0, of either axis,
// each number of levels; tiles that are not regular; three stages. Four need 8000x8000 texels, which only the large sizes have.
std::vector<CaseBlock> cascadeQuick() {
  const std::vector<std::string> inputs = {"noise:1", "extremes:1", "ramp"};
  std::vector<CaseBlock> blocks = {
      sizesBlock({{1, 1}, {37, 73}, {130, 67}}, {kMean}, {0}, inputs),
      forTheModel(sizesBlock({{2, 1},
                              {5, 3},
                              {64, 128},
                              {255, 129},
                              {194, 98},
                              {195, 130},
                              {130, 195},
                              {129, 1},
                              {5, 300},
                              {256, 192},
                              {128, 130}},  // the last tile's base, 2x2, is even
                             {kMean}, {0}, inputs)),
      forTheModel(sizesBlock({{130, 67}, {194, 98}}, {kMin, kMax, kPremultiplied}, {0}, {"noise:2"})),
      // Three stages. Of {303, 559} the second one's base, 37x69, is odd, and what it takes above is even; so is the third one's base.
      forTheModel(sizesBlock({{333, 511}, {1023, 517}, {303, 559}}, {kMean}, {0}, {"noise:1"})),
      forTheModel(sizesBlock(cascadeSizes(), {kMean}, {0}, {"noise:1"})),
      // Regular tiles with 47x40 texels of level 1, more than seven an invocation.
      forTheModel(sizesBlock({{62, 176}}, {kMean}, {0}, {"noise:1"})),
      // The highest levels of noise are much the same everywhere.
      forTheModel(sizesBlock({{2048, 128}}, {kMean}, {0}, {"ramp"})),
      forTheModel(sizesBlock({{131, 74}, {97, 96}}, {kMin, kMax}, {0}, {"noise:1"})),
      // Means that lie near to the middle between two codes, and in it.
      forTheModel(sizesBlock({{7, 16223}}, {kMean}, {0}, {"noise:1", "noise:2"}))};
  blocks.back().everyInput = true;
  blocks.push_back(forTheModel(sizesBlock({{2, 41}}, {kMean}, {0}, {"checkerboard"})));
  // One tile whose highest level has even sides is 38x70 with four levels.
  CaseBlock cut = forTheModel(sizesBlock({{1, 1}, {195, 130}, {38, 70}}, {kMean, kPremultiplied}, {0}, {"noise:5"}));
  cut.values[1] = {1, 2, 4};
  blocks.push_back(cut);
  // Runs of columns in subgroups of each size: of 64 and 128 not all are full, and of 153x64 all lanes have work.
  CaseBlock subgroups = forTheModel(sizesBlock({{131, 73}, {153, 64}}, {kMean}, {0}, {"noise:1"}));
  subgroups.subgroupSizes = {2, 4, 8, 16, 64, 128};
  blocks.push_back(subgroups);
  return blocks;
}

// Each count of fast levels, and a change of pipeline.
std::vector<CaseBlock> alternativeQuick() {
  CaseBlock subgroups = sizesBlock({{16, 16}}, {kMean}, {0}, {"noise:4"});  // as in hybridQuick()
  subgroups.subgroupSizes = {4};
  return {sizesBlock({{36, 20}, {64, 128}}, {kMean}, {0}, {"noise:1"}),
          subgroups,
          forTheModel(sizesBlock({{8, 8}, {36, 20}, {48, 80}, {64, 128}}, {kMean}, {0, 1}, {"noise:1", "extremes:1"})),
          forTheModel(sizesBlock({{64, 64}, {128, 64}, {37, 20}}, {kMin, kMax}, {0}, {"noise:2"})),
          forTheModel(sizesBlock({{17, 19}, {37, 73}}, {kMean}, {0, 1}, {"noise:3"})),
          forTheModel(sizesBlock({{36, 20}}, {kMean}, {1}, {"ramp"}))};  // sums that are thresholds
}

}  // namespace

std::uint32_t energyLevels(const Case& c) {
  const std::uint32_t full = golden::levelCount({c.size.width, c.size.height}, golden::LevelCount::kFull),
                      asked = c.value(kLevelsParameter);
  return asked == 0 ? full : std::min(full, asked);
}

Parameter energyLevelsParameter() {
  return {kLevelsParameter, 0, 4, 0, {"full", "1", "2", "3", "4"}};
}

Resource pyramidImage(std::string name, Format format, const golden::Image& base, std::uint32_t levels) {
  Resource r = undefinedImage(std::move(name), format, {base.extent.width, base.extent.height, 1}, levels);
  std::copy(base.bytes.begin(), base.bytes.end(), r.bytes().begin());
  r.undefined = false;  // level 0 is not
  r.output = true;
  return r;
}

Dispatch energyDispatch(const Case& c, Module module, const PyramidStep& step, const PyramidRules& rules, std::uint32_t mostGroups) {
  Dispatch d = pyramidDispatch(step, rules, "pyramid", {Format::R32_UINT, Format::R32_UINT}, mostGroups);
  d.module = std::move(module);
  const std::uint32_t reduction = c.value(kReductionParameter);
  d.spec = {{0, reduction == kPremultiplied ? kMean : reduction}, {1, c.value(kFormatParameter)}, {2, step.levels}};
  d.bindings.emplace_back();
  d.bindings.back().binding = 1;
  d.bindings.back().resource = "curve";
  return d;
}

Job energyFrame(const Case& c, const golden::Image& input) {
  Job job;
  job.resources = {pyramidImage("pyramid", Format::R8G8B8A8_UINT, input, energyLevels(c)), curveBuffer()};
  job.subgroupSize = c.subgroupSize;
  if (c.value(kReductionParameter) == kPremultiplied) job.dispatches.push_back(premultiplyDispatch(c));
  return job;
}

Job energyJob(const Case& c, Module general, const golden::Image& input, const PyramidRules& rules, std::uint32_t mostGroups) {
  Job job = energyFrame(c, input);
  const Module fast = moduleNamed(rules.fastLocal == 1024 ? "pyramid_fast_1024" : "pyramid_fast");
  for (const PyramidStep& step : pyramidSteps(c.size, energyLevels(c), rules))
    job.dispatches.push_back(energyDispatch(c, step.fast ? fast : general, step, rules, mostGroups));
  return job;
}

Kernel energyKernel(const char* algorithm, const char* module, const char* summary, MakeJob plan) {
  Kernel k;
  k.name = std::string("pyramid/energy/") + algorithm;
  k.module = module;
  k.summary = summary;
  k.promise = "each texel the mean over its area of the level below (or its least, greatest), rounded to 8 bits on every level; exact";
  k.contract.name = "pyramid/energy";
  k.oracle = fmt::format("mean-pyramid-{}", golden::kMeanPyramidVersion);
  k.slowToCompile = true;
  k.parameters = {{kReductionParameter, 0, 3, 0, {"mean", "min", "max", "premultiplied"}},
                  energyLevelsParameter(),
                  {kFormatParameter, 0, 1, 0, {"rgba8ui", "srgb8"}}};
  k.plan = plan;
  k.expect = expectEnergy;
  return k;
}

std::vector<Kernel> pyramidKernels() {
  const char* general = "pyramid_general";
  std::vector<Kernel> all = {
      energyKernel("nvpro-hybrid", general, "fast pipeline where sides are multiples of 4, two general levels elsewhere",
                   planEnergy<kHybrid>),
      energyKernel("nvpro-general", general, "the general pipeline alone, two levels a dispatch", planEnergy<kGeneral>),
      energyKernel("one-level", general, "a dispatch a level", planEnergy<kOneLevel>),
      energyKernel("nvpro-levels-1-3", general, "the fast pipeline with up to three levels: no workgroup memory", planEnergy<kUpToThree>),
      energyKernel("nvpro-levels-1-5", general, "the fast pipeline with one to five levels", planEnergy<kUpToFive>),
      energyKernel("nvpro-levels-1-6", general, "the fast pipeline also for a single level", planEnergy<kUpToSix>),
      energyKernel("nvpro-group-1024", general, "the fast pipeline in groups of 1024, six levels without a prologue", planEnergy<kWide>),
  };
  for (Kernel& k : all) k.quick = alternativeQuick();
  all.back().workgroupInvocations = kWide.fastLocal;
  // Where six levels take two dispatches and their odd neighbours six; where general and fast dispatches pass 65535 groups.
  for (std::size_t i : {0u, 1u}) all[i].largeSizes = {{4096, 4096}, {4095, 4095}, {8165, 8165}, {8196, 8196}};
  all[0].quick = hybridQuick();
  all[1].quick = generalQuick();
  Kernel cascade =
      energyKernel("cascade", "pyramid_cascade", "two dispatches: tiles with their borders, then a cascade of tiles", planCascade);
  cascade.parameters[2] = {kFormatParameter, 0, 0, 0, {"rgba8ui"}};
  cascade.quick = cascadeQuick();
  cascade.minutesOn = {kCompilesForMinutes};
  cascade.leastSubgroup = 2;  // a column comes from the next lane
  cascade.largeSizes = {{4096, 4096}, {4095, 4095}, {8165, 8165}, {8196, 131}, {131, 8196}};
  all.push_back(std::move(cascade));
  Kernel traffic =
      energyKernel("", "pyramid_traffic", "one dispatch that reads the base and writes all levels, none from another", planTraffic<false>);
  traffic.name = "pyramid/traffic/one-dispatch";
  traffic.promise =
      "no pyramid: the least traffic of one. Level 1: the greatest of what a texel covers; the levels above are copies of its texels";
  traffic.contract.name = "pyramid/traffic";
  traffic.oracle = fmt::format("pyramid-traffic-{}", golden::kPyramidTrafficVersion);
  traffic.parameters = {energyLevelsParameter(), {kFormatParameter, 0, 0, 0, {"rgba8ui"}}};
  traffic.expect = expectTraffic;
  traffic.slowToCompile = false;
  CaseBlock sizes;
  // The longest sides have every level there is.
  sizes.sizes = {{1, 1}, {2, 1}, {1, 3}, {37, 73}, {64, 128}, {130, 195}, {33, 16}, {16384, 1}, {1, 16384}, {5, 16384}, {16384, 5}};
  sizes.values = {{0}, {0}};
  sizes.inputs = {"noise:1", "ramp"};
  // Sides that end in each quarter of a tile, and one texel behind a tile: what lies beyond the picture is not stored, on any level.
  CaseBlock ends = sizes;
  ends.sizes = {{24, 24}, {40, 40}, {56, 56}};
  for (std::uint32_t side = 64; side < 16384; side *= 2) {
    ends.sizes.push_back({side + 1, 1});
    ends.sizes.push_back({1, side + 1});
  }
  ends.inputs = {"noise:1"};
  CaseBlock cut = sizes;
  cut.sizes = {{37, 73}};
  cut.values[0] = {1, 2, 3, 4};
  CaseBlock subgroups = cut;
  subgroups.values[0] = {0};
  subgroups.inputs = {"noise:1"};
  subgroups.subgroupSizes = {4, 8, 16, 64, 128};
  traffic.quick = {sizes, forTheModel(ends), forTheModel(cut), forTheModel(subgroups)};
  all.push_back(traffic);
  traffic.name = "pyramid/traffic/with-copy";
  traffic.summary = "the same, and a copy of the base";
  traffic.plan = planTraffic<true>;
  traffic.leastSubgroup = 4;  // which exchange words
  all.push_back(std::move(traffic));
  for (auto more : {floatPyramidKernels, brokenPyramidKernels})
    for (Kernel& k : more()) all.push_back(std::move(k));
  return all;
}

}  // namespace lanewise
