// The float energy pyramids (docs/contracts.md, 6, energy-float): the same two pipelines with floats inside a dispatch and what the picture
// holds between dispatches. The result depends on the schedule; golden/bounds/pyramid_bounds.h proves which values a case's schedule
// allows.
#include <fmt/format.h>

#include <algorithm>

#include "golden/bounds/filter_bounds.h"
#include "golden/bounds/pyramid_bounds.h"
#include "tools/catalogue/cascade.h"
#include "tools/catalogue/catalogue.h"
#include "tools/catalogue/energy_parts.h"
#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

using Module = std::shared_ptr<const ShaderModule>;

enum FormatChoice : std::uint32_t { kCodes, kSrgbCodes, kR32f, kRgba16f };
constexpr const char* kFormatNames[] = {"rgba8ui", "srgb8", "r32f", "rgba16f"};
constexpr golden::Component kFormatComponents[] = {golden::Component::kU8, golden::Component::kU8, golden::Component::kF32,
                                                   golden::Component::kF16};

// What is read through a filter: not srgb8, since Vulkan does not say how exact a device's sRGB decoding is.
Parameter filteredFormats() {
  return {kFormatParameter, 0, 2, 0, {"rgba8ui", "r32f", "rgba16f"}};
}

// Not every form has every choice.
std::uint32_t formatOf(const Case& c) {
  for (const Parameter& p : c.kernel->parameters)
    if (p.name == kFormatParameter)
      return static_cast<std::uint32_t>(std::ranges::find(kFormatNames, p.text(c.value(kFormatParameter))) - std::begin(kFormatNames));
  return kCodes;
}

enum class Shared : std::uint8_t { kFull, kHalf, kCodes };

struct FloatForm {
  PyramidRules rules;
  Shared shared = Shared::kFull;
  bool bilinear = false;  // the fast pipeline reads 2x2 texels by one filtered sample
  bool blits = false;     // in the place of the general pipeline
};
constexpr FloatForm kHybrid{};
constexpr FloatForm kHybridHalf{.rules = {}, .shared = Shared::kHalf};
constexpr FloatForm kHybridCodes{.rules = {}, .shared = Shared::kCodes};
constexpr FloatForm kHybridBilinear{.rules = {}, .shared = Shared::kFull, .bilinear = true};
constexpr FloatForm kGeneral{.rules = {.fastMost = 0}, .shared = Shared::kFull};
constexpr FloatForm kOneLevel{.rules = {.fastLeast = 1, .fastMost = 1, .generalMost = 1}, .shared = Shared::kFull};

constexpr FloatForm kBlits{.rules = {.fastMost = 0, .generalMost = 1}, .shared = Shared::kFull, .bilinear = false, .blits = true};
constexpr FloatForm kGeneralBlits{.rules = {.generalMost = 1}, .shared = Shared::kFull, .bilinear = false, .blits = true};

// Vulkan, "Precision of Individual Operations": pow is exp2(y * log2(x)), log2 errs by 2^-21 or 3 ULP, exp2 by 3 + 2 |x| ULP, a division by
// 2.5 ULP. Decoding: |2.4 log2(x)| is below 8.6, so the exponent errs by less than 2^-18.8 and the power by 2.6e-6 of at most 1. Encoding:
// |log2(x) / 2.4| is below 3.5, the power errs by less than 1.5e-6, of at most 269 codes.
constexpr double kDecodeError = 4e-6, kEncodeError = 1e-3;

std::string moduleName(std::uint32_t format, const FloatForm& form, bool fast) {
  const char* texel = format == kR32f ? "_r32f" : format == kRgba16f ? "_rgba16f" : "_codes";
  const char* waiting = form.shared == Shared::kHalf    ? "_half"
                        : form.shared == Shared::kCodes ? "_packed"
                        : form.bilinear && fast         ? "_bilinear"
                                                        : "";
  return fmt::format("pyramid_float_{}{}{}", fast ? "fast" : "general", texel, waiting);
}

