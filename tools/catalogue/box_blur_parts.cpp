#include "tools/catalogue/box_blur_parts.h"

#include <algorithm>
#include <bit>

#include "golden/bounds/box_bounds.h"
#include "golden/bounds/filter_bounds.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

using golden::BoxForm;

// Sums of a window of at most this many bytes fit 16 bits.
constexpr std::uint32_t kMaxNarrowRadius = 128;
// Outputs of a group of box_blur_rows.comp, and the greatest radius of box_blur_words.glsl.
constexpr std::uint32_t kScanTile = 1024, kMaxScanRadius = 127;
// The rows of a segment of box_blur_columns.comp: at least so many, and as many segments as keep a GPU busy, but not more. Each segment
// begins with the sum of a window, and few segments at a time read their leaving texels from a cache.
constexpr std::uint32_t kLeastSlide = 84, kSlides = 48384;
// Of box_blur_strips.comp: the columns that a workgroup reads, the greatest radius, and how many workgroups keep a GPU busy. Each begins
// with the sums of a window, so more take longer.
constexpr std::uint32_t kStripReads = 512, kMaxStripRadius = 63, kStripGroups = 396, kLeastStripRows = 16;
// The greatest radius of sums in half floats. Beyond it their bound allows every picture.
constexpr std::uint32_t kMaxHalfRadius = 127;

bool isBgra(const Case& c) {
  return c.value(kFormatParameter) == static_cast<std::uint32_t>(BlurFormat::kBgra8);
}

Format pictureFormat(const Case& c, const BlurForm& form) {
  if (isBgra(c)) return Format::B8G8R8A8_UNORM;
  return form.sums == BlurSums::kU32 && !form.filtered ? Format::R8G8B8A8_UINT : Format::R8G8B8A8_UNORM;
}

golden::Edge edgeOf(const Case& c) {
  for (const Parameter& p : c.kernel->parameters)
    if (p.name == kEdgeParameter) return golden::edgeByName(p.text(c.value(kEdgeParameter))).value_or(golden::Edge::kClamp);
  return golden::Edge::kClamp;
}

// The values of "source" name what the sampled picture holds.
golden::Component sourceComponent(const Case& c) {
  constexpr golden::Component kComponents[] = {golden::Component::kU8, golden::Component::kF16, golden::Component::kF32};
  return kComponents[c.value(kSourceParameter)];
}

// Codes; as halves for the exact filtered forms; c / 255 for those in floats.
Resource sourcePicture(const Case& c, const golden::Image& input, const BlurForm& form) {
  if (form.filtered && form.sums == BlurSums::kU32) return inputPicture("source", codesAsFloats(input, golden::Component::kF16, 1));
  if (choosesSource(form) && sourceComponent(c) != golden::Component::kU8)
    return inputPicture("source", codesAsFloats(input, sourceComponent(c), 255));
  Resource r = isBgra(c) ? inputPicture("source", golden::withRedAndBlueSwapped(input)) : inputPicture("source", input);
  std::get<ImageData>(r.data).format = pictureFormat(c, form);
  return r;
}

// The error of a filter in each pass, and the error of a source of halves.
void setLoadErrors(const Case& c, const BlurForm& form, golden::BoxFloatForm& bound) {
  using golden::Component, golden::filterStageError;
  const Component source = sourceComponent(c), between = blurContract(c, form) == BoxForm::kDouble ? Component::kU8
                                                         : bound.storeBits == 11                   ? Component::kF16
                                                                                                   : Component::kF32;
  const int stages = bound.onePass ? 2 : 1;
  bound.loadError[0] = stages * filterStageError(source) + (source == Component::kF16 ? 0x1p-11 : 0);
  bound.loadError[1] = filterStageError(between);
}

// Linear, in texels; beyond the picture its edge or zeros.
SamplerState samplerOf(const Case& c) {
  SamplerState s;
  s.mag = s.min = Filter::kLinear;
  s.unnormalized = true;
  s.u = s.v = edgeOf(c) == golden::Edge::kZero ? AddressMode::kClampToBorder : AddressMode::kClampToEdge;
  return s;
}

