// The depth pyramids' kernels: single-pass and a dispatch a level, for the contracts floor, conservative and conservative-uv
// (docs/contracts.md, 5), down to the level counts full, spd and ceil (docs/contracts.md, 4).
#include "golden/oracles/depth_pyramid.h"

#include "golden/image/inputs.h"
#include "tools/catalogue/cascade.h"
#include "tools/catalogue/families.h"
#include "tools/catalogue/pyramid_parts.h"

namespace lanewise {
namespace {

using golden::DepthForm;
using golden::Extreme;
using Module = std::shared_ptr<const ShaderModule>;

constexpr std::uint32_t kSide = 16;                // of a workgroup, in invocations
constexpr std::uint32_t kSinglePassTile = 64;      // of a workgroup, in texels
constexpr std::uint32_t kSinglePassPictures = 15;  // of the single-pass modules

bool least(const Case& c) {
  return c.value(kReductionParameter) == static_cast<std::uint32_t>(Extreme::kMin);
}

// A workgroup's side, and the form of depth_window.glsl.
std::vector<SpecConstant> constantsOf(DepthForm form) {
  return {{1, kSide}, {3, static_cast<std::uint64_t>(form)}};
}

// kCopy: level 0 is copied from a picture of its own; else it is there.
template <DepthForm kForm, bool kCopy = true>
Job planSinglePass(const Case& c, Module module, const golden::Image& input) {
  const std::uint32_t levels = pyramidLevels(c);
  const Extent3 groups{groupsFor(c.size.width, kSinglePassTile), groupsFor(c.size.height, kSinglePassTile), 1};
  Job job;
  if (kCopy) {
    job.resources.push_back(inputPicture("depth", input));
    job.resources.push_back(undefinedImage("pyramid", Format::R32_SFLOAT, {c.size.width, c.size.height, 1}, levels));
  } else {
    job.resources.push_back(pyramidOn("pyramid", Format::R32_SFLOAT, {&input, 1}, levels));
  }
  job.resources.push_back(zeroedCounters(1));
  Dispatch d;
  d.module = std::move(module);
  d.groups = groups;
  d.spec = constantsOf(kForm);
  d.push = pushWords({c.size.width, c.size.height, levels, groups.x * groups.y, 0, 0, c.value(kReductionParameter)});
  d.bindings = spdBindings(kCopy ? "depth" : "pyramid", "pyramid", {levels, kSinglePassPictures}, Format::UNDEFINED);
  if (kForm == DepthForm::kFloor) {
    d.bindings[0].viewFormat = Format::R32_UINT;
    d.spec.push_back({5, kCopy ? 1u : 0u});
  }
  job.dispatches = {std::move(d)};
  job.subgroupSize = c.subgroupSize;
  return job;
}

template <DepthForm kForm, bool kCopy>
Job planCascade(const Case& c, Module module, const golden::Image& input) {
  const std::uint32_t levels = pyramidLevels(c);
  Job job;
  if (kCopy) {
    job.resources.push_back(inputPicture("depth", input));
    job.resources.push_back(undefinedImage("pyramid", Format::R32_SFLOAT, {c.size.width, c.size.height, 1}, levels));
  } else {
    job.resources.push_back(pyramidOn("pyramid", Format::R32_SFLOAT, {&input, 1}, levels));
  }
  addCascade(job, c, module, kCopy ? "depth" : "pyramid", levels,
             {.borders = kForm == DepthForm::kConservativeUv,
              .copies = kCopy,
              .constants = {{3, static_cast<std::uint64_t>(kForm)}, {5, kCopy ? 1u : 0u}}});
  job.subgroupSize = c.subgroupSize;
  return job;
}

template <DepthForm kForm>
Job planLevels(const Case& c, Module module, const golden::Image& input) {
  Job job;
  job.resources = {pyramidOn("pyramid", Format::R32_SFLOAT, {&input, 1}, pyramidLevels(c))};
  job.dispatches = levelDispatches(c, std::move(module), {"pyramid", kSide, 1, Format::UNDEFINED});
  for (Dispatch& d : job.dispatches) d.spec = constantsOf(kForm);
  job.subgroupSize = c.subgroupSize;
  return job;
}

template <DepthForm kForm>
Expected<std::vector<golden::Image>> expectDepth(const Case& c, const golden::Image& input) {
  Expected<golden::Image> chain = golden::depthPyramid(kForm, least(c) ? Extreme::kMin : Extreme::kMax, input, pyramidLevels(c));
  if (!chain) return chain.error();
  return std::vector<golden::Image>{std::move(*chain)};
}

// Sizes: axes of 1 to 3, where the published kernel writes nothing; one tile exactly, one texel less and more; tiles whose last row or
// column is dropped or covered on some levels; more than one tile, so that the last workgroup continues; 129 and 257, where it starts from
// one texel and from four.
std::vector<CaseBlock> depthQuick() {
  CaseBlock spread;
  spread.sizes = {{1, 1},   {2, 1},   {1, 3},   {3, 2},   {4, 4},   {7, 5},    {13, 22},  {31, 64},
                  {64, 64}, {65, 63}, {127, 2}, {129, 1}, {1, 193}, {129, 64}, {66, 131}, {257, 33}};
  spread.values = {{0, 1}, {0}, {0}};
  spread.inputs = {"noise:1", "extremes:1", "ramp"};
  // The other two ways of counting levels: sides that are powers of two, and others.
  CaseBlock counts;
  counts.sizes = {{1, 1}, {2, 1}, {64, 64}, {65, 128}};
  counts.values = {{0}, {1, 2}, {0}};
  counts.inputs = {"noise:2"};
  // Where each texel goes: odd sides on two levels.
  CaseBlock impulses;
  impulses.sizes = {{7, 3}};
  impulses.values = {{0}, {0}, {0}};
  for (const golden::InputSpec& spec : golden::impulsesEverywhere({7, 3})) impulses.inputs.push_back(golden::inputName(spec));
  impulses.everyInput = true;
  // The last workgroup makes three tiles of level 6 along each axis; two, and from there on odd sides where all below were even; and odd
  // sides of several tiles, in no order that a ramp has.
  CaseBlock tail;
  tail.sizes = {{8256, 3}, {3, 8256}, {8128, 3}, {3, 8128}, {131, 263}};
  tail.values = {{0, 1}, {0}, {0}};
  tail.inputs = {"noise:3", "ramp"};  // of a ramp the least of a tile is above what a wrong level gives
  tail.everyInput = true;
  return {spread, counts, impulses, forTheModel(tail)};
}

struct Algorithm {
  const char* name;
  const char* module;
  const char* summary;
  Job (*plan)(const Case&, Module, const golden::Image&);
  bool slowToCompile = true;
};

template <DepthForm kForm>
Kernel row(const Algorithm& algorithm, const char* promise) {
  Kernel k;
  k.contract.name = "depth/" + std::string(golden::depthFormName(kForm));
  k.contract.zerosEqual = true;
  k.name = k.contract.name + "/" + algorithm.name;
  k.module = algorithm.module;
  k.summary = algorithm.summary;
  k.promise = promise;
  k.oracle = "depth-pyramid-" + std::to_string(golden::kDepthPyramidVersion);
  k.parameters = {
      {kReductionParameter, 0, 1, 0, {"max", "min"}}, levelsParameter(golden::kLevelCounts), {kFormatParameter, 0, 0, 0, {"r32f"}}};
  k.plan = algorithm.plan;
  k.expect = expectDepth<kForm>;
  k.quick = depthQuick();
  k.slowToCompile = algorithm.slowToCompile;
  return k;
}

template <DepthForm kForm>
void addForm(std::vector<Kernel>& all, const char* promise) {
  const bool floor = kForm == DepthForm::kFloor;
  const Algorithm single{"spd", floor ? "depth_spd" : "depth_spd_window",
                         floor ? "one dispatch: tiles of 64x64, 4x4 texels an invocation, 32x32 of workgroup memory"
                               : "one dispatch: tiles of 64x64 and what their odd levels take beyond them",
                         planSinglePass<kForm>};
  const Algorithm levels{"multipass", "depth_level", "a dispatch a level, one invocation a texel", planLevels<kForm>, false};
  all.push_back(row<kForm>(single, promise));
  if (floor) {
    all.push_back(
        row<kForm>({"spd-in-place", "depth_spd", "the same, where level 0 is there already", planSinglePass<kForm, false>}, promise));
    // The geometry is that of spd: what is not copied, one tile and several.
    all.back().quick.resize(1);
    all.back().quick[0].sizes = {{1, 1}, {3, 2}, {65, 63}, {257, 33}};
    all.back().quick[0].inputs = {"noise:1", "extremes:1"};
  }
  all.push_back(row<kForm>(levels, promise));
  if (floor) return;
  const Algorithm copied{"cascade", "depth_cascade", "two dispatches: tiles with their borders, then a cascade of tiles",
                         planCascade<kForm, true>};
  const Algorithm inPlace{"cascade-in-place", "depth_cascade", "the same, where level 0 is there already", planCascade<kForm, false>};
  all.push_back(row<kForm>(copied, promise));
  all.push_back(row<kForm>(inPlace, promise));
  // Regular tiles, even and odd; and with borders three stages, as in the energy pyramids' cascade (pyramid.cpp).
  CaseBlock stages = all.back().quick.back();
  stages.sizes = {{300, 200}, {515, 389}, {303, 559}, {1023, 70}};
  CaseBlock more = stages;
  more.sizes = cascadeSizes();
  more.inputs = {"noise:3"};
  for (std::size_t i = all.size() - 2; i < all.size(); ++i) {
    all[i].quick.push_back(stages);
    all[i].quick.push_back(more);
    all[i].minutesOn = {kCompilesForMinutes};
  }
  if (kForm != DepthForm::kConservativeUv) return;
  // Tiles of 39x32 texels of level 1, of which runs of six leave two rows; a second level of 19x30, behind which a row too many lies
  // outside of workgroup memory.
  CaseBlock bordered = more;
  bordered.sizes = {{255, 129}, {77, 121}};
  bordered.values[0] = {0};
  all[all.size() - 2].quick.push_back(bordered);
  // Runs of columns in subgroups of each size: level 0 is copied in groups of 256, else the last of 64 and 128 is not full.
  CaseBlock subgroups = bordered;
  subgroups.sizes = {{131, 73}, {153, 64}};
  subgroups.subgroupSizes = {2, 4, 8, 16, 64, 128};
  for (std::size_t i = all.size() - 2; i < all.size(); ++i) {
    all[i].quick.push_back(subgroups);
    all[i].leastSubgroup = 2;
  }
}

}  // namespace

std::vector<Kernel> depthKernels() {
  std::vector<Kernel> all;
  addForm<DepthForm::kFloor>(all, "the extreme of the 2x2 below; an odd last row or column is dropped; exact");
  addForm<DepthForm::kConservative>(all, "texel min(x >> level, size - 1) covers texel x: the last of an odd axis takes three; exact");
  addForm<DepthForm::kConservativeUv>(all, "every texel of an odd axis takes three, so that proportional lookups are covered; exact");
  return all;
}

}  // namespace lanewise
