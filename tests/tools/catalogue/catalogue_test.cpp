// The catalogue: names of cases, plans, and what the quick set covers.
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include "golden/image/inputs.h"
#include "tools/catalogue/box_blur_parts.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Case parsed(std::string_view text) {
  Expected<Case> c = parseCase(text);
  if (!c) ADD_FAILURE() << c.error().text();
  return c ? *c : Case{};
}

Job planOf(const Case& c) {
  return c.kernel->plan(c, kernelModule(*c.kernel), *inputOf(c));
}

TEST(Case, PrintsInTheFixedOrderWhateverTheOrderItWasGivenIn) {
  const std::string name = "box-blur/double/naive @ 33x65 radius=7 edge=mirror-101 format=rgba8ui input=noise:1 subgroup=4";
  EXPECT_EQ(parsed("box-blur/double/naive @ 33x65 subgroup=4 edge=mirror-101 radius=7").name(), name);
  EXPECT_EQ(parsed(name).name(), name);
}

TEST(Case, AlgorithmsOfOneContractShareTheirGolden) {
  const Case naive = parsed("box-blur/double/naive @ 2x1 input=list:255,0");
  EXPECT_EQ(naive.goldenKey(), "box-blur/double @ 2x1 radius=1 edge=clamp format=rgba8ui input=list:255,0");
  EXPECT_EQ(parsed("broken/box-blur-remainder-x4 @ 2x1 input=list:255,0").goldenKey(), naive.goldenKey());
  EXPECT_EQ(parsed("checksum/sum/shuffle @ 2x1 subgroup=4").goldenKey(), parsed("checksum/sum/shuffle @ 2x1 subgroup=8").goldenKey());
}

TEST(Case, TheNameIsAKernelAndAPoint) {
  EXPECT_EQ(splitCaseName("mine.toml @ 2x1 radius=3").kernel, "mine.toml");
  EXPECT_EQ(splitCaseName("mine.toml @ 2x1 radius=3").point, "2x1 radius=3");
  EXPECT_EQ(splitCaseName("me@home.toml").kernel, "me@home.toml");
  EXPECT_FALSE(splitCaseName("me@home.toml").point);
}

TEST(Case, WrongTextSaysWhatIsAllowed) {
  const auto error = [](std::string_view text) { return parseCase(text).error().text(); };
  EXPECT_THAT(error("box-blur/double/naive"), HasSubstr("KERNEL @ WIDTHxHEIGHT"));
  EXPECT_THAT(error("box-blur/none @ 1x1"), HasSubstr("no such kernel: 'box-blur/none'"));
  EXPECT_THAT(error("box-blur/double/naive @ 33x17 noise:1"), HasSubstr("not KEY=VALUE: 'noise:1' (33x17 noise:1"));
  EXPECT_THAT(error("box-blur/double/naive @ 0x1"), HasSubstr("each from 1 to 65535"));
  EXPECT_THAT(error("box-blur/double/naive @ 1x65536"), HasSubstr("each from 1 to 65535"));
  EXPECT_THAT(error("box-blur/double/naive @ 1x1 radius=-1"), HasSubstr("a number from 0 to 2101255"));
  EXPECT_THAT(error("box-blur/double/naive @ 1x1 radius=1x"), HasSubstr("not a radius: '1x'"));
  EXPECT_THAT(error("box-blur/double/naive @ 1x1 edge=wrap"), HasSubstr("one of clamp, mirror, mirror-101, zero"));
  EXPECT_THAT(error("box-blur/double/naive @ 1x1 subgroup=3"), HasSubstr("a power of two from 1 to 128"));
  EXPECT_THAT(error("checksum/sum/shuffle @ 1x1 radius=1"), HasSubstr("has no parameter 'radius'"));
}

TEST(Catalogue, NamesAreSortedUniqueAndHaveTheirModules) {
  for (std::size_t i = 0; i < kernels().size(); ++i) {
    const Kernel& k = kernels()[i];
    if (i != 0) {
      EXPECT_LT(kernels()[i - 1].name, k.name);
    }
    EXPECT_EQ(kernelModule(k) == nullptr, k.module.empty()) << k.name;
    EXPECT_EQ(kernelModule(k), kernelModule(k)) << "devices cache by the module's identity";
    EXPECT_TRUE(casesOf(k).ok() && !casesOf(k)->empty()) << k.name;
    EXPECT_EQ(k.broken(), !k.name.starts_with(k.contract.name + "/")) << k.name;
  }
}