Format betweenFormat(const Case& c, const BlurForm& form) {
  if (form.filtered && form.sums == BlurSums::kU32) return Format::R16G16B16A16_SFLOAT;
  if (blurContract(c, form) == BoxForm::kDouble) return pictureFormat(c, form);
  if (form.sums == BlurSums::kU32)
    return c.value(kRadiusParameter) <= kMaxNarrowRadius ? Format::R16G16B16A16_UINT : Format::R32G32B32A32_UINT;
  return c.value(kBetweenParameter) == static_cast<std::uint32_t>(BlurBetween::kRgba16f) ? Format::R16G16B16A16_SFLOAT
                                                                                         : Format::R32G32B32A32_SFLOAT;
}

// The factor and the bias of box_blur_words.glsl.
Reciprocal wordsReciprocal(const Case& c) {
  const std::uint32_t radius = c.value(kRadiusParameter), k = 2 * radius + 1, factor = ((1u << 24) + k - 1) / k;
  return {factor, radius * factor};
}

// The columns of a strip: a multiple of 32, which a GPU stores best.
std::uint32_t stripOf(const Case& c) {
  return (kStripReads - 2 * c.value(kRadiusParameter) - 1) / 32 * 32;
}

// The push constants of box_blur_strips.comp. With K texels a window, an odd number, the mean of a sum S is the whole number next to S / K.
// That is 1 / 2K or more from the middle between two, which is more than 0.000031: K is at most 127^2. The weight errs by at most 2^-24 of
// itself, so S by the weight, which is at most 256, errs by 0.0000153. Where it is rounded before 2^23 is added, that errs by less than
// 2^-16, and the two by less than 0.0000306. Where sums are cut, the same holds of (S + K / 2) / K, which is 1 / 2K or more from a whole
// number.
std::vector<std::byte> stripsPush(const Case& c, std::uint32_t segment) {
  const std::uint32_t radius = c.value(kRadiusParameter), k = 2 * radius + 1;
  const auto bitsOf = [](double x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); };
  constexpr double kWhole = 1 << 23;
  return pushWords(
      {c.size.width, c.size.height, radius, segment, bitsOf(kWhole), bitsOf(kWhole - 0.5 * (k * k)), bitsOf(1.0 / (k * k)), stripOf(c)});
}

// The passes' groups and modules, along rows and along columns.
void shapePasses(const Case& c, const BlurForm& form, BlurPass& rows, BlurPass& columns) {
  const std::uint32_t w = c.size.width, h = c.size.height;
  rows.segment = form.segment == 0 ? w : form.segment;
  columns.segment = form.segment == 0 ? h : form.segment;
  switch (form.walk) {
    case BlurWalk::kTexel:
    case BlurWalk::kOnePass:
      rows.groups = columns.groups = {groupsFor(w, 16), groupsFor(h, 16), 1};
      return;
    case BlurWalk::kLine:
      rows.groups = {groupsFor(h, 64), groupsFor(w, rows.segment), 1};
      columns.groups = {groupsFor(w, 64), groupsFor(h, columns.segment), 1};
      return;
    case BlurWalk::kMps:
      rows.module = moduleNamed(form.sums == BlurSums::kU32 ? "box_blur_accumulated_x1_u32" : "box_blur_accumulated_x1_f32");
      rows.groups = {groupsFor(h, 32), 1, 1};
      rows.local = {{2, 32}};
      columns.groups = {groupsFor(w, 16), 1, 1};
      return;
    case BlurWalk::kStrips: {
      const std::uint32_t strips = groupsFor(w, stripOf(c));
      rows.segment = std::max(kLeastStripRows, groupsFor(h, std::max(1u, kStripGroups / strips)));
      rows.groups = {strips, groupsFor(h, rows.segment), 1};
      return;
    }
    case BlurWalk::kScanSlide:
      rows.groups = {groupsFor(w, kScanTile), h, 1};
      columns.module = moduleNamed("box_blur_columns");
      columns.segment = std::max(kLeastSlide, groupsFor(w * h, kSlides));
      columns.groups = {groupsFor(w, 64), groupsFor(h, columns.segment), 1};
      return;
  }
}

}  // namespace