// Codes as words, halves read in pairs: conversions are the shader's.
TexelViews viewsOf(std::uint32_t format) {
  if (format == kR32f) return {};
  if (format == kRgba16f) return {Format::UNDEFINED, Format::R32G32_UINT};
  return {Format::R32_UINT, Format::R32_UINT};
}

// A level alone, filtered; codes are seen as UNORM.
Binding sampledBase(std::uint32_t level, std::uint32_t format) {
  Binding b;
  b.binding = 1;
  b.resource = "pyramid";
  b.baseLevel = level;
  b.levelCount = 1;
  if (format == kCodes) b.viewFormat = Format::R8G8B8A8_UNORM;
  b.sampler.mag = b.sampler.min = Filter::kLinear;
  return b;
}

// Blits filter the picture as it is held: no integers.
Format heldAs(std::uint32_t format, bool blits) {
  if (format == kR32f) return Format::R32_SFLOAT;
  if (format == kRgba16f) return Format::R16G16B16A16_SFLOAT;
  return blits ? Format::R8G8B8A8_UNORM : Format::R8G8B8A8_UINT;
}

template <const FloatForm& kForm>
Job planFloat(const Case& c, Module own, const golden::Image& input) {
  const std::uint32_t format = formatOf(c), levels = energyLevels(c);
  Job job;
  job.resources = {pyramidImage("pyramid", heldAs(format, kForm.blits), input, levels)};
  job.subgroupSize = c.subgroupSize;
  for (const PyramidStep& step : pyramidSteps(c.size, levels, kForm.rules)) {
    if (kForm.blits && !step.fast) {
      job.blits.push_back({"pyramid", step.base, step.base + 1, static_cast<std::uint32_t>(job.dispatches.size())});
      continue;
    }
    Dispatch d = pyramidDispatch(step, kForm.rules, "pyramid", viewsOf(format));
    const std::string name = moduleName(format, kForm, step.fast);
    d.module = name == c.kernel->module ? own : moduleNamed(name);
    d.spec = {{1, format == kSrgbCodes ? 1u : 0u}, {2, step.levels}};
    if (kForm.bilinear && step.fast) d.bindings.push_back(sampledBase(step.base, format));
    job.dispatches.push_back(std::move(d));
  }
  return job;
}

template <const FloatForm& kForm>
Expected<std::vector<golden::Bounds>> boundsFloat(const Case& c, const golden::Image& input) {
  golden::PyramidFloatForm form;
  if (formatOf(c) == kSrgbCodes) {
    form.encoding = golden::Encoding::kSrgb;
    form.loadError = kDecodeError;
    form.encodeError = kEncodeError;
  }
  if (kForm.shared == Shared::kHalf) form.sharedBits = 11;
  form.packedShared = kForm.shared == Shared::kCodes;
  if (kForm.blits) form.kernel = golden::PyramidKernel::kFilter;
  form.filteredTexels = kFormatComponents[formatOf(c)];
  std::vector<std::uint32_t> schedule;
  for (const PyramidStep& step : pyramidSteps(c.size, energyLevels(c), kForm.rules)) {
    if ((kForm.bilinear && step.fast) || (kForm.blits && !step.fast)) form.filtered |= 1u << schedule.size();
    schedule.push_back(step.levels);
  }
  Expected<golden::Bounds> bounds = golden::pyramidBounds(form, input, schedule);
  if (!bounds) return bounds.error();
  std::vector<golden::Bounds> all;
  all.push_back(std::move(*bounds));
  return all;
}

