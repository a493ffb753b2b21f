// A module's interface, the job made of it, and differences of what two sides give.
#include <cstring>

#include "tests/tools/run/two_entries.h"
#include "tools/run/make_job.h"
#include "tools/run/output.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

TEST(RunInterface, ReadsBlocksAndEntryPoints) {
  const Expected<Interface> i = readInterface(*assembled(kTwoEntries));
  ASSERT_TRUE(i) << i.error().text();
  ASSERT_EQ(i->entries.size(), 2u);
  const InterfaceEntry& first = i->entries[0];
  EXPECT_EQ(first.localSize[1], 2u);
  ASSERT_EQ(first.bindings.size(), 1u);
  EXPECT_EQ(first.bindings[0].text(), "1:2 (data)");
  EXPECT_EQ(first.bindings[0].kind, DescriptorKind::kStorageBuffer);
  EXPECT_EQ(first.pushBytes, 16u);
  EXPECT_EQ(laidOutSize(*first.bindings[0].type), 48u);
  EXPECT_EQ(runtimeStride(*first.bindings[0].type), 24u);
  ASSERT_EQ(i->entries[1].bindings.size(), 1u);
  EXPECT_EQ(i->entries[1].bindings[0].text(), "0:0 (other)");
  EXPECT_EQ(i->entries[1].push, nullptr);
  ASSERT_EQ(i->spec.size(), 1u);
  EXPECT_EQ(i->spec[0].value, 2u);
}

TEST(RunInterface, PathsFollowTheLayout) {
  const std::vector<SpecConstant> spec = {{7, 3}};
  const Expected<Interface> i = readInterface(*assembled(kTwoEntries), spec);
  ASSERT_TRUE(i);
  const Type& block = *i->entries[0].bindings[0].type;
  const std::map<std::uint64_t, std::string> paths = {
      {0, "count"},          {16, "turn[0].x"},          {24, "turn[2].x"},          {36, "turn[1].y"},         {48, "items[0].at.x"},
      {52, "items[0].at.y"}, {56, "items[0].weight[0]"}, {68, "items[0].weight[3]"}, {84, "items[1].weight[1]"}};
  for (const auto& [offset, path] : paths) {
    const std::optional<LeafAt> leaf = leafAt(block, offset);
    ASSERT_TRUE(leaf) << offset;
    EXPECT_EQ(leaf->path, path);
    EXPECT_EQ(leaf->offset, offset);
  }
  EXPECT_EQ(leafAt(block, 86)->offset, 84u) << "a byte inside a scalar";
  EXPECT_FALSE(leafAt(block, 4)) << "padding";
  EXPECT_FALSE(leafAt(block, 28)) << "padding of a matrix's row";
}

RunRequest requestOf(std::vector<std::string> buffers) {
  RunRequest r;
  r.module = assembled(kTwoEntries);
  r.entry = "first";
  r.buffers = std::move(buffers);
  r.push = {"i32:-5,zeros:4,f32:1,2"};
  return r;
}

TEST(RunJob, MakesAJob) {
  RunRequest r = requestOf({"data=zeros:96"});
  r.groups = "3,2";
  r.spec = {"SIZE=-1"};
  const Expected<RunJob> plan = makeRunJob(r);
  ASSERT_TRUE(plan) << plan.error().text();
  const Dispatch& d = plan->job.dispatches[0];
  EXPECT_EQ(d.groups, (Extent3{3, 2, 1}));
  EXPECT_EQ(d.entryPoint, "first");
  ASSERT_EQ(d.spec.size(), 1u);
  EXPECT_EQ(d.spec[0].value, 0xffffffffu);
  EXPECT_EQ(d.push.size(), 16u);
  ASSERT_EQ(d.bindings.size(), 1u);
  EXPECT_EQ(d.bindings[0].set, 1u);
  ASSERT_EQ(plan->job.resources.size(), 1u);
  EXPECT_TRUE(plan->job.resources[0].output) << "what the kernel may write is wanted back";
  EXPECT_FALSE(plan->job.resources[0].undefined);
}

TEST(RunJob, OutputsStartAsPoisonOrAsAsked) {
  RunRequest r = requestOf({});
  r.outs = {"1:2=x.bin:100"};
  Expected<RunJob> plan = makeRunJob(r);
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->job.resources[0].bytes(), std::vector<std::byte>(100, kPoisonByte));
  EXPECT_TRUE(plan->job.resources[0].undefined);
  r.zero = true;
  plan = makeRunJob(r);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->job.resources[0].bytes(), std::vector<std::byte>(100));
  EXPECT_FALSE(plan->job.resources[0].undefined);
}

TEST(RunJob, SaysWhereVulkanPromisesFewerWorkgroups) {
  RunRequest r = requestOf({"data=zeros:96"});
  r.groups = "65535,65536,1";
  const Expected<RunJob> plan = makeRunJob(r);
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->notes.size(), 1u);
  EXPECT_THAT(plan->notes[0], HasSubstr("65536 workgroups along y; Vulkan promises 65535"));
}

TEST(RunJob, ErrorsSayWhatToAdd) {
  struct {
    RunRequest request;
    const char* says;
  } cases[] = {{requestOf({}), "--buffer 1:2=FILE or --out 1:2=FILE:BYTES   (48 bytes and 20 for each element of items)"},
               {requestOf({"none=zeros:4", "1:2=zeros:4"}), "entry point 'first' uses no binding none"},
               {requestOf({"1:2=zeros:4", "data=zeros:4"}), "given twice"},
               {requestOf({"1:2:1=zeros:4"}), "no array"},
               {requestOf({"1:2=/no/such/file"}), "/no/such/file"}};
  cases[0].request.spec = {"7=1"};  // two weights an element, of 4 bytes: but the stride is what the module declares
  for (const auto& c : cases) {
    const Expected<RunJob> plan = makeRunJob(c.request);
    ASSERT_FALSE(plan) << c.says;
    if (&c != &cases[0])
      EXPECT_THAT(plan.error().text(), HasSubstr(c.says));
    else
      EXPECT_THAT(plan.error().text(), HasSubstr("48 bytes and 24 for each element of items"));
  }
  RunRequest r = requestOf({"1:2=zeros:48"});
  r.push = {"i32:1"};
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("4 bytes of push constants are given, the module reads 16"));
  r = requestOf({"1:2=zeros:48"});
  r.spec = {"other=1"};
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("it has 7 (SIZE)"));
  r.spec = {"7=1.5"};
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("'1.5' is no u32"));
  r = requestOf({"1:2=zeros:48"});
  r.entry = "third";
  EXPECT_THAT(makeRunJob(r).error().text(), HasSubstr("--entry first, second"));
}

TEST(RunDifference, NamesTheMember) {
  const Expected<RunJob> plan = makeRunJob(requestOf({"1:2=zeros:96"}));
  ASSERT_TRUE(plan);
  Resource a = plan->job.resources[0], b = a;
  EXPECT_EQ(differenceText(plan->outputs[0], a, "model", b, "other"), "");
  const float half = 0.5f;
  std::memcpy(b.bytes().data() + 84, &half, 4);
  b.bytes()[5] = std::byte{9};  // padding
  EXPECT_EQ(differenceText(plan->outputs[0], a, "model", b, "other"),
            "1:2 (data): model and other differ in 2 values\n"
            "  byte 5: model 0, other 9\n"
            "  byte 84 items[1].weight[1]: model 0 (0x0), other 0.5 (0x3f000000)\n");
}

}  // namespace
}  // namespace lanewise