TEST(Catalogue, WhatTheFullSetAndTheUsersSizesTakeRunsWithAnySubgroupSize) {
  for (const Kernel& k : kernels()) {
    if (k.broken()) continue;
    EXPECT_THAT(k.quick[0].subgroupSizes, Contains(0u)) << k.name;
    Overrides asked;
    asked.sizes = {{5, 5}};
    if (k.line) asked.sizes = {{5, 1}};
    const auto cases = *casesOf(k, asked);
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [](const Case& c) { return c.subgroupSize == 0; })) << k.name;
  }
}

TEST(Catalogue, PatternsNameKernelsAndLeaveTheBrokenOnesOut) {
  const auto names = [](std::vector<std::string> patterns) {
    const auto selected = selectKernels(patterns);
    std::vector<std::string> out;
    for (const Kernel* k : *selected) out.push_back(k->name);
    return out;
  };
  EXPECT_EQ(names({}), names({"*"}));
  EXPECT_THAT(names({}), AllOf(Contains("checksum/sum/shuffle"), Not(Contains(StartsWith("broken/")))));
  EXPECT_THAT(names({"broken/*"}), AllOf(Contains("broken/box-blur-remainder-x4"), Each(StartsWith("broken/"))));
  EXPECT_THAT(names({"*double/naive", "checksum/*"}), ElementsAre("box-blur/double/naive", "checksum/sum/shuffle"));
  const std::vector<std::string> none = {"box-blur"};
  EXPECT_THAT(selectKernels(none).error().text(), HasSubstr("no kernel matches 'box-blur'"));
}

TEST(Catalogue, StarsMatchAnyCharacters) {
  EXPECT_TRUE(matchesPattern("a*c", "ac"));
  EXPECT_TRUE(matchesPattern("a*b*", "a/xb/b"));
  EXPECT_FALSE(matchesPattern("a*b", "abc"));
  EXPECT_FALSE(matchesPattern("", "a"));
}

TEST(Plan, ABlurIsTwoPassesThatMeetInTheIntermediate) {
  const Job job = planOf(parsed("box-blur/double/naive @ 33x17 radius=7 edge=zero"));
  ASSERT_EQ(job.dispatches.size(), 2u);
  EXPECT_EQ(job.dispatches[0].groups, (Extent3{3, 2, 1}));
  EXPECT_EQ(job.dispatches[0].bindings[1].resource, job.dispatches[1].bindings[0].resource);
  EXPECT_EQ(job.dispatches[0].spec[0].value, 3u);
  EXPECT_EQ(job.dispatches[0].spec[1].value, 0u);
  EXPECT_EQ(job.dispatches[1].spec[1].value, 1u);
  EXPECT_EQ(std::to_integer<int>(job.dispatches[1].push[8]), 7);
  EXPECT_TRUE(job.resources[2].output && job.resources[2].undefined && !job.resources[1].output);
}

TEST(Plan, AnAccumulatedPassHasAnInvocationALine) {
  const Job job = planOf(parsed("box-blur/double/accumulated-x1 @ 129x64"));
  EXPECT_EQ(job.dispatches[0].groups, (Extent3{1, 1, 1}));
  EXPECT_EQ(job.dispatches[1].groups, (Extent3{3, 1, 1}));
  // Half sums start anew every 32 texels: another invocation.
  const Job half = planOf(parsed("box-blur/float/accumulated-x1-f16 @ 129x64"));
  EXPECT_EQ(half.dispatches[0].groups, (Extent3{1, 5, 1}));
  EXPECT_EQ(half.dispatches[1].groups, (Extent3{3, 2, 1}));
}

Format betweenOf(const std::string& name) {
  return std::get<ImageData>(planOf(parsed(name)).resources[1].data).format;
}

