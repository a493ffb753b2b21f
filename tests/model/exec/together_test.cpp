// Several workgroups in one batch (model/ir/together.h), and lanes together that the schedule has one by one: the bytes, lines and errors
// of one after another, whatever they do to each other. See also together_text_test.cpp, the corpus and the random kernels.
#include <gmock/gmock.h>

#include "model/model.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

struct Ran {
  std::string error;
  std::vector<std::vector<std::byte>> bytes;
  std::uint64_t together = 0;  // dispatches
};

Ran run(const Job& job, std::uint64_t together, ParallelRule rule = {.allowed = false}, bool lanes = false) {
  rule.together = together;
  Model model({.profile = {}, .schedule = {.lanes = lanes}, .parallel = rule});
  const RunResult r = model.run(job);
  Ran out{r.error ? r.error->text() : "", {}, model.tierReport().together};
  for (const Resource& o : r.outputs) out.bytes.push_back(o.bytes());
  return out;
}

struct Shape {
  std::uint32_t x, y;  // of a workgroup
  std::uint32_t subgroup;
  Extent3 groups;
};
constexpr Shape kShapes[] = {{32, 1, 32, {32, 1, 1}}, {8, 8, 32, {7, 3, 2}},  {64, 1, 8, {13, 1, 1}},
                             {16, 1, 16, {11, 2, 1}}, {16, 2, 8, {15, 1, 3}}, {64, 1, 64, {8, 1, 1}}};

Job jobOf(std::uint32_t mode, const Shape& s) {
  const std::uint32_t words = s.x * s.y * s.groups.x * s.groups.y * s.groups.z;
  const std::uint32_t sizes[] = {words, words, words};
  Job job = kernelJob("together", 1, sizes);
  job.dispatches[0].spec = {{0, mode}, {1, s.x}, {2, s.y}};
  job.dispatches[0].groups = s.groups;
  job.subgroupSize = s.subgroup;
  return job;
}

// Compares each shape with the run of one workgroup after another, also in parts; returns in how many shapes workgroups were together.
std::uint64_t expectSame(std::uint32_t mode, const std::function<void(Job&)>& change = {}, bool lanes = false) {
  std::uint64_t together = 0;
  for (const Shape& s : kShapes) {
    Job job = jobOf(mode, s);
    if (change) change(job);
    const Ran expected = run(job, 0, {.allowed = false}, lanes), got = run(job, 1, {.allowed = false}, lanes);
    const Ran inParts = run(job, 1, {.inOrder = {}, .least = {}, .parts = 3}, lanes);
    const std::string what = "mode " + std::to_string(mode) + ", " + std::to_string(s.x) + "x" + std::to_string(s.y);
    EXPECT_EQ(expected.together, 0u);
    EXPECT_EQ(got.error, expected.error) << what;
    EXPECT_TRUE(got.bytes == expected.bytes) << what;
    EXPECT_EQ(inParts.error, expected.error) << what << ", in parts";
    EXPECT_TRUE(inParts.bytes == expected.bytes) << what << ", in parts";
    together += got.together;
  }
  return together;
}

TEST(Together, WorkgroupsThatDoNotMeet) {
  for (const std::uint32_t mode : {0u, 1u, 2u, 5u, 6u, 7u, 8u, 9u}) EXPECT_EQ(expectSame(mode), std::size(kShapes)) << mode;
}

TEST(Together, OneStoreKeepsTheOrder) {
  for (const std::uint32_t mode : {10u, 16u}) EXPECT_EQ(expectSame(mode), std::size(kShapes)) << mode;
}

TEST(Together, WhereTheOrderCouldShowTheyAreAlone) {
  for (const std::uint32_t mode : {11u, 12u, 13u, 14u}) EXPECT_EQ(expectSame(mode), 0u) << mode;
}

// The batch stops at a barrier that one workgroup reaches and another does not; each alone does not.
TEST(Together, BarriersOfEachWorkgroup) {
  EXPECT_EQ(expectSame(3), 0u);
}

TEST(Together, AFaultIsThatOfItsWorkgroup) {
  EXPECT_EQ(expectSame(4), 0u);
  EXPECT_THAT(run(jobOf(4, kShapes[0]), 1).error, testing::HasSubstr("workgroup 5,0,0"));
}

TEST(Together, AStepLimitIsThatOfItsWorkgroup) {
  EXPECT_EQ(expectSame(15, [](Job& job) { job.limits.maxSteps = 5000; }), 0u);
  const Ran endless = run(jobOf(15, kShapes[0]), 1);
  EXPECT_NE(endless.error, "");
  EXPECT_EQ(endless.error, run(jobOf(15, kShapes[0]), 0).error);
}

