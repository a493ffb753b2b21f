// `lanewise run` with several dispatches and copies: --then.
#include <nlohmann/json.hpp>

#include "tests/tools/run/run_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RunThen : public Run {
 protected:
  void SetUp() override {
    Run::SetUp();
    // to = from + ADD, for n elements.
    write("add.comp", R"(#version 460
layout(local_size_x = 4) in;
layout(constant_id = 1) const uint ADD = 1;
layout(binding = 0) readonly buffer From { uint from[]; };
layout(binding = 1) buffer To { uint to[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) to[i] = from[i] * 10 + ADD;
}
)");
    write("sum.comp", R"(#version 460
layout(binding = 1) readonly buffer Terms { uint terms[]; };
layout(binding = 2) buffer Sum { uint sum; };
void main() {
  sum = 0;
  for (uint i = 0; i < terms.length(); ++i) sum += terms[i];
}
)");
  }
};

constexpr const char* kAdd = "run add.comp --push u32:4 --buffer From=u32:1,2,3,4 --out To=-:16:u32 ";

TEST_F(RunThen, ALaterDispatchKeepsWhatIsBound) {
  const Ran ran = lanewise(std::string(kAdd) + "--then 'sum.comp' --out 2/Sum=-:u32 2>&1");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("0:1 (To):\n11 21 31 41\n"), HasSubstr("2/0:2 (Sum):\n104\n"),
                              HasSubstr("sum.comp, entry point main: 1x1x1")));
}

TEST_F(RunThen, TheSameModuleAgainOnOtherData) {
  // Of the second the input is the output of the first.
  const Ran ran =
      lanewise(std::string(kAdd) + "--then '--push u32:4 --spec ADD=7' --buffer 2/From=same:To --out 2/0:1=-:16:u32 2>/dev/null");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("2/0:1 (To):\n117 217 317 417\n"));
  // Without that it is the first one's input once more, and so is its output.
  const Ran again = lanewise(std::string(kAdd) + "--then '--push u32:2 --spec ADD=7' 2>/dev/null");
  EXPECT_EQ(again.text, "17 27 31 41\n");
}

TEST_F(RunThen, CopiesWordsOfBuffers) {
  const std::string back = "--then 'copy To From' --then '--push u32:4' ";
  const Ran ran = lanewise(std::string(kAdd) + back + " 2>/dev/null");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("111 211 311 411\n"));
  EXPECT_EQ(lanewise(std::string(kAdd) + back + "--expect From=u32:11,21,31,41 2>&1").code, 0) << "what a copy writes is an output";
  const Ran narrow = lanewise("run add.comp --push u32:1 --buffer From=u32:1,2 --out To=-:16:u32 --then 'copy To From' 2>&1");
  EXPECT_EQ(narrow.code, 2);
  EXPECT_THAT(narrow.text, HasSubstr("16 bytes do not fit into 8"));
}