TEST(Plan, WhatStandsBetweenTheBlursPasses) {
  EXPECT_EQ(betweenOf("box-blur/double/naive @ 3x2"), Format::R8G8B8A8_UINT);
  EXPECT_EQ(betweenOf("box-blur/float/two-pass-f32 @ 3x2 between=rgba8"), Format::R8G8B8A8_UNORM);
  EXPECT_EQ(betweenOf("box-blur/float/two-pass-f16 @ 3x2 format=bgra8 between=rgba8"), Format::B8G8R8A8_UNORM);
  EXPECT_EQ(betweenOf("box-blur/float/two-pass-f16 @ 3x2"), Format::R32G32B32A32_SFLOAT);
  EXPECT_EQ(betweenOf("box-blur/float/mps-f32 @ 3x2 between=rgba16f"), Format::R16G16B16A16_SFLOAT);
  // Exact sums: 255 * 257 is the last that fits 16 bits.
  EXPECT_EQ(betweenOf("box-blur/single/two-pass @ 3x2 radius=128"), Format::R16G16B16A16_UINT);
  EXPECT_EQ(betweenOf("box-blur/single/two-pass @ 3x2 radius=129"), Format::R32G32B32A32_UINT);
}

TEST(Plan, TheMpsPairHasItsPublishedGeometry) {
  const Job job = planOf(parsed("box-blur/float/mps-f32 @ 48x64 radius=30"));
  EXPECT_EQ(job.dispatches[0].groups, (Extent3{2, 1, 1}));
  EXPECT_EQ(job.dispatches[0].spec.back().value, 32u) << "rows a group";
  EXPECT_EQ(job.dispatches[1].groups, (Extent3{3, 1, 1}));
}

TEST(Plan, DivisionByAReciprocalIsExact) {
  std::uint64_t wrong = 0;
  const auto check = [&](std::uint64_t n, std::uint64_t divisor) {
    if (n >= std::uint64_t{1} << 31) return;
    const Reciprocal r = reciprocalOf(static_cast<std::uint32_t>(divisor));
    wrong += (n * r.factor >> (32 + r.shift)) != n / divisor ? 1 : 0;
  };
  // Around every quotient of 8 bits of the divisors that the blurs have, and of the greatest ones.
  for (std::uint64_t k = 1; k <= 2049; k += 2)
    for (const std::uint64_t divisor : {std::uint64_t{2}, 2 * k, 2 * k * k, 2 * (4202511 - k + 1)})
      for (std::uint64_t q = 0; q <= 256; ++q)
        for (std::uint64_t near = 0; near < 3; ++near) check(q * divisor + near - (q == 0 ? 0 : 1), divisor);
  for (std::uint64_t divisor = 2; divisor < 2000; ++divisor)
    for (std::uint64_t n = 0x7FFFFFFF; n > 0x7FFFFFFF - 3 * divisor; --n) check(n, divisor);
  EXPECT_EQ(wrong, 0u);
}

TEST(Plan, ScanAndSlideTakesTilesOfRowsAndSegmentsOfColumns) {
  const Job job = planOf(parsed("box-blur/double/scan-slide @ 1025x85 radius=30"));
  EXPECT_EQ(job.dispatches[0].groups, (Extent3{2, 85, 1}));
  EXPECT_EQ(job.dispatches[1].groups, (Extent3{17, 2, 1}));
  EXPECT_NE(job.dispatches[0].module, job.dispatches[1].module);
  // Long segments where there are many columns: 16 of 252 rows.
  EXPECT_EQ(planOf(parsed("box-blur/double/scan-slide @ 3024x4032 radius=30")).dispatches[1].groups, (Extent3{48, 16, 1}));
  EXPECT_FALSE(parseCase("box-blur/double/scan-slide @ 1x1 radius=128").ok());
}

TEST(Plan, TheMeansOfScanAndSlideAreExactForAllSums) {
  for (std::uint32_t radius = 0; radius <= 127; ++radius) {
    const Job job = planOf(parsed("box-blur/double/scan-slide @ 1x1 radius=" + std::to_string(radius)));
    std::uint32_t push[7];
    std::memcpy(push, job.dispatches[0].push.data(), sizeof push);
    const std::uint32_t k = 2 * radius + 1;
    std::uint32_t wrong = 0;
    for (std::uint32_t sum = 0; sum <= 255 * k; ++sum) wrong += (sum * push[5] + push[6]) >> 24 != (2 * sum + k) / (2 * k);
    EXPECT_EQ(wrong, 0u) << radius;
  }
}

