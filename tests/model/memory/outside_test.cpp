// What accesses outside of buffers and images do under each choice of a profile: quiet and observed, and for lanes that run alone.
#include "model/model.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

using testing::Each;
using testing::ElementsAre;

struct How {
  OutsideBuffer buffer = OutsideBuffer::kZero;
  OutsideImage image = OutsideImage::kZero;
  bool findings = false, lanes = false;
};

template <class T>
std::vector<T> valuesOf(const RunResult& result, const std::string& name) {
  std::vector<T> out;
  for (const Resource& r : result.outputs)
    if (r.name == name) {
      out.resize(r.bytes().size() / sizeof(T));
      std::memcpy(out.data(), r.bytes().data(), r.bytes().size());
    }
  return out;
}

RunResult run(const char* file, const How& how) {
  Profile profile;
  profile.outsideBuffer = how.buffer;
  profile.outsideImage = how.image;
  RunResult result = Model({.profile = profile, .schedule = {.lanes = how.lanes}, .findings = how.findings}).run(programJob(file));
  EXPECT_FALSE(result.error) << result.error->text();
  return result;
}

template <class Check>
void inEveryWay(How how, const Check& check) {
  for (const bool findings : {false, true})
    for (const bool lanes : {false, true}) {
      SCOPED_TRACE(std::string(findings ? "observed" : "quiet") + (lanes ? ", lanes alone" : ""));
      how.findings = findings;
      how.lanes = lanes;
      check(how);
    }
}

TEST(Outside, LoadsGiveZeroOrTheLastElement) {
  for (const OutsideBuffer rule : {OutsideBuffer::kZero, OutsideBuffer::kWithin})
    inEveryWay({.buffer = rule}, [&](const How& how) {
      const RunResult result = run("outside.comp", how);
      const bool within = rule == OutsideBuffer::kWithin;
      const auto o = valuesOf<std::uint32_t>(result, "12");
      const auto r = valuesOf<float>(result, "11");
      EXPECT_THAT(std::vector(o.begin() + 4, o.begin() + 8), Each(within ? 15u : 0u));
      EXPECT_THAT(std::vector(o.begin() + 16, o.begin() + 20), Each(within ? 15u : 0u));
      EXPECT_THAT(std::vector(r.begin() + 28, r.begin() + 36), Each(within ? 3.5f : 0.0f));
      EXPECT_THAT(std::vector(o.begin() + 20, o.end()), ElementsAre(14, 15, 15, 15)) << "inside nothing changes";
      EXPECT_EQ(result.findings.empty(), !how.findings) << "it is told all the same";
    });
}

// a[far] = 5; atomicAdd(a[far], 3) of four invocations; then one of them stores a[3]. Workgroup memory has no robust access.
TEST(Outside, StoresAndAtomicsAreDroppedOrGoToTheEnd) {
  inEveryWay({.buffer = OutsideBuffer::kWithin}, [](const How& how) {
    const RunResult result = run("out_of_range.comp", how);
    const auto a = valuesOf<std::uint32_t>(result, "0");
    EXPECT_THAT(std::vector(a.begin(), a.begin() + 3), ElementsAre(1, 2, 3));
    EXPECT_EQ(a[3], how.lanes ? 5u + 3 : 77u) << "which is the last to store depends on the order of the lanes";
    const auto o = valuesOf<std::uint32_t>(result, "1");
    EXPECT_EQ(o[11], 1u);
    EXPECT_THAT(std::vector(o.begin() + 8, o.begin() + 11), Each(0u));
    EXPECT_EQ(valuesOf<std::uint32_t>(run("outside_atomic.comp", how), "0")[3], 24u) << "four additions to 4";
  });
  inEveryWay({.buffer = OutsideBuffer::kZero}, [](const How& how) {
    EXPECT_THAT(valuesOf<std::uint32_t>(run("out_of_range.comp", how), "0"), ElementsAre(1, 2, 3, 77));
    EXPECT_EQ(valuesOf<std::uint32_t>(run("outside_atomic.comp", how), "0")[3], 9u);
  });
}

TEST(Outside, AlphaIsZeroOneOrAsTheFormatHasIt) {
  struct Row {
    OutsideImage rule;
    float withAlpha, without;
  };
  for (const Row row : {Row{OutsideImage::kZero, 0, 0}, {OutsideImage::kByFormat, 0, 1}, {OutsideImage::kAlphaOne, 1, 1}})
    inEveryWay({.image = row.rule}, [&](const How& how) {
      const RunResult result = run("outside.comp", how);
      const auto r = valuesOf<float>(result, "11");
      const auto o = valuesOf<std::uint32_t>(result, "12");
      for (std::size_t texel : {0u, 5u}) EXPECT_EQ(r[texel * 4 + 3], row.withAlpha) << texel;
      for (std::size_t texel : {1u, 2u, 3u, 4u, 6u}) EXPECT_EQ(r[texel * 4 + 3], row.without) << texel;
      for (std::size_t texel = 0; texel < 7; ++texel) EXPECT_THAT(std::vector(&r[texel * 4], &r[texel * 4 + 3]), Each(0.0f)) << texel;
      EXPECT_THAT(std::vector(o.begin(), o.begin() + 4), ElementsAre(0, 0, 0, row.withAlpha));
      EXPECT_THAT(std::vector(o.begin() + 8, o.begin() + 12), ElementsAre(0, 0, 0, row.without));
      EXPECT_THAT(std::vector(o.begin() + 12, o.begin() + 16), ElementsAre(0, 0, 0, row.without));
      EXPECT_THAT(std::vector(r.begin() + 40, r.end()), ElementsAre(2, 0, 0, 1, 1, 1, 1, 1)) << "inside nothing changes";
    });
}

}  // namespace
}  // namespace lanewise::text