TEST_F(RunThen, CopiesImagesOfAnyFormat) {
  write("image.comp", R"(#version 460
layout(binding = 0, r16f) uniform image2D a;
layout(binding = 1, r16f) uniform image2D b;
void main() { imageStore(a, ivec2(gl_WorkGroupID), vec4(imageLoad(b, ivec2(gl_WorkGroupID)).x + 2)); }
)");
  const std::string run = "run image.comp --groups 11,3 --image a=zeros:r16f:11x3 --image b=zeros:r16f:11x3 --out a=- ";
  const Ran ran = lanewise(run + "--then 'copy a b' --then '--groups 10,3' 2>/dev/null");
  EXPECT_EQ(ran.code, 0) << ran.text;
  const std::string row = "4  4  4  4  4  4  4  4  4  4  2\n", expected = row + row + row;
  EXPECT_EQ(ran.text, expected);
  const Ran other = lanewise("run image.comp --image a=zeros:r16f:2x2 --image b=zeros:r16f:2x3 --then 'copy a b' 2>&1");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.text, HasSubstr("the images have different shapes"));
  // Levels, layers and samples too, and between buffers and images.
  write("levels.comp", R"(#version 460
layout(binding = 0, r8ui) uniform uimage2DArray a;
layout(binding = 1, r8ui) uniform uimage2DArray b;
layout(binding = 2) buffer Bytes { uint bytes[]; };
void main() { if (bytes[0] == 0u) imageStore(b, ivec3(0), imageLoad(a, ivec3(0)) + 1u); }
)");
  // 5x3, 2x1 and 1x1 texels in each of two layers: 36 bytes.
  const std::string levels =
      "run levels.comp --image a=u8:1..36:r8ui:5x3:layers=2:levels=3:level=0:view-levels=1 --image b=zeros:r8ui:5x3:layers=2:levels=3 "
      "--buffer Bytes=zeros:36 --groups 0 ";
  EXPECT_EQ(lanewise(levels + "--then 'copy a b' --expect b=u8:1..36 2>&1").code, 0);
  EXPECT_EQ(lanewise(levels + "--then 'copy a Bytes' --expect Bytes=u8:1..36 2>&1").code, 0);
  EXPECT_EQ(lanewise(levels + "--then 'copy a Bytes' --then 'copy Bytes b' --expect b=u8:1..36 2>&1").code, 0);
  EXPECT_EQ(lanewise(levels + "--then 'copy a Bytes' --expect Bytes=u8:1..35,0 2>&1").code, 1);
  write("samples.comp", R"(#version 460
layout(binding = 0, rg32ui) uniform uimage2DMS a;
layout(binding = 1, rg32ui) uniform uimage2DMS b;
layout(binding = 2) buffer Bytes { uint bytes[]; };
void main() { if (bytes[0] == 0u) imageStore(b, ivec2(0), 1, imageLoad(a, ivec2(0), 0)); }
)");
  const std::string samples =
      "run samples.comp --image a=u32:1..24:rg32ui:3x1:samples=4 --image b=zeros:rg32ui:3x1:samples=4 --buffer "
      "Bytes=zeros:100 --groups 0 ";
  EXPECT_EQ(lanewise(samples + "--then 'copy a b' --then 'copy b Bytes' --expect Bytes=u32:1..24,0 2>&1").code, 0);
  const Ran few = lanewise(
      "run levels.comp --image a=zeros:r8ui:5x3:layers=2 --image b=zeros:r8ui:5x3:layers=2 --buffer Bytes=zeros:28 --groups 0 --then 'copy "
      "Bytes a' 2>&1");
  EXPECT_EQ(few.code, 2);
  EXPECT_THAT(few.text, HasSubstr("the image has 30 bytes, and the buffer only 28"));
  write("depth.comp", R"(#version 460
layout(binding = 0) uniform sampler2D d;
layout(binding = 1, r32f) uniform image2D f;
void main() { imageStore(f, ivec2(0), texelFetch(d, ivec2(0), 0)); }
)");
  const Ran depth = lanewise("run depth.comp --image d=zeros:D32_SFLOAT:2x2 --image f=zeros:r32f:2x2 --then 'copy f d' 2>&1");
  EXPECT_EQ(depth.code, 3) << depth.text;
  EXPECT_THAT(depth.text, HasSubstr("Vulkan has no storage images of depth formats"));
}

TEST_F(Run, DepthsAreCopiedOutOfTheirImage) {
  write("depths.comp", R"(#version 460
layout(binding = 0) uniform sampler2DArray d;
layout(binding = 1, FORMAT) uniform UIMAGE f;
layout(binding = 2) buffer Bytes { uint bytes[]; };
void main() { if (texelFetch(d, ivec3(0), 0).r > 2.0) { bytes[0] = 1u; imageStore(f, ivec3(0), imageLoad(f, ivec3(0)) + 1); } }
)");
  const std::string run = "run depths.comp --groups 0 ", floats = "-D FORMAT=r32f -D UIMAGE=image2DArray ",
                    codes = "-D FORMAT=r16 -D UIMAGE=image2DArray ";
  // 3x2 and 1x1 texels of two layers.
  const std::string values = "f32:0,0.1,0.25,0.5,0.75,1,1e-3,0.3,0x1p-126,0.6,0.9,1,0.125,0.0625";
  const std::string deep = run + floats + "--image d=" + values + ":D32_SFLOAT:3x2:layers=2:levels=2 ";
  EXPECT_EQ(lanewise(deep +
                     "--image f=zeros:r32f:3x2:layers=2:levels=2:level=0:view-levels=1 --buffer Bytes=zeros:56 --then 'copy d f' "
                     "--expect f=" +
                     values + " --then 'copy d Bytes' --expect Bytes=" + values + " 2>&1")
                .code,
            0);
  EXPECT_EQ(
      lanewise(deep + "--image f=zeros:r32f:1x1:layers=1 --buffer Bytes=zeros:56 --then 'copy d Bytes' --expect Bytes=f32:14*0 2>&1").code,
      1);
  const std::string all =
      run + codes + "--image d=u16:0,1,2,32767,32768,65535:D16_UNORM:3x2 --image f=zeros:r16:3x2 --buffer Bytes=zeros:12 ";
  const Ran every = lanewise(all +
                             "--then 'copy d f' --expect f=u16:0,1,2,32767,32768,65535 --then 'copy d Bytes' --expect "
                             "Bytes=u16:0,1,2,32767,32768,65535 2>&1");
  EXPECT_EQ(every.code, 0) << every.text;
  EXPECT_EQ(
      lanewise(run + floats + "--image d=zeros:D16_UNORM:3x2 --image f=zeros:r32f:3x2 --buffer Bytes=zeros:12 --then 'copy d f' 2>&1").code,
      2)
      << "texels of another size";
}