TEST(Plan, StripsCoverAPictureInAsManyWorkgroupsAsKeepAGpuBusy) {
  const auto groups = [](const std::string& name) { return planOf(parsed("box-blur/single/strips @ " + name)).dispatches[0].groups; };
  EXPECT_EQ(groups("1x1 radius=0"), (Extent3{1, 1, 1}));
  EXPECT_EQ(groups("480x17 radius=1"), (Extent3{1, 2, 1}));
  // 512 columns are read, so 385 of windows of 127 could be made: 384.
  EXPECT_EQ(groups("384x16 radius=63"), (Extent3{1, 1, 1}));
  EXPECT_EQ(groups("385x16 radius=63"), (Extent3{2, 1, 1}));
  EXPECT_EQ(groups("3024x4032 radius=30"), (Extent3{7, 56, 1}));
  EXPECT_EQ(groups("16384x1 radius=63"), (Extent3{43, 1, 1}));
  EXPECT_EQ(groups("1x16384 radius=63"), (Extent3{1, 391, 1}));
  EXPECT_FALSE(parseCase("box-blur/single/strips @ 1x1 radius=64").ok());
}

// A mean grows with its sum, so the first sum of each mean, and the one before it, show every error. Sums are rounded to nearest or cut,
// and a product that is added to 2^23 is rounded before or not.
TEST(Plan, TheMeansOfStripsAreExactForAllSums) {
  for (std::uint32_t radius = 0; radius <= 63; ++radius) {
    const Job job = planOf(parsed("box-blur/single/strips @ 1x1 radius=" + std::to_string(radius)));
    std::uint32_t push[8];
    ASSERT_EQ(job.dispatches[0].push.size(), sizeof push);
    std::memcpy(push, job.dispatches[0].push.data(), sizeof push);
    const auto less = std::bit_cast<float>(push[5]), weight = std::bit_cast<float>(push[6]);
    const std::uint32_t texels = (2 * radius + 1) * (2 * radius + 1);
    for (const bool cut : {false, true})
      for (const bool fused : {false, true}) {
        const auto meanOf = [&](std::uint32_t sum) {
          const double exact = double{std::bit_cast<float>(push[4] + sum) - (cut ? less : 0x1p23F)} * weight;
          const auto nearest = static_cast<float>(exact);
          const float product = cut && nearest > exact ? std::nextafter(nearest, 0.0F) : nearest;
          const double mean = fused ? exact : product;
          return static_cast<std::uint32_t>(cut ? std::floor(mean) : std::nearbyint(mean));
        };
        std::uint32_t wrong = 0;
        for (std::uint32_t mean = 1; mean <= 255; ++mean) {
          const std::uint32_t first = ((2 * mean - 1) * texels + 1) / 2;  // the least sum with 2 sum + texels >= 2 mean texels
          wrong += meanOf(first) != mean || meanOf(first - 1) != mean - 1 ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0u) << radius << cut << fused;
        EXPECT_EQ(meanOf(0), 0u) << radius;
        EXPECT_EQ(meanOf(255 * texels), 255u) << radius;
      }
  }
}

TEST(Plan, BgraIsSeenByIntegersAsRgbaAndByFloatsAsItIs) {
  const Job exact = planOf(parsed("box-blur/double/naive @ 2x1 format=bgra8 input=list:1,2,3,4,5,6,7,8"));
  EXPECT_EQ(exact.dispatches[0].bindings[0].viewFormat, Format::R8G8B8A8_UINT);
  EXPECT_EQ(exact.resources[0].bytes()[0], std::byte{3});
  EXPECT_EQ(exact.resources[0].bytes()[2], std::byte{1});
  const Job floats = planOf(parsed("box-blur/float/two-pass-f32 @ 2x1 format=bgra8"));
  EXPECT_EQ(floats.dispatches[0].bindings[0].viewFormat, Format::UNDEFINED);
}

TEST(Plan, TheChecksumHasAtMost1024Groups) {
  EXPECT_EQ(planOf(parsed("checksum/sum/shuffle @ 96x1")).dispatches[0].groups.x, 1u);
  EXPECT_EQ(planOf(parsed("checksum/sum/shuffle @ 97x1")).dispatches[0].groups.x, 2u);
  EXPECT_EQ(planOf(parsed("checksum/sum/shuffle @ 500x500")).dispatches[0].groups.x, 1024u);
}

