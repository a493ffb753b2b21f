// Bounds of the float forms: float kernels written out here must stay inside, planted defects must not, and the bounds must be narrow.
#include <cmath>

#include "golden/bounds/box_bounds.h"
#include "golden/bounds/filter_bounds.h"
#include "golden/bounds/pyramid_bounds.h"
#include "golden/image/half.h"
#include "golden/image/inputs.h"
#include "golden/oracles/levels.h"
#include "tests/golden/values.h"

namespace lanewise::golden {
namespace {

Contract contract() {
  return Contract{.name = "bounds", .proof = ""};
}

// Arithmetic of a precision: every result goes through here.
struct Rounder {
  bool half;
  float operator()(double exact) const {
    return half ? static_cast<float>(halfToDouble(halfFromDouble(exact))) : static_cast<float>(exact);
  }
};

// floor(255 m + 1/2), rounded twice.
float codeOf(float mean, Rounder r) {
  return std::clamp(std::floor(r(double{r(double{mean} * 255)} + 0.5)), 0.0f, 255.0f);
}

// How a mean is kept between the passes.
struct Between {
  const BoxFloatForm& form;
  Rounder r;
  float operator()(float mean) const {
    if (form.contract == BoxForm::kDouble) return r(double{codeOf(mean, r)} / 255.0);
    return Rounder{form.storeBits == 11}(double{mean});
  }
};

// One pass along `n` texels that are `stride` apart: direct sums, or one sum carried along a segment.
template <class Store>
void blurLine(float* line, std::size_t stride, int n, int radius, const BoxFloatForm& form, Rounder r, Store store) {
  const auto at = [&](const std::vector<float>& v, int i) { return v[static_cast<std::size_t>(std::clamp(i, 0, n - 1))]; };
  std::vector<float> in(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = line[i * stride];
  const float k = static_cast<float>(2 * radius + 1);
  const int segment = form.segment == 0 ? n : static_cast<int>(form.segment);
  float sum = 0;
  for (int x = 0; x < n; ++x) {
    if (!form.accumulated || x % segment == 0) {
      sum = 0;
      for (int i = -radius; i <= radius; ++i) sum = r(double{sum} + at(in, x + i));
    }
    line[static_cast<std::size_t>(x) * stride] = store(r(double{sum} / k));
    sum = r(double{sum} - at(in, x - radius));
    sum = r(double{sum} + at(in, x + radius + 1));
  }
}

Image floatBlur(const Image& picture, int radius, const BoxFloatForm& form) {
  const Rounder r{form.sumBits == 11};
  const auto keep = [](float mean) { return mean; };
  const std::size_t w = picture.extent.width, h = picture.extent.height, c = picture.channels;
  std::vector<float> values(picture.bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = r(std::to_integer<int>(picture.bytes[i]) / 255.0);
  for (std::size_t y = 0; y < h; ++y)
    for (std::size_t i = 0; i < c; ++i) blurLine(&values[y * w * c + i], c, static_cast<int>(w), radius, form, r, Between{form, r});
  for (std::size_t i = 0; i < w * c; ++i) blurLine(&values[i], w * c, static_cast<int>(h), radius, form, r, keep);
  Image out = picture;
  for (std::size_t i = 0; i < values.size(); ++i) out.bytes[i] = static_cast<std::byte>(static_cast<int>(codeOf(values[i], r)));
  return out;
}

TEST(GoldenBounds, FloatBlursStayInside) {
  for (const BoxFloatForm form : {BoxFloatForm{},
                                  {.storeBits = 11},
                                  {.accumulated = true},
                                  {.storeBits = 11, .accumulated = true},
                                  {.sumBits = 11, .storeBits = 11},
                                  {.sumBits = 11, .storeBits = 11, .accumulated = true},
                                  {.sumBits = 11, .storeBits = 11, .accumulated = true, .segment = 8},
                                  {.contract = BoxForm::kDouble},
                                  {.contract = BoxForm::kDouble, .accumulated = true},
                                  {.contract = BoxForm::kDouble, .sumBits = 11},
                                  {.contract = BoxForm::kDouble, .sumBits = 11, .accumulated = true, .segment = 8}})
    for (const char* name : {"noise:1", "extremes", "ramp", "constant:255"})
      for (const int radius : {0, 1, 3, 15}) {
        const Image picture = *makeInput(name, {37, 21});
        const Bounds bounds = *boxBlurBounds(form, picture, static_cast<std::uint32_t>(radius), Edge::kClamp);
        const auto diff = compareWithin(bounds, floatBlur(picture, radius, form), contract());
        ASSERT_TRUE(diff->withinTolerance()) << name << " r=" << radius << " bits " << form.sumBits << ": " << diff->first->x << ", "
                                             << diff->first->y;
      }
}

TEST(GoldenBounds, HalfSumsDriftAlongALineAndStayInside) {
  const Image picture = *makeInput("noise:1", {500, 2});
  const BoxFloatForm form{.sumBits = 11, .storeBits = 11, .accumulated = true};
  const Image drifted = floatBlur(picture, 63, form);
  EXPECT_TRUE(compareWithin(*boxBlurBounds(form, picture, 63, Edge::kClamp), drifted, contract())->withinTolerance());
  // The drift is real: far beyond what a few roundings do.
  EXPECT_GT(compareImages(*boxBlur(BoxForm::kSingle, picture, 63, Edge::kClamp), drifted, contract())->maximum, 2u);
}

TEST(GoldenBounds, BlurBoundsAreNarrowAndHoldTheExactForm) {
  const Image picture = *makeInput("noise:1", {64, 64});
  const Bounds bounds = *boxBlurBounds({}, picture, 15, Edge::kMirror);
  EXPECT_TRUE(compareWithin(bounds, *boxBlur(BoxForm::kSingle, picture, 15, Edge::kMirror), contract())->withinTolerance());
  EXPECT_LT(compareImages(bounds.low, bounds.high, contract())->differing, picture.bytes.size() / 50);
  EXPECT_LT(boxFloatError({}, {64, 64}, 15), 0.003);
  EXPECT_LT(boxFloatError({.storeBits = 11}, {64, 64}, 15), 0.26);
  EXPECT_LT(boxFloatError({.accumulated = true}, {4032, 3024}, 15), 0.5);
  // And there are forms without a bound: everything is allowed, and it says so.
  EXPECT_TRUE(std::isinf(boxFloatError({.sumBits = 11, .accumulated = true}, {4032, 3024}, 15)));
  EXPECT_EQ(boxBlurBounds({.sumBits = 11, .accumulated = true}, *makeInput("ramp", {1100, 1}), 1, Edge::kClamp)->high.bytes[0],
            std::byte{255});
}

// Codes between the passes: the double form's own result, and hardly anything else, is inside; a rounding cut off is not.
TEST(GoldenBounds, DoubleBlurBoundsAreNarrowAndHoldTheirOwnExactForm) {
  const Image picture = *makeInput("noise:1", {64, 64});
  for (const std::uint32_t radius : {1u, 15u, 63u}) {
    const Bounds bounds = *boxBlurBounds({.contract = BoxForm::kDouble, .accumulated = true}, picture, radius, Edge::kMirror101);
    EXPECT_TRUE(compareWithin(bounds, *boxBlur(BoxForm::kDouble, picture, radius, Edge::kMirror101), contract())->withinTolerance());
    EXPECT_LT(compareImages(bounds.low, bounds.high, contract())->differing, picture.bytes.size() / 50);
    EXPECT_FALSE(compareWithin(bounds, *boxBlur(BoxForm::kSingle, picture, radius, Edge::kMirror101), contract())->withinTolerance());
  }
}

TEST(GoldenBounds, SumsThatStartAnewDriftLess) {
  const BoxFloatForm whole{.sumBits = 11, .accumulated = true}, segments{.sumBits = 11, .accumulated = true, .segment = 32};
  EXPECT_TRUE(std::isinf(boxFloatError(whole, {4032, 3024}, 15)));
  EXPECT_LT(boxFloatError(segments, {4032, 3024}, 15), 64);
  EXPECT_EQ(boxFloatError(segments, {20, 10}, 15), boxFloatError(whole, {20, 10}, 15)) << "a line shorter than a segment";
}

TEST(GoldenBounds, OnePassRoundsMoreTermsAndOnlyOnce) {
  const Image picture = *makeInput("noise:1", {20, 20});
  const BoxFloatForm form{.onePass = true};
  const Bounds bounds = *boxBlurBounds(form, picture, 7, Edge::kClamp);
  EXPECT_TRUE(compareWithin(bounds, *boxBlur(BoxForm::kSingle, picture, 7, Edge::kClamp), contract())->withinTolerance());
  EXPECT_FALSE(compareWithin(bounds, *boxBlur(BoxForm::kDouble, picture, 7, Edge::kClamp), contract())->withinTolerance());
  EXPECT_LT(boxFloatError(form, {20, 20}, 0), boxFloatError({}, {20, 20}, 0));
  EXPECT_GT(boxFloatError(form, {20, 20}, 63), boxFloatError({}, {20, 20}, 63));
}

// A blur that takes texels two at a time; `stage` is what a filter makes of a pair's mean.
template <class Stage>
Image pairBlur(const Image& picture, int radius, Stage stage) {
  const auto w = static_cast<int>(picture.extent.width), h = static_cast<int>(picture.extent.height);
  const auto at = [&](const std::vector<double>& v, int x, int y) {
    return v[static_cast<std::size_t>(std::clamp(y, 0, h - 1) * w + std::clamp(x, 0, w - 1))];
  };
  std::vector<double> values;
  for (const std::byte b : picture.bytes) values.push_back(std::to_integer<int>(b) / 255.0);
  for (const int dy : {0, 1}) {
    const std::vector<double> in = values;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        const auto tap = [&](int i) { return at(in, x + i * (1 - dy), y + i * dy); };
        double sum = tap(radius);
        for (int i = -radius; i < radius; i += 2) sum += 2 * stage((tap(i) + tap(i + 1)) / 2);
        values[static_cast<std::size_t>(y * w + x)] = sum / (2 * radius + 1);
      }
  }
  Image out = picture;
  for (std::size_t i = 0; i < values.size(); ++i) out.bytes[i] = static_cast<std::byte>(static_cast<int>(255 * values[i] + 0.5));
  return out;
}

TEST(GoldenBounds, AFilterMayCutToTheTexelsPrecisionAndNoFurther) {
  const Image picture = *makeInput("noise:1", {29, 17}, 1);
  const auto cut = [](double steps) { return [steps](double mean) { return std::floor(mean * steps) / steps; }; };
  BoxFloatForm codes, halves, floats;
  for (double& e : codes.loadError) e = filterStageError(Component::kU8);
  for (double& e : halves.loadError) e = filterStageError(Component::kF16);
  for (double& e : floats.loadError) e = filterStageError(Component::kF32);
  const auto inside = [&](const BoxFloatForm& form, const Image& got) {
    return compareWithin(*boxBlurBounds(form, picture, 5, Edge::kClamp), got, contract())->withinTolerance();
  };
  EXPECT_TRUE(inside(codes, pairBlur(picture, 5, cut(255))));
  EXPECT_FALSE(inside(codes, pairBlur(picture, 5, cut(63))));
  EXPECT_TRUE(inside(halves, pairBlur(picture, 5, cut(1024))));
  EXPECT_FALSE(inside(halves, pairBlur(picture, 5, cut(255))));
  EXPECT_TRUE(inside(floats, pairBlur(picture, 5, cut(1 << 22))));
  EXPECT_FALSE(inside(floats, pairBlur(picture, 5, cut(1024))));
}

TEST(GoldenBounds, APlantedBlurDefectIsOutside) {
  // The published one: a remainder loop that reloads the wrong texels; here simply the 2x1 case, 85 expected and 170 got.
  const Image picture = *makeInput("list:255,0", {2, 1}, 1), wrong = *makeInput("list:170,170", {2, 1}, 1);
  const auto diff = compareWithin(*boxBlurBounds({.storeBits = 11, .accumulated = true}, picture, 1, Edge::kClamp), wrong, contract());
  EXPECT_EQ(diff->beyond, 1u);
  EXPECT_EQ(diff->first->x, 1u);
  EXPECT_EQ(diff->first->expectedBits, 85u);
}

// A float pyramid by the plainest code: weights in f32, vertical first, codes stored between dispatches.
struct PlainPyramid {
  bool srgb = false, half = false;
  bool dropThird = false;  // the planted defect: odd sizes without their third tap
  float off = 0;           // of the weight 1/2, as a filter's may be

  static float decode(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }
  static float encode(float x) { return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f; }

  // Three weights of texel j along an axis; unused taps weigh 0.
  void weights(std::uint32_t size, std::uint32_t j, float w[3]) const {
    const std::uint32_t n = size / 2;
    w[0] = size == 1 ? 1.0f : 0.5f - off;
    w[1] = size == 1 ? 0.0f : 0.5f + off;
    w[2] = 0;
    if (size == 1 || size % 2 == 0) return;
    const float rcp = 1.0f / static_cast<float>(2 * n + 1);
    const Rounder r{half};
    w[0] = r(double{r(double{rcp})} * (n - j));
    w[1] = r(double{r(double{rcp})} * n);
    w[2] = dropThird ? 0 : r(1.0 - w[0] - w[1]);
  }

  std::vector<float> reduce(const std::vector<float>& from, Extent e, Extent to, std::size_t channels) const {
    const Rounder r{half};
    std::vector<float> out(std::size_t{to.width} * to.height * channels);
    for (std::uint32_t y = 0; y < to.height; ++y)
      for (std::uint32_t x = 0; x < to.width; ++x)
        for (std::size_t c = 0; c < channels; ++c) {
          float wx[3], wy[3], mean = 0;
          weights(e.width, x, wx);
          weights(e.height, y, wy);
          for (std::uint32_t i = 0; i < 3; ++i) {
            float column = 0;
            for (std::uint32_t j = 0; j < 3; ++j) {
              const std::size_t sy = std::min(2 * y + j, e.height - 1), sx = std::min(2 * x + i, e.width - 1);
              column = r(double{column} + r(double{wy[j]} * from[(sy * e.width + sx) * channels + c]));
            }
            mean = r(double{mean} + r(double{wx[i]} * column));
          }
          out[(std::size_t{y} * to.width + x) * channels + c] = mean;
        }
    return out;
  }

  Image run(const Image& base, std::span<const std::uint32_t> schedule) const {
    std::uint32_t levels = 1;
    for (std::uint32_t count : schedule) levels += count;
    Image chain = makeImage(base.extent, base.channels, base.component, levels);
    std::copy(base.bytes.begin(), base.bytes.end(), chain.bytes.begin());
    std::uint32_t level = 0;
    for (std::uint32_t count : schedule) {
      std::vector<float> values = load(chain, level);
      for (std::uint32_t i = 0; i < count; ++i, ++level) {
        values = reduce(values, chain.size(level), chain.size(level + 1), chain.channels);
        store(chain, level + 1, values);
      }
    }
    return chain;
  }

  std::vector<float> load(const Image& chain, std::uint32_t level) const {
    if (chain.component == Component::kF32) return valuesOf<float>(chain, level);
    std::vector<float> values;
    for (std::uint8_t code : valuesOf<std::uint8_t>(chain, level)) {
      const float s = static_cast<float>(code) / 255.0f;
      values.push_back(srgb && values.size() % 4 != 3 ? decode(s) : Rounder{half}(double{s}));
    }
    return values;
  }

  void store(Image& chain, std::uint32_t level, const std::vector<float>& values) const {
    if (chain.component == Component::kF32) {
      setValues<float>(chain, level, values);
      return;
    }
    std::vector<std::uint8_t> codes;
    for (float v : values) {
      const float s = srgb && codes.size() % 4 != 3 ? encode(v) : v;
      codes.push_back(static_cast<std::uint8_t>(std::clamp(std::floor(255.0f * s + 0.5f), 0.0f, 255.0f)));
    }
    setValues<std::uint8_t>(chain, level, codes);
  }
};

const std::vector<std::vector<std::uint32_t>> kSchedules = {{1, 1, 1, 1, 1}, {2, 2, 1}, {5}, {3, 2}};

TEST(GoldenBounds, FloatPyramidsStayInside) {
  for (const Extent size : {Extent{32, 32}, Extent{47, 33}, Extent{36, 51}, Extent{63, 40}})
    for (const char* name : {"noise:1", "extremes", "checkerboard", "constant:1"})
      for (const auto& schedule : kSchedules)
        for (const bool srgb : {false, true}) {
          const Image base = *makeInput(name, size);
          PyramidFloatForm form;
          form.encoding = srgb ? Encoding::kSrgb : Encoding::kLinear;
          // This host's powf: a few last places of values up to 1.
          if (srgb) form.loadError = form.encodeError = 1e-4;
          const auto diff = compareWithin(*pyramidBounds(form, base, schedule), PlainPyramid{.srgb = srgb}.run(base, schedule), contract());
          ASSERT_TRUE(diff->withinTolerance()) << name << " srgb " << srgb << ": " << diff->first->x << ", " << diff->first->y;
        }
}

TEST(GoldenBounds, HalfArithmeticAndFloatFormatsStayInside) {
  for (const auto& schedule : kSchedules) {
    const Image base = *makeInput("noise:2", {48, 35});
    EXPECT_TRUE(compareWithin(*pyramidBounds({.bits = 11}, base, schedule), PlainPyramid{.half = true}.run(base, schedule), contract())
                    ->withinTolerance());
    // Odd on every level, nothing kept in memory between: only the arithmetic's own share is left of the bound.
    const Image odd = *makeInput("noise:2", {63, 63}, 4, Component::kF32);
    EXPECT_TRUE(
        compareWithin(*pyramidBounds({.sharedBits = 53}, odd, schedule), PlainPyramid{}.run(odd, schedule), contract())->withinTolerance());
    Image floats = *makeInput("noise:2", {48, 35}, 2, Component::kF32);
    for (std::size_t i = 0; i < floats.bytes.size(); i += 12) floats.bytes[i + 3] ^= std::byte{0x80};  // some below zero
    const Bounds bounds = *pyramidBounds({}, floats, schedule);
    EXPECT_TRUE(compareWithin(bounds, PlainPyramid{}.run(floats, schedule), contract())->withinTolerance());
    EXPECT_FALSE(compareWithin(bounds, PlainPyramid{.dropThird = true}.run(floats, schedule), contract())->withinTolerance());
  }
}

TEST(GoldenBounds, HalfImagesRoundOutward) {
  const Image base = *makeInput("noise:3", {9, 9}, 1, Component::kF16);
  const std::uint32_t schedule[] = {1, 1};
  const Bounds bounds = *pyramidBounds({}, base, schedule);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 4; ++x) {
      double sum = 0, area = 0;
      const Taps tx = pyramidTaps(PyramidKernel::kEnergy, x, 9), ty = pyramidTaps(PyramidKernel::kEnergy, y, 9);
      for (std::uint32_t j = 0; j < 3; ++j)
        for (std::uint32_t i = 0; i < 3; ++i) {
          const double weight = static_cast<double>(tx.weight[i] * ty.weight[j]);
          sum += weight * halfToDouble(base.get<std::uint16_t>(0, tx.first + i, ty.first + j));
          area += weight;
        }
      const double low = halfToDouble(bounds.low.get<std::uint16_t>(1, x, y)), high = halfToDouble(bounds.high.get<std::uint16_t>(1, x, y));
      EXPECT_LE(low, sum / area);
      EXPECT_GE(high, sum / area);
      EXPECT_LE(high - low, std::ldexp(1.0, -11) * 2);
    }
}

TEST(GoldenBounds, PyramidBoundsAreNarrowAndPlantedDefectsOutside) {
  const Image base = *makeInput("noise:1", {47, 33});
  for (const auto& schedule : kSchedules) {
    const Bounds bounds = *pyramidBounds({}, base, schedule);
    EXPECT_LE(compareImages(bounds.low, bounds.high, contract())->maximum, 2u);
    EXPECT_FALSE(compareWithin(bounds, PlainPyramid{.dropThird = true}.run(base, schedule), contract())->withinTolerance());
  }
  // Rounded on every level: the exact form is inside the bounds of a dispatch a level.
  EXPECT_TRUE(compareWithin(*pyramidBounds({}, base, kSchedules[0]), *pyramid({}, base, 6), contract())->withinTolerance());
  // And packed memory allows more, never less.
  const Bounds plain = *pyramidBounds({.encoding = Encoding::kSrgb}, base, kSchedules[2]);
  const Bounds packed = *pyramidBounds({.encoding = Encoding::kSrgb, .packedShared = true}, base, kSchedules[2]);
  EXPECT_TRUE(compareWithin(packed, plain.low, contract())->withinTolerance());
  EXPECT_TRUE(compareWithin(packed, plain.high, contract())->withinTolerance());
}

TEST(GoldenBounds, AFiltersWeightsMayErrByTheirLastBit) {
  const Image base = *makeInput("extremes", {32, 16});
  const std::uint32_t one[] = {1};
  const auto inside = [&](const PyramidFloatForm& form, float off) {
    return compareWithin(*pyramidBounds(form, base, one), PlainPyramid{.off = off}.run(base, one), contract())->withinTolerance();
  };
  const PyramidFloatForm filtered{.filtered = 1}, elsewhere{.filtered = 2};
  for (const float sign : {1.0f, -1.0f}) {
    EXPECT_TRUE(inside(filtered, sign * 0x1p-8f));
    EXPECT_FALSE(inside(filtered, sign * 0x1p-6f));
    EXPECT_FALSE(inside(elsewhere, sign * 0x1p-8f));
  }
  // A constant picture shows no weight: the bound is as narrow as without a filter, but for the sum's own rounding.
  const Image flat = *makeInput("constant:77", {32, 16});
  EXPECT_EQ(pyramidBounds(filtered, flat, one)->low.bytes, pyramidBounds({}, flat, one)->low.bytes);
}

// What a blit may be off by: along an odd side the place moves by the last bit of the weights; by more is outside.
TEST(GoldenBounds, ABlitsPlaceMayErrByTheWeightsLastBit) {
  const std::uint32_t one[] = {1};
  const PyramidFloatForm form{.kernel = PyramidKernel::kFilter, .filtered = 1};
  for (const std::uint32_t size : {3u, 5u, 37u, 63u}) {
    Image base = makeImage({size, 1}, 1, Component::kU8);
    for (std::uint32_t x = 1; x < size; x += 2) base.set<std::uint8_t>(0, x, 0, 0, 255);
    const Bounds bounds = *pyramidBounds(form, base, one);
    for (const auto& [off, right] : {std::pair{0.0, true}, {0x1p-8, true}, {-0x1p-8, true}, {0x1p-4, false}}) {
      Image out = bounds.low;
      for (std::uint32_t x = 0; x < size / 2; ++x) {
        const double place = (x + 0.5) * size / (size / 2) - 0.5 + off, i = std::floor(place);
        const auto at = [&](double k) { return base.get<std::uint8_t>(0, static_cast<std::uint32_t>(std::clamp(k, 0.0, size - 1.0)), 0); };
        out.set<std::uint8_t>(1, x, 0, 0, static_cast<std::uint8_t>(std::lround(at(i) + (at(i + 1) - at(i)) * (place - i))));
      }
      EXPECT_EQ(compareWithin(bounds, out, contract())->withinTolerance(), right) << size << " off by " << off;
    }
  }
}

TEST(GoldenBounds, CompareWithinNamesTheNearestAllowedValue) {
  const Bounds bounds{*makeInput("constant:10", {3, 1}, 1), *makeInput("constant:12", {3, 1}, 1)};
  const auto diff = compareWithin(bounds, *makeInput("list:9,11,15", {3, 1}, 1), contract());
  EXPECT_EQ(diff->beyond, 2u);
  EXPECT_EQ(diff->first->expectedBits, 10u);
  EXPECT_EQ(std::pair(diff->first->leastBits, diff->first->greatestBits), (std::pair<std::uint64_t, std::uint64_t>(10, 12)));
  EXPECT_EQ(diff->worst[0].expectedBits, 12u);
  EXPECT_EQ(diff->maximum, 3u);
  EXPECT_TRUE(compareWithin(bounds, *makeInput("list:10,11,12", {3, 1}, 1), contract())->withinTolerance());
  EXPECT_FALSE(compareWithin({bounds.high, bounds.low}, bounds.low, contract()).ok());
  Image nan = makeImage({3, 1}, 1, Component::kF32);
  const Bounds floats{nan, nan};
  nan.set<float>(0, 1, 0, 0, std::nanf(""));
  EXPECT_EQ(compareWithin(floats, nan, contract())->beyond, 1u);
}

TEST(GoldenBounds, NonsenseIsRefused) {
  const std::uint32_t one[] = {1}, many[] = {5};
  const Image base = *makeInput("ramp", {4, 4});
  EXPECT_FALSE(pyramidBounds({}, base, many).ok());
  EXPECT_FALSE(pyramidBounds({.bits = 30}, base, one).ok());
  EXPECT_FALSE(pyramidBounds({.bits = 11}, *makeInput("ramp", {2049, 1}), one).ok());
  EXPECT_TRUE(pyramidBounds({.kernel = PyramidKernel::k2x2, .bits = 11}, *makeInput("ramp", {2049, 1}), one).ok());
  EXPECT_FALSE(pyramidBounds({.encoding = Encoding::kSrgb}, *makeInput("ramp", {4, 4}, 4, Component::kF32), one).ok());
  EXPECT_FALSE(pyramidBounds({}, *makeInput("constant:20000", {4, 4}, 4, Component::kF32), one).ok());
}

}  // namespace
}  // namespace lanewise::golden