// An element of an array of buffers is not another.
TEST_F(Run, AnElementIsExpectedByItsNumber) {
  write("array.comp", R"(#version 460
layout(binding = 0) buffer Arr { uint a[]; } arr[4];
void main() { arr[0].a[0] = 1; arr[1].a[0] = 2; arr[2].a[0] = 3; arr[3].a[0] = 4; }
)");
  const std::string buffers = "array.comp --buffer arr:0=u32:0 --buffer arr:1=u32:0 --buffer arr:2=u32:0 --buffer arr:3=u32:0 ";
  EXPECT_EQ(lanewise("run " + buffers + "--expect arr:2=u32:3 2>&1").code, 0);
  EXPECT_EQ(lanewise("run " + buffers + "--expect arr:2=u32:1 2>&1").code, 1);
  ASSERT_EQ(
      lanewise("capsule " + buffers + "--out arr:0=a.bin --out arr:1=b.bin --out arr:2=c.bin --out arr:3=d.bin --file arr.capsule 2>&1")
          .code,
      0);
  EXPECT_EQ(lanewise("run arr.capsule --out arr:2=-:u32 2>/dev/null").text, lanewise("run arr.capsule --out 0:0:2=-:u32 2>/dev/null").text);
}

TEST_F(RunThen, JsonHasEachDispatch) {
  const Ran ran = lanewise(std::string(kAdd) + "--then sum.comp --out 2/Sum=sum.bin --json");
  const auto json = nlohmann::json::parse(ran.text, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.text;
  ASSERT_EQ(json["dispatches"].size(), 2u);
  EXPECT_EQ(json["dispatches"][1]["module"]["file"], "sum.comp");
  EXPECT_EQ(json["sides"][0]["outputs"][1]["binding"], "2/0:2");
  EXPECT_FALSE(json.contains("subject"));
}

TEST_F(RunThen, OtherCommandsTakeIt) {
  const std::string rest = std::string(kAdd).substr(4) + "--then sum.comp --out 2/Sum=-:u32 ";
  EXPECT_EQ(lanewise("check " + rest + "2>&1").code, 0);
  ASSERT_EQ(lanewise("capsule " + rest + "--file two.capsule 2>&1").code, 0);
  for (const char* name : {"2/0:2", "Sum", "2/Sum"})
    EXPECT_EQ(lanewise(fmt::format("run two.capsule --out {}=-:u32 2>/dev/null", name)).text, "104\n");
  EXPECT_EQ(lanewise("run two.capsule --expect 2/0:2=u32:104 --expect To=u32:11,21,31,41 2>&1").code, 0);
  // Names of a dispatch hold where its binding was kept from another.
  for (const char* name : {"2/Terms", "2/0:1", "To"})
    EXPECT_EQ(lanewise(fmt::format("run two.capsule --expect {}=u32:11,21,31,41 2>&1", name)).code, 0) << name;
  EXPECT_EQ(lanewise("run two.capsule --expect 2/From=u32:11,21,31,41 2>&1").code, 2);
}

TEST_F(RunThen, WrongInputs) {
  const std::string add = kAdd;
  for (const auto& [more, says] : std::vector<std::pair<std::string, std::string>>{
           {"--then ''", "nothing is said"},
           {"--then 'sum.comp --groups'", "--groups wants a value"},
           {"--then 'sum.comp --buffer 0:0=u32:1'", "a dispatch has no option '--buffer'"},
           {"--then 'sum.comp add.comp'", "a second file: 'add.comp'"},
           {"--then 'sum.comp --entry other' --out 2/Sum=-", "no compute entry point named 'other'"},
           {"--then 'sum.comp'", "nothing is given for storage buffer 0:2 (Sum) (entry point 'main' of dispatch 2)"},
           {"--then 'sum.comp'", "--buffer 2/0:2=FILE or --out 2/0:2=FILE"},
           {"--then 'sum.comp' --buffer 2/Sum=u32:1,2 --out 2/Sum=-:4", "more than the 4 asked for (storage buffer 2/0:2 (Sum))"},
           {"--then '--groups x --push u32:4'", "not a number of workgroups: 'x'"},
           {"--then ''\\''sum.comp'", "a quote does not end"},
           {"--then ''", "nothing is said"},
           {"--then '--groups 1'", "0 bytes of push constants are given"},
           {"--then 'copy To'", "a copy names two bindings"},
           {"--then 'copy To To'", "both are one resource"},
           {"--then 'copy To 0:7'", "uses no binding 0:7"},
           {"--then 'copy To 3/From'", "'3/From' is of no dispatch that comes before"},
           {"--then '--push u32:4' --out 3/To=x.bin:16", "there is no dispatch 3"},
           {"--out 0/To=x.bin:16", "'0/To' is no binding"},
           {"--memory 2/nodes=u32:1", "memory belongs to no dispatch: '2/nodes'"},
           {"--then '--push u32:4' --buffer 2/From=same:3/To", "is of no dispatch that comes before"}}) {
    const Ran ran = lanewise(add + more + " 2>&1");
    EXPECT_EQ(ran.code, 2) << more << "\n" << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(says)) << more;
  }
  EXPECT_EQ(lanewise(add + "--then none.comp 2>&1").code, 6);
}

}  // namespace
}  // namespace lanewise