template <const FloatForm& kForm>
Kernel floatKernel(const char* algorithm, const char* summary) {
  Kernel k;
  k.name = std::string("pyramid/energy-float/") + algorithm;
  k.module = moduleName(kCodes, kForm, false);
  k.summary = summary;
  k.promise = "the mean over a texel's area, in floats inside a dispatch, rounded between dispatches; within the bound of its schedule";
  k.contract.name = "pyramid/energy-float";
  k.oracle = "pyramid-bounds";
  k.parameters = {energyLevelsParameter(), {kFormatParameter, 0, 3, 0, {std::begin(kFormatNames), std::end(kFormatNames)}}};
  if (kForm.shared == Shared::kCodes) k.parameters[1] = {kFormatParameter, 0, 1, 0, {"rgba8ui", "srgb8"}};
  k.plan = planFloat<kForm>;
  k.bounds = boundsFloat<kForm>;
  k.slowToCompile = true;
  CaseBlock sizes;
  sizes.sizes = {{64, 128}, {37, 73}, {96, 160}};
  sizes.values = {{0}, {kCodes, kSrgbCodes, kR32f, kRgba16f}};
  if (kForm.shared == Shared::kCodes) sizes.values[1] = {kCodes, kSrgbCodes};
  if (kForm.bilinear) {
    k.parameters[1] = filteredFormats();
    k.subTexelBits = golden::kFilterWeightBits;
    sizes.sizes = {{64, 128}, {36, 20}, {8, 4}, {96, 160}};
    sizes.values[1] = {0, 1, 2};
  }
  sizes.inputs = {"noise:1", "ramp", "checkerboard:3"};
  // 38x1 and 130x67: tiles of the general pipeline that share a column; 39x39 and 33x66: a last tile of one texel, and whole ones.
  CaseBlock tiles = forTheModel(sizes);
  tiles.sizes = {{38, 1}, {130, 67}, {39, 39}, {33, 66}, {5, 3}, {1, 258}};
  // The linear part of the sRGB curve: codes up to 10, another in each channel.
  CaseBlock dark = sizes;
  dark.sizes = {{2, 3}};
  dark.values[1] = {kSrgbCodes};
  dark.inputs = {"list:2,5,9,255,2,5,9,255,2,5,9,255,2,5,9,255,2,5,9,255,2,5,9,255"};
  // In noise a wrong texel is wrong, in a ramp also on the highest levels: tiles of six levels, two along x. A picture that is black, where
  // no code is less. A chain cut short: a single general level, of more texels than a group takes.
  CaseBlock noise = tiles;
  noise.sizes = {{128, 64}};
  noise.inputs = {"noise:2"};
  CaseBlock ramp = noise;
  ramp.sizes = {{64, 64}};
  ramp.inputs = {"ramp"};
  CaseBlock black = noise;
  black.sizes = {{8, 4}};
  black.inputs = {"constant:0", "constant:100"};
  black.everyInput = true;
  CaseBlock single = noise;
  single.sizes = {{37, 73}, {5, 3}};
  single.values[0] = {2};
  k.quick = {sizes, tiles, noise, ramp, black, single};
  if (!kForm.bilinear) k.quick.push_back(dark);
  return k;
}

// The same rows where blits take part: another contract, since a filter takes two texels of an axis where the area of one has three.
template <const FloatForm& kForm>
Kernel blitKernel(const char* algorithm, const char* summary) {
  Kernel k = floatKernel<kForm>(algorithm, summary);
  k.name = std::string("pyramid/filter-float/") + algorithm;
  k.module = kForm.rules.fastMost == 0 ? "" : moduleName(kCodes, kForm, true);
  k.promise = "a linear filter at the middle of a texel's area, rounded between dispatches and blits; within the bound of its schedule";
  k.contract.name = "pyramid/filter-float";
  k.needs = "vkCmdBlitImage";
  k.slowToCompile = !k.module.empty();
  k.subTexelBits = golden::kFilterWeightBits;
  k.parameters[1] = filteredFormats();
  CaseBlock sizes = k.quick[0];
  // Nothing to make; an axis of 1; of 3, where one texel has all the weight; each weight along odd sides; fast levels before blits, and
  // both in turn.
  sizes.sizes = {{1, 1}, {1, 7}, {3, 2}, {37, 73}, {39, 39}, {64, 128}, {36, 20}};
  sizes.values[1] = {0, 1, 2};
  k.quick = {sizes};
  return k;
}

