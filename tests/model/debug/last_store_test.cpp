// The last store to some bytes, found by a run that nobody watches: the same as by watching every store.
#include <spirv-tools/libspirv.hpp>

#include "tests/model/debug/opened.h"
#include "tests/text/compute_module.h"

namespace lanewise::debug {
namespace {

// 2000 workgroups of one invocation. Each four hundredth stores 7 to the first word, but for one that stores ~7, with which a search for a
// 7 marks the word. `loads`: what it stores depends on what is there.
Job fewStores(bool loads) {
  const std::string body = fmt::format(R"(
%g = OpLoad %v3 %group
%x = OpCompositeExtract %uint %g 0
%p = OpAccessChain %word %out %zero %zero
%r = OpUMod %uint %x %step
%is = OpIEqual %bool %r %three
OpSelectionMerge %after None
OpBranchConditional %is %yes %after
%yes = OpLabel
%old = {}
%isStep = OpIEqual %bool %old %step
%more = OpSelect %uint %isStep %one %zero
%isOther = OpIEqual %bool %x %other
%own = OpSelect %uint %isOther %mark %seven
%v = OpIAdd %uint %own %more
OpStore %p %v
OpBranch %after
%after = OpLabel)",
                                       loads ? "OpLoad %uint %p" : "OpIAdd %uint %x %one");
  const std::string globals = R"(
%v3 = OpTypeVector %uint 3
%pv3 = OpTypePointer Input %v3
%group = OpVariable %pv3 Input
%step = OpConstant %uint 400
%three = OpConstant %uint 3
%other = OpConstant %uint 803
%seven = OpConstant %uint 7
%mark = OpConstant %uint 4294967288)";
  std::vector<std::uint32_t> words;
  EXPECT_TRUE(
      spvtools::SpirvTools(SPV_ENV_VULKAN_1_3)
          .Assemble(
              text::computeText(
                  {.body = body, .globals = globals, .decorations = "OpDecorate %group BuiltIn WorkgroupId\n", .interface = "%group"}),
              &words));
  Job job;
  job.resources = {undefinedBuffer("out", 64)};
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"few", std::move(words)});
  d.bindings = {{.resource = "out"}};
  d.groups = {2000, 1, 1};
  job.dispatches = {d};
  return job;
}

struct Writers {
  std::vector<std::pair<Time, std::uint32_t>> all;  // when, and by which workgroup
  int unwatched = 0;                                // searches that began where an unwatched run had come to
};

Writers writersOf(const Job& job, const char* schedule, bool hurries) {
  Writers out;
  Model model(Opened::options(schedule));
  const auto starter = [&](ir::Flavour f, Execution* from) {
    out.unwatched += f == ir::Flavour::kQuick && from != nullptr ? 1 : 0;
    return model.start(job, f, from);
  };
  const auto opened = Session::open(job, starter, {}, hurries);
  EXPECT_TRUE(opened.ok());
  Session& s = **opened;
  EXPECT_EQ(s.toEnd()->why, Why::kEnd);
  const std::array<std::uint64_t, 1> first{0};
  for (;;) {
    const Expected<Stop> stop = s.toWriter(*s.regionOf(0, first));
    EXPECT_TRUE(stop.ok());
    if (!stop || stop->why != Why::kWriter) return out;
    out.all.emplace_back(s.time(), s.focus().x);
  }
}

TEST(LastStore, IsFoundByMarks) {
  const Job job = fewStores(false);
  for (const char* schedule : {"in-order", "reverse"}) {
    const Writers marked = writersOf(job, schedule, true), watched = writersOf(job, schedule, false);
    EXPECT_EQ(marked.all, watched.all) << schedule;
    ASSERT_EQ(marked.all.size(), 5u) << schedule;
    EXPECT_EQ(marked.all[2].second, 803u) << schedule;
    EXPECT_GE(marked.unwatched, 3) << schedule;
    EXPECT_EQ(watched.unwatched, 0);
  }
}

// What a word holds may decide what is stored: then every store is watched.
TEST(LastStore, IsWatchedForWhereTheBytesAreRead) {
  const Job job = fewStores(true);
  const Writers marked = writersOf(job, "in-order", true), watched = writersOf(job, "in-order", false);
  EXPECT_EQ(marked.all, watched.all);
  EXPECT_EQ(marked.all.size(), 5u);
  EXPECT_EQ(marked.unwatched, 0);
}

}  // namespace
}  // namespace lanewise::debug
