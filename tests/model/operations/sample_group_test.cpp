// Sixteen lanes that sample together, quiet or observed, get the bits that each gets by itself. Random texels and points, runs of
// neighbours, rows that are enlarged, few active lanes, what is no number, every address mode, filter and reduction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "model/contract/format.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/kernels/kernels.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using U = std::uint32_t;
constexpr U kPoints = 576, kKinds = 8;
constexpr float kWidth = 45, kHeight = 6;

class Watching final : public Observer {
 public:
  std::uint32_t watches() const override { return watch::kAccess; }
};

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Resource image(std::string name, Format format, U layers, reference::Random& r) {
  ImageData data;
  data.format = format;
  data.extent = {static_cast<U>(kWidth), static_cast<U>(kHeight), 1};
  data.layers = layers;
  data.levels = 3;
  data.bytes.resize(data.levelOffset(data.levels));
  for (std::byte& b : data.bytes) b = static_cast<std::byte>(r.next());
  return {std::move(name), std::move(data), false, false};
}

// Blocks of sixteen lanes: neighbours two texels apart, neighbours one apart, edges of texels, what is hardly a number, anything, and lanes
// a part of a texel apart in two rows.
std::vector<float> points(reference::Random& r) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kOdd[] = {nan, inf, -inf, -0.0f, 0.0f, 1.0f, 1e30f, -1e30f, 0x1p-149f, 16777216.0f, -16777215.0f, 0.99999994f};
  std::vector<float> out;
  const auto unit = [&] { return static_cast<float>(r.next() >> 40) * 0x1p-24f; };
  for (U block = 0; block < kPoints / 16; ++block) {
    const auto x0 = static_cast<float>(r.next() % 56) - 20, y0 = static_cast<float>(r.next() % 10) - 2;
    for (U k = 0; k < 16; ++k) {
      const auto lane = static_cast<float>(k);
      float p[4] = {unit() * 4 - 2, unit() * 4 - 2, unit() * 4 - 1, 0};
      if (block % 6 == 0) p[0] = (x0 + 2 * lane + 1) / kWidth, p[1] = (y0 + 1) / kHeight, p[2] = 1;
      if (block % 6 == 1) p[0] = (x0 + lane + 0.75f) / kWidth, p[1] = (y0 + 0.5f) / kHeight, p[2] = 2;
      if (block % 6 == 2) p[0] = std::floor(p[0] * kWidth) / kWidth, p[1] = std::floor(p[1] * 2 * kHeight) / (2 * kHeight);
      if (block % 6 == 5) p[0] = (x0 + 0.4f * static_cast<float>(k % 8)) / kWidth, p[1] = (y0 + (k < 8 ? 0.3f : 1.3f)) / kHeight, p[2] = 1;
      for (int c = 0; c < 3 && block % 6 == 3; ++c)
        if (r.next() % 2 == 0) p[c] = kOdd[r.next() % std::size(kOdd)];
      out.insert(out.end(), p, p + 4);
    }
  }
  return out;
}

Job job(Format format, Format whole, const SamplerState& sampler, float lod) {
  reference::Random r{11};
  Job out;
  out.resources = {{"points", BufferData{bytesOf(points(r))}, false, false},
                   {"results", BufferData{std::vector<std::byte>(kPoints * kKinds * 16)}, false, true},
                   image("plane", format, 1, r),
                   image("layers", format, 3, r),
                   image("whole", whole, 1, r)};
  Dispatch d;
  d.module = testKernel("sample_together");
  d.groups = {kPoints / 64, 1, 1};
  d.push = bytesOf(std::vector<float>{lod});
  for (U i = 0; i < 5; ++i) d.bindings.push_back({0, i, 0, out.resources[i].name});
  for (U i = 2; i < 5; ++i) d.bindings[i].sampler = sampler;
  SamplerState& integers = d.bindings[4].sampler;
  integers.mag = integers.min = integers.mip = Filter::kNearest;
  integers.reduction = Reduction::kWeightedAverage;
  integers.integerBorder = true;
  out.dispatches = {d};
  return out;
}

void expectSame(const std::vector<Resource>& of, const std::vector<Resource>& reference) {
  const std::vector<std::byte>&a = of[0].bytes(), &b = reference[0].bytes();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i + 4 <= a.size(); i += 4) {
    U x, y;
    std::memcpy(&x, a.data() + i, 4);
    std::memcpy(&y, b.data() + i, 4);
    ASSERT_EQ(x, y) << fmt::format("point {}, kind {}, component {}: {:08x} and {:08x}", i / 16 / kKinds, i / 16 % kKinds, i / 4 % 4, x, y);
  }
}

void compare(const Profile& profile, Job j, U active) {
  Model model({profile, {}});
  j.dispatches[0].spec = {{1, active}};
  const RunResult together = model.run(j);
  ASSERT_FALSE(together.error) << together.error->text();
  Expected<Execution> watched = model.start(j);
  ASSERT_TRUE(watched) << watched.error().text();
  Watching observer;
  const auto error = watched->run(observer);
  ASSERT_FALSE(error) << error->text();
  j.dispatches[0].spec.push_back({0, 1});
  const RunResult alone = model.run(j);
  ASSERT_FALSE(alone.error) << alone.error->text();
  expectSame(together.outputs, alone.outputs);
  expectSame(watched->takeOutputs(), alone.outputs);
}

TEST(SampleGroup, LanesTogetherGetWhatEachGetsAlone) {
  using enum Format;
  const std::pair<Format, Format> formats[] = {
      {R32_SFLOAT, R32_UINT},         {R8G8B8A8_UNORM, R8G8B8A8_UINT},     {R16G16B16A16_SFLOAT, R16G16B16A16_UINT},
      {R32G32B32A32_SFLOAT, R8_UINT}, {R8G8B8A8_SRGB, R32G32_UINT},        {R16_SFLOAT, R32G32B32A32_UINT},
      {R8_SNORM, R16_UINT},           {B10G11R11_UFLOAT_PACK32, R8G8_UINT}};
  const float lods[] = {-1, 0, 0.7f, 1.5f, 9};
  const Profile profiles[] = {Profile{}, *profileByName("adverse"), *profileByName("lavapipe")};
  std::size_t n = 0;
  for (const auto& [format, whole] : formats)
    for (U mode = 0; mode < 5; ++mode)
      for (U filter = 0; filter < 4; ++filter, ++n) {
        SamplerState s;
        s.u = static_cast<AddressMode>(mode);
        s.v = static_cast<AddressMode>((mode + n) % 5);
        if (filter > 0) s.mag = s.min = Filter::kLinear;
        if (filter > 1) s.mip = Filter::kLinear;
        s.border = {0x3f000000u, 0x7fc00123u, 0x40400000u, 0x3e800000u};
        if (filter == 3) s.reduction = n % 2 ? Reduction::kMin : Reduction::kMax;
        const Profile& profile = profiles[n % 3];
        SCOPED_TRACE(fmt::format("{}, {}, {}, {}", formatInfo(format)->name, formatInfo(whole)->name, samplerText(s), profile.name));
        compare(profile, job(format, whole, s, lods[n % 5]), n % 3 == 1 ? 16 : 3);
        if (HasFatalFailure()) return;
      }
}

}  // namespace
}  // namespace lanewise