Reciprocal reciprocalOf(std::uint32_t divisor) {
  const auto shift = static_cast<std::uint32_t>(std::bit_width(divisor - 1)) - 1;
  return {static_cast<std::uint32_t>((std::uint64_t{1} << (32 + shift)) / divisor + 1), shift};
}

Dispatch blurDispatch(const Case& c, const BlurForm& form, BlurPass pass) {
  Dispatch d;
  d.module = std::move(pass.module);
  d.groups = pass.groups;
  const Reciprocal half = form.walk == BlurWalk::kScanSlide ? wordsReciprocal(c) : reciprocalOf(2 * pass.divisor);
  d.spec = {{0, static_cast<std::uint64_t>(edgeOf(c))}, {1, pass.vertical ? 1u : 0u}, {4, pass.codes ? 1u : 0u}};
  if (form.filtered) d.spec.push_back({5, form.walk == BlurWalk::kOnePass ? 1u : 0u});
  d.spec.insert(d.spec.end(), pass.local.begin(), pass.local.end());
  d.push = form.walk == BlurWalk::kStrips
               ? stripsPush(c, pass.segment)
               : pushWords({c.size.width, c.size.height, c.value(kRadiusParameter), pass.segment, pass.divisor, half.factor, half.shift});
  d.bindings.resize(2);
  d.bindings[0].resource = pass.from;
  if (form.filtered) d.bindings[0].sampler = samplerOf(c);
  d.bindings[1].binding = 1;
  d.bindings[1].resource = pass.to;
  // Integer forms read BGRA as RGBA: a blur treats all channels alike.
  if (form.sums == BlurSums::kU32 && isBgra(c))
    for (Binding& b : d.bindings)
      if (form.contract == BoxForm::kDouble || b.resource != "rows") b.viewFormat = Format::R8G8B8A8_UINT;
  if (form.walk == BlurWalk::kScanSlide || form.walk == BlurWalk::kStrips)
    for (Binding& b : d.bindings) b.viewFormat = Format::R32_UINT;
  return d;
}

Job blurJob(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input, const BlurForm& form) {
  const Extent3 extent{c.size.width, c.size.height, 1};
  const std::uint32_t k = 2 * c.value(kRadiusParameter) + 1;
  Job job;
  job.subgroupSize = c.subgroupSize;
  job.resources.push_back(sourcePicture(c, input, form));
  BlurPass rows, columns;
  rows.module = columns.module = std::move(module);
  rows.to = columns.from = "rows";
  columns.vertical = true;
  shapePasses(c, form, rows, columns);
  if (isOnePass(form.walk)) {
    rows.to = "blurred";
    rows.divisor = k * k;
    rows.codes = true;
    job.dispatches = {blurDispatch(c, form, rows)};
  } else {
    job.resources.push_back(undefinedImage("rows", betweenFormat(c, form), extent));
    job.resources.back().output = false;
    const bool twice = blurContract(c, form) == BoxForm::kDouble;
    const bool exactSums = !twice && form.sums == BlurSums::kU32;
    rows.divisor = exactSums ? 1 : k;
    rows.codes = twice && form.sums != BlurSums::kU32;
    columns.divisor = exactSums ? k * k : k;
    columns.codes = true;
    job.dispatches = {blurDispatch(c, form, rows), blurDispatch(c, form, columns)};
  }
  job.resources.push_back(undefinedImage("blurred", pictureFormat(c, form), extent));
  return job;
}

BoxForm blurContract(const Case& c, const BlurForm& form) {
  if (!choosesBetween(form)) return form.contract;
  return c.value(kBetweenParameter) == static_cast<std::uint32_t>(BlurBetween::kRgba8) ? BoxForm::kDouble : BoxForm::kSingle;
}

Expected<std::vector<golden::Image>> blurExpected(const Case& c, const golden::Image& input, const BlurForm& form) {
  Expected<golden::Image> blurred = golden::boxBlur(blurContract(c, form), input, c.value(kRadiusParameter), edgeOf(c));
  if (!blurred) return blurred.error();
  return std::vector<golden::Image>{isBgra(c) ? golden::withRedAndBlueSwapped(std::move(*blurred)) : std::move(*blurred)};
}