// One dispatch that rounds every level to codes: the bound is that of a dispatch a level.
Job planCascade(const Case& c, Module module, const golden::Image& input) {
  const std::uint32_t levels = energyLevels(c);
  Job job;
  job.resources = {pyramidImage("pyramid", heldAs(kCodes, false), input, levels)};
  job.subgroupSize = c.subgroupSize;
  addCascade(job, c, module, "pyramid", levels, {.borders = true, .copies = false, .constants = {}});
  return job;
}

Kernel cascadeKernel() {
  Kernel k = floatKernel<kOneLevel>("cascade", "two dispatches: tiles with their borders, then a cascade of tiles");
  k.module = "pyramid_float_cascade";
  k.minutesOn = {kCompilesForMinutes};
  k.parameters[1] = {kFormatParameter, 0, 0, 0, {"rgba8ui"}};
  k.plan = planCascade;
  CaseBlock sizes = k.quick[0];
  sizes.sizes = {{1, 1}, {37, 73}, {64, 128}, {130, 67}};
  sizes.values[1] = {0};
  CaseBlock more = sizes;
  more.sizes = cascadeSizes();
  // Tiles of 39x32 and 33x33 texels of level 1, of which runs of six leave two rows and three; a last stage of nine levels from 1x1013; a
  // single tile with full runs alone.
  more.sizes.insert(more.sizes.end(), {{303, 559}, {256, 192}, {255, 129}, {130, 195}, {7, 16223}, {77, 121}});
  more.inputs = {"noise:1"};
  more.forTheModel = true;
  // The highest levels of noise are much the same everywhere: a texel taken for another may stay within the bounds.
  CaseBlock ramp = more;
  ramp.sizes = {{2048, 128}};
  ramp.inputs = {"ramp"};
  // As in the exact one (pyramid.cpp).
  CaseBlock subgroups = more;
  subgroups.sizes = {{131, 73}, {153, 64}};
  subgroups.subgroupSizes = {2, 4, 8, 16, 64, 128};
  k.quick = {sizes, more, ramp, subgroups};
  k.leastSubgroup = 2;
  return k;
}

}  // namespace

std::vector<Kernel> floatPyramidKernels() {
  std::vector<Kernel> all = {
      floatKernel<kHybrid>("nvpro-hybrid", "both pipelines in floats, floats in workgroup memory"),
      floatKernel<kHybridHalf>("nvpro-hybrid-half", "the same, halves in workgroup memory"),
      floatKernel<kHybridCodes>("nvpro-hybrid-packed", "the same, codes in workgroup memory"),
      floatKernel<kHybridBilinear>("nvpro-hybrid-bilinear", "both pipelines in floats, the fast one reads through a linear filter"),
      floatKernel<kGeneral>("nvpro-general", "the general pipeline alone, two levels a dispatch"),
      floatKernel<kOneLevel>("one-level", "a dispatch a level"),
      cascadeKernel(),
      blitKernel<kBlits>("blit", "a blit a level, no shader"),
      blitKernel<kGeneralBlits>("nvpro-general-blits", "the fast pipeline where it can, a blit a level elsewhere"),
  };
  all[0].quick[0].sizes.insert(all[0].quick[0].sizes.end(), {{1, 1}, {36, 20}});
  CaseBlock subgroups = all[0].quick[0];
  subgroups.sizes = {{64, 64}, {16, 16}};
  subgroups.values[1] = {kSrgbCodes, kR32f, kRgba16f};
  subgroups.subgroupSizes = {4, 16, 64};
  all[0].quick.push_back(subgroups);
  for (std::size_t i = 1; i < 4; ++i) {
    CaseBlock few = all[i].quick[0];
    few.sizes = {{16, 16}};
    few.inputs = {"noise:1"};
    few.subgroupSizes = {4};
    all[i].quick.push_back(few);
  }
  return all;
}

}  // namespace lanewise
