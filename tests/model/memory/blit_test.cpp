// Blits on the model: which texels with which weights, between which levels, what is refused, and which events they make.
#include <gmock/gmock.h>

#include <algorithm>
#include <span>

#include "model/model.h"

namespace lanewise {
namespace {

// An image of one float a texel; level 0 holds these, the others poison.
Job blitJob(Extent3 extent, std::uint32_t levels, const std::vector<float>& base, std::vector<Blit> blits) {
  Job job;
  job.resources = {undefinedImage("picture", Format::R32_SFLOAT, extent, levels)};
  std::ranges::copy(std::as_bytes(std::span(base)), job.resources[0].bytes().begin());
  job.resources[0].undefined = false;
  job.blits = std::move(blits);
  return job;
}

std::vector<float> levelOf(const Resource& r, std::uint32_t level) {
  const auto& image = std::get<ImageData>(r.data);
  std::vector<float> out((image.levelOffset(level + 1) - image.levelOffset(level)) / sizeof(float));
  std::memcpy(out.data(), image.bytes.data() + image.levelOffset(level), out.size() * sizeof(float));
  return out;
}

std::vector<float> blitted(const Job& job, std::uint32_t level, Profile profile = {}) {
  ModelOptions options;
  options.profile = std::move(profile);
  const RunResult run = Model(options).run(job);
  EXPECT_FALSE(run.error) << (run.error ? run.error->text() : "");
  return run.error ? std::vector<float>() : levelOf(run.outputs[0], level);
}

using testing::ElementsAre;

TEST(Blit, EvenSidesAreMeansOfFourAndGoOnFromThere) {
  const Job job = blitJob({4, 2, 1}, 3, {1, 3, 10, 20, 5, 7, 30, 40}, {{"picture", 0, 1}, {"picture", 1, 2}});
  EXPECT_THAT(blitted(job, 1), ElementsAre(4, 25));
  EXPECT_THAT(blitted(job, 2), ElementsAre(14.5f));
  EXPECT_THAT(blitted(job, 0), ElementsAre(1, 3, 10, 20, 5, 7, 30, 40));
}

TEST(Blit, OddSidesTakeTwoTexelsAroundTheMiddle) {
  EXPECT_THAT(blitted(blitJob({5, 1, 1}, 2, {4, 8, 1000, 16, 20}, {{"picture", 0, 1}}), 1), ElementsAre(7, 17));
  EXPECT_THAT(blitted(blitJob({1, 5, 1}, 2, {4, 8, 1000, 16, 20}, {{"picture", 0, 1}}), 1), ElementsAre(7, 17));
  EXPECT_THAT(blitted(blitJob({3, 1, 1}, 2, {4, 8, 1000}, {{"picture", 0, 1}}), 1), ElementsAre(8));
}

TEST(Blit, UpwardsTheEdgeIsClamped) {
  Job job = blitJob({4, 1, 1}, 2, {}, {{"picture", 1, 0}});
  const float small[] = {8, 16};
  std::memcpy(job.resources[0].bytes().data() + 4 * sizeof(float), small, sizeof small);
  EXPECT_THAT(blitted(job, 0), ElementsAre(8, 10, 14, 16));
}

TEST(Blit, WeightsHaveTheProfilesBits) {
  const Job job = blitJob({7, 1, 1}, 2, {0, 256, 0, 0, 0, 0, 0}, {{"picture", 0, 1}});  // the first weight is 2/3
  Profile cut, whole;
  cut.cutWeights = true;
  whole.subTexelBits = 0;
  EXPECT_EQ(blitted(job, 1)[0], 171);
  EXPECT_EQ(blitted(job, 1, cut)[0], 170);
  EXPECT_NEAR(blitted(job, 1, whole)[0], 256 * 2 / 3.0, 1e-4);
}

TEST(Blit, EveryLayerAloneAndVolumesInThreeAxes) {
  Job layers = blitJob({2, 1, 1}, 2, {}, {{"picture", 0, 1}});
  auto& image = std::get<ImageData>(layers.resources[0].data);
  image.layers = 2;
  image.bytes.assign(image.levelOffset(2), kPoisonByte);
  const float two[] = {1, 3, 10, 30};
  std::memcpy(image.bytes.data(), two, sizeof two);
  EXPECT_THAT(blitted(layers, 1), ElementsAre(2, 20));
  Job volume = blitJob({2, 2, 2}, 2, {1, 2, 3, 4, 5, 6, 7, 8}, {{"picture", 0, 1}});
  std::get<ImageData>(volume.resources[0].data).dimensions = 3;
  EXPECT_THAT(blitted(volume, 1), ElementsAre(4.5f));
}

TEST(Blit, WhatCannotBeIsRefusedByName) {
  const auto refused = [](const std::vector<Blit>& blits, Format format = Format::R32_SFLOAT) {
    Job job = blitJob({4, 4, 1}, 2, {}, blits);
    std::get<ImageData>(job.resources[0].data).format = format;
    const RunResult run = Model().run(job);
    return run.error ? run.error->text() : "";
  };
  EXPECT_EQ(refused({{"picture", 0, 1}}), "");
  EXPECT_THAT(refused({{"pictures", 0, 1}}), testing::HasSubstr("there is no image of this name (the blit of 'pictures' from level 0)"));
  EXPECT_THAT(refused({{"picture", 0, 2}}), testing::HasSubstr("two levels"));
  EXPECT_THAT(refused({{"picture", 1, 1}}), testing::HasSubstr("two levels"));
  EXPECT_THAT(refused({{"picture", 0, 1, 1}}), testing::HasSubstr("before a dispatch that does not exist"));
  EXPECT_THAT(refused({{"picture", 0, 1}}, Format::R32_UINT), testing::HasSubstr("integers are not filtered linearly"));
}

TEST(Blit, ASavedStateGoesOnWithTheRest) {
  const Job job = blitJob({4, 1, 1}, 3, {1, 3, 10, 20}, {{"picture", 0, 1}, {"picture", 1, 2}});
  Model model;
  Expected<Execution> first = model.start(job), second = model.start(job);
  const std::vector<std::byte> before = first->save();
  EXPECT_FALSE(first->finished());
  EXPECT_FALSE(first->run());
  EXPECT_TRUE(first->finished());
  ASSERT_FALSE(second->restore(before));
  EXPECT_FALSE(second->run());
  EXPECT_EQ(second->resources()[0].bytes(), first->resources()[0].bytes());
  ASSERT_FALSE(second->restore(first->save()));
  EXPECT_TRUE(second->finished());
  Job other = job;
  other.blits.pop_back();
  EXPECT_TRUE(model.start(other)->restore(before)) << "a state of other blits";
}

// The second level is read before anything wrote it; near miss: it is written first, by another blit.
TEST(Blit, ALevelThatNobodyWroteIsAFinding) {
  ModelOptions options;
  options.findings = true;
  Job job = blitJob({4, 4, 1}, 3, {}, {{"picture", 1, 2}});
  job.resources[0].undefined = true;
  const auto findings = [&] {
    std::vector<std::string> out;
    for (const RunFinding& f : Model(options).run(job).findings) out.push_back(f.text());
    return out;
  };
  EXPECT_THAT(findings(), testing::Contains("uninitialised read: vkCmdBlitImage of 'picture', texel 0,0 of level 1, for level 2"));
  job.resources[0].undefined = false;
  EXPECT_THAT(findings(), testing::IsEmpty());
  job.resources[0].undefined = true;
  job.blits = {{"picture", 0, 1}, {"picture", 1, 2}};
  EXPECT_THAT(findings(), ElementsAre("uninitialised read: vkCmdBlitImage of 'picture', texel 0,0 of level 0, for level 1 (4 times)",
                                      testing::HasSubstr("never written")));
}

}  // namespace
}  // namespace lanewise
