// Sampling on lavapipe and on the model with lavapipe's profile: random points, every address mode, filter and shape. Where the device
// takes another way than the model's one formula, the case says so and by how much at most.
#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/model.h"
#include "model/scalar/texel.h"
#include "tests/gpu/fixture.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using U = std::uint32_t;
constexpr U kPoints = 4096;

struct Shape {
  U number;
  const char* name;
  Extent3 extent;
  U dimensions, layers, levels;
};
constexpr Shape kShapes[] = {{0, "plane, powers of two", {8, 4, 1}, 2, 1, 3},
                             {0, "plane", {5, 7, 1}, 2, 1, 2},
                             {1, "volume", {4, 2, 8}, 3, 1, 2},
                             {2, "cube", {4, 4, 1}, 2, 6, 2},
                             {3, "gather", {8, 4, 1}, 2, 1, 1}};

Resource image(std::string name, Format format, const Shape& s, reference::Random& r) {
  ImageData data;
  data.format = format;
  data.extent = s.extent;
  data.dimensions = s.dimensions;
  data.layers = s.layers;
  data.levels = s.levels;
  std::vector<std::byte> bytes(data.levelOffset(data.levels));
  const FormatInfo& f = *formatInfo(format);
  for (std::size_t at = 0; at < bytes.size(); at += f.texelBytes) {
    std::array<U, 4> value;
    for (U& v : value) v = std::bit_cast<U>(static_cast<float>(r.next() % 4096) / 4096.0f);
    scalar::encodeTexel(f, {}, value, bytes.data() + at);
  }
  data.bytes = std::move(bytes);
  return {std::move(name), std::move(data), false, false};
}

Job job(const Shape& shape, Format format, const SamplerState& sampler, bool linear) {
  reference::Random r{9};
  std::vector<float> points;
  for (U i = 0; i < kPoints; ++i) {
    const auto unit = [&] { return static_cast<float>(r.next() >> 40) * 0x1p-24f; };
    for (int c = 0; c < 3; ++c) points.push_back(unit() * 4 - 2);
    points.push_back(linear ? unit() * 4 - 1 : static_cast<float>(r.next() % 4) - 1);
  }
  Job out;
  out.resources = {{"points", BufferData{bytesOf(points)}, false, false},
                   {"results", BufferData{std::vector<std::byte>(kPoints * 16)}, false, true}};
  Dispatch d;
  d.module = testKernel("sample_points");
  d.groups = {kPoints / 64, 1, 1};
  d.push = bytesOf(std::vector<U>{shape.number});
  d.bindings = {{0, 0, 0, "points"}, {0, 1, 0, "results"}};
  const U slot = shape.number == 3 ? 2 : shape.number + 2;
  constexpr Shape kOthers[] = {{0, "", {1, 1, 1}, 2, 1, 1}, {1, "", {1, 1, 1}, 3, 1, 1}, {2, "", {1, 1, 1}, 2, 6, 1}};
  for (U s = 2; s < 5; ++s) {
    const std::string name = "image" + std::to_string(s);
    out.resources.push_back(image(name, format, s == slot ? shape : kOthers[s - 2], r));
    Binding b{0, s, 0, name};
    if (s == slot) b.sampler = sampler;
    d.bindings.push_back(b);
  }
  out.dispatches = {d};
  return out;
}

class SampleDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (deviceNamed("lavapipe-8") == nullptr) GTEST_SKIP() << "lavapipe is not here";
    device_ = openForTest("lavapipe-8");
    ASSERT_NE(device_, nullptr);
  }

  struct Difference {
    U count = 0;
    float most = 0;  // the largest
    std::string first;
  };
  Difference compare(const Job& j) {
    Difference out;
    const RunResult theirs = device_->run(j), ours = model_.run(j);
    if (theirs.error || ours.error) {
      ADD_FAILURE() << (theirs.error ? theirs.error->text() : "") << (ours.error ? ours.error->text() : "");
      return out;
    }
    const std::vector<U> a = wordsOf(theirs.outputs[0].bytes()), b = wordsOf(ours.outputs[0].bytes());
    const std::vector<U> points = wordsOf(j.resources[0].bytes());
    const auto real = [](U bits) { return std::bit_cast<float>(bits); };
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      if (out.count++ == 0) {
        const U* p = points.data() + i / 4 * 4;
        out.first = fmt::format("component {} at {:.9g} {:.9g} {:.9g} level {:.9g}: the device gives {:.9g}, the model {:.9g}", i % 4,
                                real(p[0]), real(p[1]), real(p[2]), real(p[3]), real(a[i]), real(b[i]));
      }
      out.most = std::max(out.most, std::abs(real(a[i]) - real(b[i])));
    }
    return out;
  }

  std::unique_ptr<WorkerDevice> device_;
  Model model_{{*profileByName("lavapipe"), {}}};
};

// Where the device does not compute what the model does, and by how much they may differ; nothing elsewhere. Texels lie in [0, 1], so a
// filter's a + (b - a) * w moves by no more than its weight does, and each axis and the mix of two levels adds its own part.
struct Deviation {
  float most = 0;
  const char* why = "";
};

// Coordinates in another order of operations: |u| = |s| * size <= 2 * 8 on both sides. Each of at most four roundings (the model's product;
// the device's wrapping or mirroring, product and reciprocal) moves u by half a place of [8, 16), 2^-21, and with it the weight; the
// filter's own three roundings a step add 3 * 2^-25.
constexpr float kCoordinate = 4 * 0x1p-21f + 3 * 0x1p-25f;
// Filtering in 8 bits: a weight of subTexelPrecisionBits = 8 is less than 2^-8 off, and a result of 8 bits less than one code.
constexpr float kEightBits = 0x1p-8f + 1.0f / 255;

Deviation deviation(Format format, const Shape& shape, AddressMode mode, bool linear) {
  if (!linear || shape.number == 3) return {};
  const float steps = static_cast<float>(shape.dimensions + 1);  // the axes and the levels
  const bool simple = mode == AddressMode::kRepeat || mode == AddressMode::kClampToEdge;
  if (format == Format::R8G8B8A8_UNORM && simple && shape.number != 2) return {steps * kEightBits, "weights and results of 8 bits"};
  if (shape.number == 2) return {steps * kCoordinate, "the coordinates of a face are computed with one reciprocal"};
  if (mode == AddressMode::kMirroredRepeat || mode == AddressMode::kMirrorClampToEdge)
    return {steps * kCoordinate, "coordinates are mirrored before they are scaled"};
  const bool powers = (shape.extent.x & (shape.extent.x - 1)) == 0;
  if (!powers && mode == AddressMode::kRepeat) return {steps * kCoordinate, "coordinates are wrapped before they are scaled"};
  return {};
}

TEST_F(SampleDevice, GivesTheModelsBits) {
  for (const Format format : {Format::R32_SFLOAT, Format::R32G32B32A32_SFLOAT, Format::R16G16B16A16_SFLOAT, Format::R8G8B8A8_UNORM})
    for (const Shape& shape : kShapes)
      for (int mode = 0; mode < 5; ++mode)
        for (const bool linear : {false, true}) {
          SamplerState s;
          s.u = s.v = s.w = static_cast<AddressMode>(mode);
          if (linear) s.mag = s.min = s.mip = Filter::kLinear;
          const Deviation listed = deviation(format, shape, s.u, linear);
          const Difference d = compare(job(shape, format, s, linear));
          SCOPED_TRACE(fmt::format("{}, {}, {}: {} differ, at most by {}; {}", formatInfo(format)->name, shape.name, samplerText(s),
                                   d.count, d.most, d.first));
          EXPECT_LE(d.most, listed.most) << listed.why;
          EXPECT_EQ(d.count > 0, listed.most > 0) << (listed.most > 0 ? "the deviation is not there any more" : "");
        }
}

}  // namespace
}  // namespace lanewise
