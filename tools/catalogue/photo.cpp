// The photo statistics' kernels: fingerprint histogram, saturation and its sums, Sobel, bilinear scale, cosine (docs/contracts.md, 7 to
// 10). Each in two forms: bounds-checked, and non-uniform groups, where the picture is cut into dispatches that fit exactly.
#include "tools/catalogue/families.h"
#include "tools/catalogue/photo_parts.h"

#include "golden/oracles/bilinear.h"
#include "golden/oracles/fingerprint.h"
#include "golden/oracles/saturation.h"
#include "golden/oracles/sobel.h"

namespace lanewise {
namespace {

using Images = Expected<std::vector<golden::Image>>;
using Module = std::shared_ptr<const ShaderModule>;

constexpr PhotoGroups kSquare{16, 16, 1};
// Texels an invocation of the workgroup histogram, so that a tile of 16x128 pays the walk over 2048 buckets once.
constexpr PhotoGroups kTall{16, 16, 8};
constexpr PhotoGroups kLine{256, 1, 1};

Resource target(std::string name, Format format, Size size) {
  Resource out = undefinedImage(std::move(name), format, {size.width, size.height, 1});
  return out;
}

template <bool kChecked>
Job planFingerprintGlobal(const Case& c, Module module, const golden::Image& input) {
  return photoJob({c, std::move(module), {inputPicture("source", input), zeroedOutput("histogram", 2048 * 4)}}, c.size, kSquare, kChecked);
}

template <bool kChecked>
Job planFingerprintWorkgroup(const Case& c, Module module, const golden::Image& input) {
  return photoJob({c, std::move(module), {inputPicture("source", input), zeroedOutput("histogram", 2048 * 4)}}, c.size,
                  kChecked ? kTall : kSquare, kChecked);
}

template <bool kChecked>
Job planSaturation(const Case& c, Module module, const golden::Image& input) {
  return photoJob({c, std::move(module), {inputPicture("source", input), target("saturation", Format::R32_SFLOAT, c.size)}}, c.size,
                  kSquare, kChecked);
}

template <bool kChecked>
Job planSaturationSums(const Case& c, Module module, const golden::Image& input) {
  return photoJob({c, std::move(module), {inputPicture("source", input), zeroedOutput("sums", 256 * 8)}}, c.size, kSquare, kChecked);
}

template <bool kChecked>
Job planSobel(const Case& c, Module module, const golden::Image& input) {
  return photoJob(
      {c, std::move(module), {inputPicture("source", input), zeroedOutput("sums", 2 * 8), target("magnitude", Format::R16_UINT, c.size)}},
      c.size, kSquare, kChecked);
}

Size scaledSize(const Case& c) {
  return {c.value(kToWidthParameter), c.value(kToHeightParameter)};
}

template <bool kChecked>
Job planBilinear(const Case& c, Module module, const golden::Image& input) {
  const Size to = scaledSize(c);
  return photoJob({c, std::move(module), {inputPicture("source", input), target("scaled", Format::R8G8B8A8_UINT, to)}}, to, kSquare,
                  kChecked);
}

template <bool kChecked>
Job planCosine(const Case& c, Module module, const golden::Image& input) {
  const PhotoVectors v = photoVectors(input);
  return photoJob({c, std::move(module), {inputBuffer("a", v.a), inputBuffer("b", v.b), zeroedOutput("sums", 12 * 4)}},
                  {v.a.extent.width, 1}, kLine, kChecked);
}

Images one(Expected<golden::Image> image) {
  if (!image) return image.error();
  return std::vector<golden::Image>{std::move(*image)};
}

Images expectFingerprint(const Case&, const golden::Image& input) {
  return one(golden::fingerprint(input));
}
Images expectSaturation(const Case&, const golden::Image& input) {
  return one(golden::saturation(input));
}
Images expectSaturationSums(const Case&, const golden::Image& input) {
  return one(golden::saturationSums(input));
}
Images expectBilinear(const Case& c, const golden::Image& input) {
  return one(golden::bilinearScale(input, {scaledSize(c).width, scaledSize(c).height}));
}

// The sums first, as the kernel's bindings have them.
Images expectSobel(const Case&, const golden::Image& input) {
  Expected<golden::Image> magnitude = golden::sobel(input);
  if (!magnitude) return magnitude.error();
  const Expected<golden::Moments> moments = golden::moments(*magnitude);
  if (!moments) return moments.error();
  golden::Image sums = golden::makeImage({2, 1}, 1, golden::Component::kU64);
  const std::uint64_t values[] = {moments->sum, moments->sumOfSquares};
  golden::setValues<std::uint64_t>(sums, 0, values);
  return std::vector<golden::Image>{std::move(sums), std::move(*magnitude)};
}

Images expectCosine(const Case&, const golden::Image& input) {
  const PhotoVectors v = photoVectors(input);
  const Expected<golden::Cosine> cosine = golden::cosine(v.a, v.b);
  if (!cosine) return cosine.error();
  golden::Image sums = golden::makeImage({12, 1}, 1, golden::Component::kU32);
  std::uint32_t at = 0;
  for (const golden::Natural* sum : {&cosine->dot, &cosine->aa, &cosine->bb})
    for (int word = 0; word < 4; ++word) sums.set(0, at++, 0, 0, static_cast<std::uint32_t>((*sum >> (32 * word)).low64()));
  return one(std::move(sums));
}

using Numbers = std::vector<golden::ExactNumber>;

std::uint64_t texelsOf(const Case& c) {
  return std::uint64_t{c.size.width} * c.size.height;
}
Numbers saturationNumbers(const Case& c, std::span<const golden::Image> outputs) {
  return {golden::meanSaturation(outputs[0], texelsOf(c))};
}
Numbers sobelNumbers(const Case& c, std::span<const golden::Image> outputs) {
  return golden::sobelMoments(outputs[0], texelsOf(c));
}
Numbers cosineNumbers(const Case&, std::span<const golden::Image> outputs) {
  return {golden::cosineOf(outputs[0])};
}

// What all kernels of one contract have in common.
struct PhotoContract {
  const char* name;
  const char* promise;
  std::string oracle;
  Images (*expect)(const Case&, const golden::Image&);
  bool startsAtZero;  // outputs that are sums: a value like poison is possible and means nothing
  Numbers (*numbers)(const Case&, std::span<const golden::Image>) = nullptr;
};

const PhotoContract kFingerprint{
    "photo/fingerprint", "2048 counts by 3 bits of red, green, blue and the quarter 2 * floor(2y / H) + floor(2x / W); they sum to W * H",
    "fingerprint-" + std::to_string(golden::kFingerprintVersion), expectFingerprint, true};
const PhotoContract kSaturation{"photo/saturation", "(max - min) / max over r, g, b, 0 for black, as the correctly rounded 32-bit float",
                                "saturation-" + std::to_string(golden::kSaturationVersion), expectSaturation, false};
const PhotoContract kSaturationSums{"photo/saturation-sums",
                                    "for each m the sum of max - min where max is m, 64 bits: the mean is exact",
                                    "saturation-" + std::to_string(golden::kSaturationVersion),
                                    expectSaturationSums,
                                    true,
                                    saturationNumbers};
const PhotoContract kSobel{"photo/sobel",
                           "nearest integer to sqrt(Gx^2 + Gy^2) of the rounded luma; exact sums of it and of its square",
                           "sobel-" + std::to_string(golden::kSobelVersion),
                           expectSobel,
                           false,
                           sobelNumbers};
const PhotoContract kBilinear{"photo/bilinear", "sampled at (x + 1/2) * W / w - 1/2 exactly, two taps an axis, clamped, one rounding",
                              "bilinear-" + std::to_string(golden::kBilinearVersion), expectBilinear, false};
const PhotoContract kCosine{"photo/cosine",
                            "the exact sums of a*b, a*a, b*b in 128 bits; even rows are a, odd rows b, a last even row is both",
                            "fingerprint-" + std::to_string(golden::kFingerprintVersion),
                            expectCosine,
                            true,
                            cosineNumbers};

using MakeJob = Job (*)(const Case&, Module, const golden::Image&);

Kernel row(const PhotoContract& contract, const char* algorithm, const char* module, const char* summary, MakeJob plan) {
  Kernel k;
  k.name = std::string(contract.name) + "/" + algorithm;
  k.module = module;
  k.summary = summary;
  k.promise = contract.promise;
  k.contract.name = contract.name;
  if (contract.startsAtZero) k.contract.poison.reset();
  k.oracle = contract.oracle;
  k.parameters = {{kFormatParameter, 0, 0, 0, {"rgba8ui"}}};
  k.plan = plan;
  k.expect = contract.expect;
  k.numbers = contract.numbers;
  return k;
}

// Sizes of every kind: a side of 1, odd and even sides, a tile of 16 with its neighbours, several tiles with a strip to the right, below
// and both, more rows than the tall tile of 128, a corner group of one invocation.
CaseBlock spread() {
  CaseBlock b;
  b.sizes = {{1, 1}, {2, 3}, {3, 2}, {1, 7}, {16, 16}, {17, 15}, {15, 17}, {32, 48}, {33, 31}, {64, 1}, {45, 131}, {17, 17}};
  b.values = {{0}};
  b.inputs = {"noise:1", "extremes:1", "ramp", "constant:255", "checkerboard"};
  return b;
}

// The same sizes with other inputs: a second turn of the inputs would meet each size with the same one.
CaseBlock secondTurn() {
  CaseBlock b = spread();
  b.inputs = {"ramp", "noise:2", "constant:0"};
  return b;
}

// Every quotient (max - min) / max of 8 bits: a ramp of 256x256 has red by column and green by row; blue grows with both and lies between.
CaseBlock allQuotients() {
  CaseBlock b;
  b.sizes = {{256, 256}};
  b.values = {{0}};
  b.inputs = {"ramp"};
  return b;
}

// A workgroup's sum of 1 for a maximum.
CaseBlock smallestSum() {
  CaseBlock b = spread();
  b.sizes = {{1, 1}};
  b.inputs = {"list:1,0,0,255"};
  return b;
}

// Magnitudes whose squares sum to more than 2^32: the carry into the high word.
CaseBlock sobelCarry() {
  CaseBlock b = spread();
  b.sizes = {{192, 160}};
  b.inputs = {"extremes:1"};
  return b;
}

std::vector<CaseBlock> bilinearQuick() {
  CaseBlock b = spread();
  // Same size (the identity), one texel, halves, odd ratios up and down, an upper side of a tile and one more.
  b.sizes = {{1, 1}, {2, 3}, {17, 15}, {33, 31}, {64, 1}};
  b.values = {{0}, {1, 17, 33}, {1, 31}};
  // Unit products of more than 32 - 9 bits: wide arithmetic decides.
  CaseBlock wide;
  wide.sizes = {{3, 2}};
  wide.values = {{0}, {2500}, {3}};
  wide.inputs = {"noise:3"};
  CaseBlock tall = wide;
  tall.sizes = {{7, 300}};
  tall.values = {{0}, {3}, {1999}};
  // A product of sides (of the target) whose weighted sums pass 32 bits, for a code that is not the greatest, so that too much shows
  // too; and one whose sums have bit 31.
  CaseBlock high = wide;
  high.sizes = {{1, 1}};
  high.values = {{0}, {16384}, {260}};
  high.inputs = {"list:254,130,1,255"};
  return {b, wide, tall, high};
}

std::vector<CaseBlock> cosineQuick() {
  CaseBlock b = spread();
  b.inputs = {"noise:1", "constant:255", "noise:2", "ramp"};
  b.sizes = {{1, 1}, {1, 2}, {2, 2}, {255, 2}, {256, 3}, {257, 2}, {31, 37}, {512, 4}};
  // The smallest whose products pass 32 bits, and the one whose published result is 181.
  CaseBlock smallest = b;
  smallest.sizes = {{1, 1}};
  smallest.inputs = {"list:0,0,1,0"};
  CaseBlock second = b;
  second.sizes = {{1, 2}};
  second.inputs = {"list:1,0,1,0,1,0,0,0"};
  return {b, smallest, second};
}

void addFingerprints(std::vector<Kernel>& all) {
  all.push_back(row(kFingerprint, "global", "photo_fingerprint_global", "one global atomic a texel", planFingerprintGlobal<true>));
  all.push_back(row(kFingerprint, "global-nonuniform", "photo_fingerprint_global", "the same in groups that fit, without a bounds check",
                    planFingerprintGlobal<false>));
  all.push_back(row(kFingerprint, "workgroup", "photo_fingerprint_workgroup", "a histogram a workgroup, then global atomics",
                    planFingerprintWorkgroup<true>));
  all.push_back(row(kFingerprint, "workgroup-nonuniform", "photo_fingerprint_workgroup",
                    "the same in groups that fit, without a bounds check", planFingerprintWorkgroup<false>));
  for (Kernel& k : all) k.quick = {spread(), secondTurn()};
}

void addBoth(std::vector<Kernel>& all, const PhotoContract& contract, const char* module, const char* summary, MakeJob checked,
             MakeJob nonuniform, const std::vector<CaseBlock>& quick) {
  all.push_back(row(contract, "checked", module, summary, checked));
  all.push_back(row(contract, "nonuniform", module, "the same in groups that fit, without a bounds check", nonuniform));
  for (std::size_t i = all.size() - 2; i < all.size(); ++i) all[i].quick = quick;
}

template <bool kJoinedByOr>
Job planLocation(const Case& c, Module module, const golden::Image& input) {
  Job job = planFingerprintGlobal<true>(c, std::move(module), input);
  for (Dispatch& d : job.dispatches) d.spec.back() = {3, kJoinedByOr ? 1u : 0u};
  return job;
}

void addBroken(std::vector<Kernel>& all) {
  Kernel location = row(kFingerprint, "", "broken/fingerprint_location", "the location overflows two bits for odd sides (P1, P2, P4)",
                        planFingerprintGlobal<true>);
  location.name = "broken/fingerprint-location";
  CaseBlock odd;
  odd.sizes = {{2, 3}, {3, 2}, {2, 2}};  // even sides are right
  odd.values = {{0}};
  odd.inputs = {"constant:0", "constant:255"};
  odd.everyInput = true;
  location.quick = {odd};
  // The texel at (0, 2) alone: the others, red, lie in higher buckets.
  const std::string red = "255,0,0,0,255,0,0,0,255,0,0,0,255,0,0,0,", last = ",255,0,0,0";
  location.defects = {
      {.id = "P1",
       .point = "2x3 input=list:" + red + "0,0,0,0" + last,
       .text = "texel 2: 1 expected, 0 got",
       .nearMiss = "2x2 input=noise:1"},
      {.id = "P2", .point = "2x3 input=constant:255", .text = "texel 2044: 2 expected, 1 got", .nearMiss = "2x2 input=constant:255"},
      {.id = "P4", .point = "3x2 input=constant:0", .text = "texel 0: 2 expected, 1 got", .nearMiss = "4x2 input=noise:1"}};
  location.plan = planLocation<false>;
  Kernel joined = location;
  joined.name = "broken/fingerprint-location-or";
  joined.summary = "the same, its parts joined by OR: another wrong bucket (P3)";
  joined.plan = planLocation<true>;
  joined.defects = {{.id = "P3",
                     .point = "2x3 input=list:" + red + "0,0,32,0" + last,
                     .text = "texel 4: 0 expected, 1 got",
                     .nearMiss = "2x2 input=constant:32"}};
  joined.quick[0].inputs = {"constant:32", "constant:0"};
  all.push_back(std::move(location));
  all.push_back(std::move(joined));
  Kernel wraps = row(kCosine, "", "broken/cosine_wraps", "products and sums of 32 bits wrap (P5)", planCosine<true>);
  wraps.name = "broken/cosine-wraps";
  wraps.quick = cosineQuick();
  std::rotate(wraps.quick.begin(), wraps.quick.begin() + 1, wraps.quick.end());
  wraps.largestSide = 4096;
  wraps.defects = {
      {.id = "P5", .point = "1x1 input=list:0,0,1,0", .text = "texel 1: 1 expected, 0 got", .nearMiss = "1x1 input=list:255,255,0,0"}};
  all.push_back(std::move(wraps));
}

}  // namespace

std::vector<Kernel> photoKernels() {
  std::vector<Kernel> all;
  addFingerprints(all);
  addBoth(all, kSaturation, "photo_saturation", "one invocation a texel, an integer division", planSaturation<true>, planSaturation<false>,
          {spread(), allQuotients()});
  addBoth(all, kSaturationSums, "photo_saturation_sums", "256 sums a workgroup, then global atomics with a carry", planSaturationSums<true>,
          planSaturationSums<false>, {spread(), secondTurn(), smallestSum()});
  addBoth(all, kSobel, "photo_sobel", "one invocation a texel, sums a workgroup, then global atomics with a carry", planSobel<true>,
          planSobel<false>, {spread(), secondTurn(), sobelCarry()});
  addBoth(all, kBilinear, "photo_bilinear", "one invocation a texel, four taps, 64-bit integers", planBilinear<true>, planBilinear<false>,
          bilinearQuick());
  addBoth(all, kCosine, "photo_cosine", "one invocation an element, a tree a workgroup, then atomics with carries", planCosine<true>,
          planCosine<false>, cosineQuick());
  for (Kernel& k : all) {
    if (k.contract.name == kBilinear.name) {
      k.parameters.push_back({kToWidthParameter, 1, 16384, 8, {}});
      k.parameters.push_back({kToHeightParameter, 1, 16384, 8, {}});
      k.slowToCompile = true;  // a pipeline for each pair of sizes
    }
    // One-dimensional groups of 256 elements: at most 65535 of them.
    if (k.contract.name == kCosine.name) k.largestSide = 4096;
  }
  addBroken(all);
  return all;
}

}  // namespace lanewise