// What the quick set promises for the two plain blurs: each class of sizes occurs on each axis, and the pairs of values.
class QuickSet : public testing::TestWithParam<const char*> {};

TEST_P(QuickSet, CoversEveryClassOfSizes) {
  std::set<std::uint32_t> widths, heights;
  const auto cases = casesOf(*findKernel(GetParam()));
  for (const Case& c : *cases) {
    widths.insert(c.size.width);
    heights.insert(c.size.height);
  }
  for (const auto& axis : {widths, heights})
    for (const std::uint32_t tile : {2u, 4u, 8u, 12u, 16u, 24u, 32u}) {
      std::set<std::uint32_t> remainders;
      for (const std::uint32_t n : axis) remainders.insert(n % tile);
      EXPECT_EQ(remainders.size(), tile) << "remainders by " << tile;
    }
  for (const auto& axis : {widths, heights})
    for (const std::uint32_t n : {1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 65u, 300u})
      EXPECT_TRUE(axis.contains(n) || (n == 65 && axis.contains(63))) << n;
  for (const std::uint32_t n : {63u, 127u, 129u}) EXPECT_TRUE(widths.contains(n) || heights.contains(n)) << n;
}

TEST_P(QuickSet, HasEveryPairOfRadiusAndEdgeAndOfBothWithTheInputs) {
  std::set<std::pair<std::string, std::string>> pairs;
  std::set<std::string> radii, inputs;
  bool beyond = false, identity = false;
  const auto cases = casesOf(*findKernel(GetParam()));
  for (const Case& c : *cases) {
    if (c.input.starts_with("impulse")) continue;
    const std::string radius = std::to_string(c.value("radius")), edge = std::to_string(c.value("edge"));
    radii.insert(radius);
    inputs.insert(c.input);
    pairs.insert({"r" + radius, "e" + edge});
    pairs.insert({"r" + radius, c.input});
    pairs.insert({"e" + edge, c.input});
    beyond |= c.value("radius") > std::max(c.size.width, c.size.height);
    identity |= c.value("radius") == 0;
  }
  EXPECT_EQ(pairs.size(), radii.size() * 4 + radii.size() * inputs.size() + 4 * inputs.size());
  EXPECT_GE(radii.size(), 7u);
  EXPECT_TRUE(beyond && identity);
}

INSTANTIATE_TEST_SUITE_P(Blurs, QuickSet, testing::Values("box-blur/double/naive", "box-blur/double/accumulated-x1"));

// Every form that takes n texels a turn meets lengths below n, with no remainder, with a remainder of 1 and with a greater one.
TEST(QuickSet, UnrolledBlursMeetEveryKindOfRemainder) {
  for (const std::uint32_t n : {2u, 4u, 8u, 12u, 16u, 24u, 32u}) {
    const Kernel* kernel = findKernel("box-blur/float/accumulated-x" + std::to_string(n) + "-f32");
    ASSERT_NE(kernel, nullptr);
    std::set<std::uint32_t> remainders;
    bool below = false;
    const auto cases = casesOf(*kernel);
    for (const Case& c : *cases)
      for (const std::uint32_t length : {c.size.width, c.size.height}) {
        remainders.insert(std::min(length % n, 2u));
        below |= length < n;
      }
    EXPECT_EQ(remainders.size(), std::min(n, 3u)) << n;
    EXPECT_TRUE(below || n == 2) << n;
  }
}

// All forms together: each edge and each radius of the plain ones, and both orders of bytes.
TEST(QuickSet, BlursTogetherHaveEveryEdgeRadiusAndFormat) {
  std::set<std::uint32_t> edges, radii, formats;
  std::size_t count = 0;
  for (const Kernel& kernel : kernels()) {
    if (!kernel.name.starts_with("box-blur/") || kernel.name == "box-blur/double/naive" || kernel.name == "box-blur/double/accumulated-x1")
      continue;
    const auto cases = casesOf(kernel);
    for (const Case& c : *cases) {
      count += c.subgroupSize == 0 && !c.slow ? 1 : 0;  // an older lavapipe does not compile the others
      edges.insert(c.value("edge"));
      radii.insert(c.value("radius"));
      formats.insert(c.value("format"));
    }
  }
  EXPECT_EQ(edges.size(), 4u);
  EXPECT_TRUE(radii.contains(0) && radii.contains(63) && radii.contains(200));
  EXPECT_EQ(formats.size(), 2u);
  EXPECT_LT(count, 250u) << "a quick set is quick";
}