TEST(Together, LanesThatDoNotMeet) {
  for (const std::uint32_t mode : {0u, 5u, 7u, 9u, 10u, 16u}) EXPECT_EQ(expectSame(mode, {}, true), std::size(kShapes)) << mode;
}

TEST(Together, WhereTheOrderCouldShowLanesRunOneByOne) {
  for (const std::uint32_t mode : {1u, 2u, 6u, 8u, 11u, 12u, 13u, 14u}) EXPECT_EQ(expectSame(mode, {}, true), 0u) << mode;
}

TEST(Together, AFaultIsThatOfItsLane) {
  EXPECT_EQ(expectSame(4, {}, true), 0u);
  EXPECT_EQ(expectSame(
                15, [](Job& job) { job.limits.maxSteps = 5000; }, true),
            0u);
}

// Workgroups that meet or do not, and their lanes: the modes of the parts.
TEST(Together, AsPartsDo) {
  constexpr std::uint32_t kGroups = 40, kWords[] = {kGroups * 128 + 1, 5}, kModes = 206;
  std::uint64_t together = 0;
  for (std::uint32_t mode = 0; mode <= kModes; ++mode) {
    Job job = kernelJob("parts_order", kGroups, kWords);
    job.dispatches[0].spec = {{0, mode == kModes ? 300 : mode}};
    job.limits.maxSteps = 5000;
    const Ran expected = run(job, 0), got = run(job, 1);
    EXPECT_EQ(got.error, expected.error) << mode;
    EXPECT_TRUE(got.bytes == expected.bytes) << mode;
    const bool may = mode == 1 || mode == 4 || mode == 8 || mode == 11 || mode == kModes;
    EXPECT_EQ(got.together, may ? 1u : 0u) << mode;
    together += got.together;
    const Ran apart = run(job, 0, {.allowed = false}, true), lanes = run(job, 1, {.allowed = false}, true);
    EXPECT_EQ(lanes.error, apart.error) << mode << ", lanes";
    EXPECT_TRUE(lanes.bytes == apart.bytes) << mode << ", lanes";
    const bool lanesMay = may || mode == 9;  // words of its own, among those of its workgroup
    EXPECT_EQ(lanes.together, lanesMay ? 1u : 0u) << mode << ", lanes";
  }
  EXPECT_EQ(together, 5u);
}

// One too few, a row of which too much would be empty, workgroups that are too large, and subgroups that are larger than they.
TEST(Together, OnlyWhereItIsWorthWhile) {
  const Job job = jobOf(0, kShapes[0]);
  EXPECT_EQ(run(job, 32).together, 1u);
  EXPECT_EQ(run(job, 33).together, 0u);
  const Shape alone[] = {{32, 1, 32, {5, 9, 1}}, {128, 1, 32, {32, 1, 1}}, {32, 1, 64, {32, 1, 1}}, {24, 1, 8, {32, 1, 1}}};
  for (const Shape& s : alone) EXPECT_EQ(run(jobOf(0, s), 1).together, 0u) << s.x << ", subgroups of " << s.subgroup;
}

// Two bindings of one buffer: what is stored through one is loaded through the other.
TEST(Together, BuffersThatAreOne) {
  Job job = jobOf(10, kShapes[0]);
  EXPECT_EQ(run(job, 1).together, 1u);
  job.dispatches[0].bindings[1].resource = job.dispatches[0].bindings[0].resource;
  const Ran expected = run(job, 0), got = run(job, 1);
  EXPECT_EQ(got.together, 0u);
  EXPECT_TRUE(got.bytes == expected.bytes);
}

// Nobody who watches sees them, and no other schedule has them.
TEST(Together, OnlyInOrderAndUnwatched) {
  const Job job = jobOf(0, kShapes[0]);
  for (const Schedule::Order order : {Schedule::Order::kReverse, Schedule::Order::kSeeded}) {
    Model model({.profile = {}, .schedule = {order, 3}});
    EXPECT_FALSE(model.run(job).error);
    EXPECT_EQ(model.tierReport().together, 0u);
  }
  Model checks({.profile = {}, .schedule = {}, .findings = true});
  EXPECT_FALSE(checks.run(job).error);
  EXPECT_EQ(checks.tierReport().together, 0u);
}

}  // namespace
}  // namespace lanewise