Expected<std::vector<golden::Bounds>> blurBounds(const Case& c, const golden::Image& input, const BlurForm& form) {
  golden::BoxFloatForm bound;
  bound.contract = blurContract(c, form);
  bound.sumBits = form.sums == BlurSums::kF16 ? 11 : 24;
  bound.storeBits = c.value(kBetweenParameter) == static_cast<std::uint32_t>(BlurBetween::kRgba16f) ? 11 : 24;
  bound.accumulated = form.walk == BlurWalk::kLine || form.walk == BlurWalk::kMps;
  bound.onePass = form.walk == BlurWalk::kOnePass;
  bound.segment = form.segment;
  if (form.filtered) setLoadErrors(c, form, bound);
  Expected<golden::Bounds> bounds = golden::boxBlurBounds(bound, input, c.value(kRadiusParameter), edgeOf(c));
  if (!bounds) return bounds.error();
  if (isBgra(c)) *bounds = {golden::withRedAndBlueSwapped(std::move(bounds->low)), golden::withRedAndBlueSwapped(std::move(bounds->high))};
  return std::vector<golden::Bounds>{std::move(*bounds)};
}

// The values of "edge" are those of kEdge in shaders/edges.glsl and the order of golden::kEdges, but in filtered forms.
std::vector<Parameter> blurParameters(const BlurForm& form) {
  // 2 * sum + divisor is at most 511 times the divisor, and must stay below 2^31.
  constexpr std::uint32_t kMaxDivisor = 0x7FFFFFFF / 511;
  std::uint32_t most = form.contract == BoxForm::kDouble ? (kMaxDivisor - 1) / 2 : 1024;
  static_assert(2049 * 2049 <= kMaxDivisor && 2051 * 2051 > kMaxDivisor);
  if (form.sums != BlurSums::kU32) most = golden::boxBlurMaxRadius(BoxForm::kSingle);
  if (form.sums == BlurSums::kF16) most = kMaxHalfRadius;
  if (form.walk == BlurWalk::kScanSlide) most = kMaxScanRadius;
  if (form.walk == BlurWalk::kStrips) most = kMaxStripRadius;
  Parameter edge{kEdgeParameter, 0, 3, 0, {}};
  for (const golden::Edge e : golden::kEdges) edge.choices.emplace_back(golden::edgeName(e));
  // A sampler in texels clamps, or has a border.
  if (form.filtered) edge = {kEdgeParameter, 0, 1, 0, {"clamp", "zero"}};
  std::vector<Parameter> all = {{kRadiusParameter, 0, most, 1, {}}, edge, {kFormatParameter, 0, 1, 0, {"rgba8ui", "bgra8"}}};
  if (form.filtered && form.sums == BlurSums::kU32) all[2] = {kFormatParameter, 0, 0, 0, {"rgba8ui"}};
  if (choosesSource(form)) all.push_back({kSourceParameter, 0, 2, 2, {"rgba8", "rgba16f", "rgba32f"}});
  if (choosesBetween(form)) all.push_back({kBetweenParameter, 0, 2, 2, {"rgba8", "rgba16f", "rgba32f"}});
  return all;
}

void describeContract(Kernel& kernel, const BlurForm& form) {
  if (choosesBetween(form)) {
    kernel.contract.name = "box-blur/float";
    kernel.promise =
        "within the bound that golden/bounds/box_bounds.h proves: of the double form with rgba8 between the passes, else of the single "
        "form";
    return;
  }
  const bool twice = form.contract == BoxForm::kDouble;
  kernel.contract.name = twice ? "box-blur/double" : "box-blur/single";
  kernel.promise = twice ? "T = floor((2 * sum + k) / (2k)), k = 2r + 1, along rows, then along columns of T"
                         : "floor((2 * sum + K) / (2K)), K = (2r + 1)^2, over the square window";
  kernel.promise += form.sums == BlurSums::kU32 ? "; exact" : "; within the bound that golden/bounds/box_bounds.h proves";
}

}  // namespace lanewise
