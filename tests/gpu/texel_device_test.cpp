// The texel rules of the shipped profiles against the devices they describe: shader values stored to, and texels fetched from, every format
// that the device has. A NaN equals any NaN. Where a device deviates from every choice of the rules, the components are listed with the
// reason; a listed deviation that does not show fails too.
#include "model/contract/profiles.h"
#include "model/scalar/texel.h"
#include "tests/gpu/fixture.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using U = std::uint32_t;
using Vec4 = std::array<U, 4>;
constexpr U kWidth = 256, kHeight = 64, kCount = kWidth * kHeight;

std::uint64_t rounds() {
  return (operandsAsked(kCount) + kCount - 1) / kCount;
}

U magnitude(U a) {
  return a & 0x7fffffffu;
}
bool isNan(U a) {
  return magnitude(a) > 0x7f800000u;
}
bool isInteger(const FormatInfo& f) {
  return f.numeric == NumericFormat::kUint || f.numeric == NumericFormat::kSint;
}

struct Deviation {
  const char* device;
  bool fetch;
  // Of component c of the format, for a stored value (zeros in a fetch).
  bool (*where)(const FormatInfo& f, std::size_t c, const Vec4& value);
};

constexpr Deviation kDeviations[] = {
    // Each has a curve of its own.
    {"lavapipe", true, [](const FormatInfo& f, std::size_t c, const Vec4&) { return f.numeric == NumericFormat::kSrgb && c < 3; }},
    {"swiftshader", true, [](const FormatInfo& f, std::size_t c, const Vec4&) { return f.numeric == NumericFormat::kSrgb && c < 3; }},
    // The curve; and 5 and 6 bits are widened to 8 by repeating their highest bits.
    {"nvidia", true,
     [](const FormatInfo& f, std::size_t c, const Vec4&) {
       return (f.numeric == NumericFormat::kSrgb && c < 3) || f.layout.bits[c] == 5 || f.layout.bits[c] == 6;
     }},
    // Halves: as packHalf2x16, and what is too large spills into the next component. 11- and 10-bit floats are cut from those halves.
    // sRGB has a curve of its own, the next code for two values of a million, and a NaN is the largest code.
    {"swiftshader", false,
     [](const FormatInfo& f, std::size_t c, const Vec4& value) {
       if (f.numeric == NumericFormat::kUfloat) return true;
       if (f.numeric == NumericFormat::kSrgb) return c < 3;
       const auto odd = [](U v) { return magnitude(v) > 0x47801000u || (magnitude(v) < 0x38800000u && magnitude(v) != 0); };
       return f.numeric == NumericFormat::kSfloat && f.componentBits == 16 && std::any_of(value.begin(), value.end(), odd);
     }},
    // Two bits of alpha are made from ten.
    {"nvidia", false, [](const FormatInfo& f, std::size_t, const Vec4&) { return f.format == Format::A2B10G10R10_UNORM_PACK32; }},
};

class TexelDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    if (deviceNamed(name) == nullptr) GTEST_SKIP() << "there is no such device here";
    profileName_ = name.substr(0, name.find('-'));
    rules_ = profileByName(profileName_)->texel;
    device_ = openForTest(name);
    ASSERT_NE(device_, nullptr);
  }

  // The result's words, or the image's bytes; nothing where the device has no such image.
  std::vector<std::byte> run(Format format, U slot, const std::vector<Vec4>& values, std::vector<std::byte> texels) {
    const auto image = [](Format f, std::vector<std::byte> bytes) { return ImageData{f, {kWidth, kHeight, 1}, 1, 1, 2, std::move(bytes)}; };
    Job job;
    job.resources = {{"values", BufferData{bytesOf(values)}, false, false},
                     {"result", BufferData{bytesOf(values)}, false, slot >= 5},
                     {"image", image(format, std::move(texels)), false, slot < 5}};
    Dispatch d;
    d.module = testKernel("texel_copy");
    d.groups = {kCount / 64, 1, 1};
    d.push = bytesOf(std::vector<U>{slot, kCount});
    d.bindings = {{0, 0, 0, "values"}, {0, 1, 0, "result"}};
    const Format others[] = {Format::R32_SFLOAT, Format::R32_SINT, Format::R32_UINT};
    for (U s = 2; s < 8; ++s) {
      const std::string name = s == slot ? "image" : "other" + std::to_string(s);
      if (s != slot) job.resources.push_back({name, image(others[(s - 2) % 3], std::vector<std::byte>(4 * kCount)), false, false});
      d.bindings.push_back({0, s, 0, name});
    }
    job.dispatches = {d};
    RunResult result = device_->run(job);
    if (result.error) {
      EXPECT_THAT(result.error->text(), testing::HasSubstr("format is not supported for this use"));
      return {};
    }
    return result.outputs[0].bytes();
  }

  // Counts a component that agrees or not among the deviations or the differences.
  void judge(const Deviation& d, const FormatInfo& f, std::size_t c, const Vec4& value, U got, U want) {
    const bool floats = !isInteger(f);
    const bool agrees = got == want || (floats && isNan(got) && isNan(want));
    if (d.where(f, c, value)) {
      deviating_ += !agrees;
    } else {
      differences_.check(agrees ? want : got, want, static_cast<U>(c), value[c]);
    }
  }

  void expectNoDifferences(const FormatInfo& f) {
    EXPECT_NO_DIFFERENCES(differences_) << " (component, stored value) " << f.name;
    differences_ = {};
  }

  void expectAllJudged(const Deviation& d, int formats) {
    EXPECT_GE(formats, 35);
    if (d.device) {
      EXPECT_GT(deviating_, 0) << "the deviation is not there any more";
    }
  }

  Deviation deviation(bool fetch) const {
    for (const Deviation& d : kDeviations)
      if (profileName_ == d.device && d.fetch == fetch) return d;
    return {nullptr, fetch, [](const FormatInfo&, std::size_t, const Vec4&) { return false; }};
  }

  std::string profileName_;
  TexelRules rules_;
  std::unique_ptr<WorkerDevice> device_;
  reference::Differences differences_;
  int deviating_ = 0;
};