TEST(QuickSet, OfSlowModulesLavapipeCompilesOneKindOfPicture) {
  const auto powerOfTwo = [](const Case& c) { return std::has_single_bit(c.size.width) || std::has_single_bit(c.size.height); };
  std::size_t slow = 0, others = 0;
  for (const Kernel& kernel : kernels()) {
    const auto cases = *casesOf(kernel);
    bool anywhere = false;
    for (const Case& c : cases) {
      anywhere |= c.subgroupSize == 0 && !c.slow;
      if (c.subgroupSize != 0 || c.slow || !powerOfTwo(c)) continue;
      EXPECT_TRUE(!kernel.slowToCompile || kernel.broken()) << c.name();
      ++others;
    }
    slow += kernel.slowToCompile ? 1 : 0;
    EXPECT_TRUE(anywhere || kernel.broken()) << kernel.name << " runs on no older lavapipe";
  }
  EXPECT_GT(slow, 10u);
  EXPECT_GT(others, 500u);
  Overrides asked;
  asked.sizes = {{64, 64}};
  EXPECT_FALSE(casesOf(*findKernel("depth/floor/spd"), asked)->front().slow) << "a size that somebody asks for runs on every device";
}

TEST(Overrides, ReplaceAnAxisAndLeaveTheOtherBlocksOut) {
  Overrides o;
  o.sizes = {{3, 2}};
  o.values = {{"radius", {"0", "9"}}};
  const auto cases = *casesOf(*findKernel("box-blur/double/naive"), o);
  EXPECT_EQ(cases.size(), 8u) << "2 radii x 4 edges";
  o.inputs = {"ramp", "noise:5"};
  EXPECT_EQ(casesOf(*findKernel("box-blur/double/naive"), o)->size(), 16u);
  o.subgroupSizes = {1, 4};
  EXPECT_EQ(casesOf(*findKernel("checksum/sum/shuffle"), o)->size(), 4u) << "a kernel without a radius ignores it";
}

TEST(Overrides, WhatIsOutsideTheDomainIsSaidBeforeAnythingRuns) {
  const Kernel& naive = *findKernel("box-blur/double/naive");
  Overrides o;
  o.values = {{"radius", {"4202512"}}};
  EXPECT_EQ(casesOf(naive, o).error().outcome, Outcome::kBadInput);
  o.values = {};
  o.sizes = {{16385, 1}};
  EXPECT_THAT(casesOf(naive, o).error().text(), HasSubstr("up to 16384"));
  o.sizes = {{2, 2}};
  o.inputs = {"impulse:2,0"};
  EXPECT_EQ(casesOf(naive, o).error().outcome, Outcome::kBadInput);
  o.inputs = {"impulse:1,0"};
  EXPECT_TRUE(casesOf(naive, o).ok());
}

// docs/contracts.md says what each contract gives. A known-bad kernel has the contract of what it gets wrong.
TEST(Catalogue, EveryContractStandsInThePage) {
  std::ifstream file(LANEWISE_CONTRACTS_PAGE);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> contracts;
  for (const Kernel& k : kernels()) contracts.insert(k.contract.name);
  EXPECT_GT(contracts.size(), 15u);
  for (const std::string& name : contracts) EXPECT_THAT(page, HasSubstr('`' + name + '`'));
}

TEST(Oracle, GivesTheSmallestFailingCasesOfTheSeeds) {
  const Case c = parsed("box-blur/double/naive @ 2x1 radius=1 input=list:255,0");
  const golden::Image input = *golden::makeInput(c.input, {2, 1});
  const auto expected = *c.kernel->expect(c, input);
  EXPECT_EQ(expected[0].get<std::uint8_t>(0, 0, 0), 170);
  EXPECT_EQ(expected[0].get<std::uint8_t>(0, 1, 0), 85);
}

}  // namespace
}  // namespace lanewise