std::vector<const FormatInfo*> formats() {
  std::vector<const FormatInfo*> out;
  for (U n = 0; n < 124; ++n)
    if (const FormatInfo* f = formatInfo(Format{n}); f && f->componentBits != 64) out.push_back(f);
  return out;
}

U slotOf(const FormatInfo& f) {
  return f.numeric == NumericFormat::kSint ? 1 : f.numeric == NumericFormat::kUint ? 2 : 0;
}

TEST_P(TexelDevice, Fetches) {
  const Deviation d = deviation(true);
  int count = 0;
  for (const FormatInfo* f : formats()) {
    bool has = true;
    for (std::uint32_t round = 0; has && round < rounds(); ++round) {
      reference::Random r{3 + round};
      std::vector<std::byte> texels(std::size_t{kCount} * f->texelBytes);
      for (std::byte& b : texels) b = static_cast<std::byte>(r.next());
      const std::vector<U> got = wordsOf(run(f->format, 5 + slotOf(*f), std::vector<Vec4>(kCount), texels));
      has = !got.empty();
      for (std::size_t i = 0; has && i < kCount; ++i) {
        const Vec4 want = scalar::decodeTexel<U>(*f, rules_, texels.data() + i * f->texelBytes);
        for (std::size_t c = 0; c < 4; ++c) judge(d, *f, c, {}, got[4 * i + c], want[c]);
      }
    }
    count += has;
    expectNoDifferences(*f);
  }
  expectAllJudged(d, count);
}

// Corners, the unit interval, all magnitudes of halves; integers in and out of range.
std::vector<Vec4> storedValues(const FormatInfo& f, std::uint32_t round) {
  reference::Random r{4 + round};
  const std::vector<float> corners = reference::corners<float>();
  const auto floating = [&](U i, std::uint64_t u) {
    const auto s = static_cast<float>(static_cast<std::int32_t>(u >> 32));
    if (i < 2000) return corners[u % corners.size()];
    return i < 10000 ? s * 0x1p-31f : std::ldexp(s, static_cast<int>(u % 40) - 50);
  };
  std::vector<Vec4> values(kCount);
  for (U i = 0; i < kCount; ++i)
    for (U& v : values[i]) {
      const std::uint64_t u = r.next();
      v = isInteger(f) ? static_cast<U>(static_cast<std::int64_t>(u) >> (u % 32 + 32)) : std::bit_cast<U>(floating(i, u));
    }
  return values;
}

TEST_P(TexelDevice, Stores) {
  const Deviation d = deviation(false);
  int count = 0;
  for (const FormatInfo* f : formats()) {
    bool has = true;
    for (std::uint32_t round = 0; has && round < rounds(); ++round) {
      const std::vector<Vec4> values = storedValues(*f, round);
      const std::vector<std::byte> got =
          run(f->format, 2 + slotOf(*f), values, std::vector<std::byte>(std::size_t{kCount} * f->texelBytes));
      has = !got.empty();
      std::byte want[16];
      for (std::size_t i = 0; has && i < kCount; ++i) {
        scalar::encodeTexel(*f, rules_, values[i], want);
        // Both read back by the same rules: one word for each code, and a NaN for each NaN.
        const Vec4 a = scalar::decodeTexel<U>(*f, {}, got.data() + i * f->texelBytes), b = scalar::decodeTexel<U>(*f, {}, want);
        for (std::size_t c = 0; c < 4; ++c) judge(d, *f, c, values[i], a[c], b[c]);
      }
    }
    count += has;
    expectNoDifferences(*f);
  }
  expectAllJudged(d, count);
}

INSTANTIATE_TEST_SUITE_P(Devices, TexelDevice, testing::Values("lavapipe-8", "swiftshader", "nvidia"), deviceTestName);

}  // namespace
}  // namespace lanewise
