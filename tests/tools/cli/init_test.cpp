// `lanewise init`: the first description of a module, which has to run as it is.
#include "tests/tools/cli/described_fixture.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Init : public Described {};

TEST_F(Init, WritesADescriptionThatRuns) {
  write("scale.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer A { uint a[]; };\nlayout(binding = 1) writeonly "
        "buffer B { uint b[]; };\n"
        "layout(push_constant) uniform P { uint count; uint factor; float bias; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; if (i < count) b[i] = a[i] * factor + uint(bias); }\n");
  const Ran made = in("init scale.comp");
  EXPECT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(in("init scale.comp").code, 2) << "it is there already";
  const Ran list = in("list scale.toml");
  EXPECT_THAT(list.text, HasSubstr("parameters factor=0..16 sizes")) << list.text;
  const Ran run = in("validate scale.toml --devices model");
  EXPECT_EQ(run.code, 0) << run.text;
  write("mean.comp",
        "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0, rgba8ui) uniform readonly uimage2D source;\n"
        "layout(binding = 1, rgba8ui) uniform writeonly uimage2D target;\nlayout(push_constant) uniform P { ivec2 size; };\n"
        "void main() {\n  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
        "  if (all(lessThan(at, size))) imageStore(target, at, imageLoad(source, min(at + 1, size - LAST)));\n}\n");
  EXPECT_EQ(in("init mean.comp -D LAST=1 --out first.toml").code, 0);
  const Ran image = in("validate first.toml --devices model --sizes 9x9");
  EXPECT_EQ(image.code, 0) << image.text;
  EXPECT_THAT(in("init --schema").text, HasSubstr("\"$schema\""));
}

TEST_F(Init, SaysCommandsThatPaste) {
  write("k.comp", "#version 450\nlayout(binding = 0) buffer B { uint b; };\nvoid main() { b = 1; }\n");
  EXPECT_THAT(in("init k.comp --out 'my kernel.toml'").text, HasSubstr("`lanewise list 'my kernel.toml'`"));
}

// A file's name need not be a word of a case's name.
TEST_F(Init, NamesWhatAFileCannotName) {
  const char* kernel = "#version 450\nlayout(binding = 0) buffer B { uint b[]; };\nvoid main() { b[gl_GlobalInvocationID.x] = 1; }\n";
  for (const std::string name : {"my kernel", "a=b,c"}) {
    write(name + ".comp", kernel);
    EXPECT_EQ(in(fmt::format("init \"{}.comp\"", name)).code, 0) << name;
    const Ran list = in(fmt::format("list \"{}.toml\"", name));
    EXPECT_EQ(list.code, 0) << list.text;
  }
  write("plain.comp", kernel);
  EXPECT_THAT(in("init plain.comp --out -").text, Not(HasSubstr("\nname = ")));
}

// TOML is UTF-8, so no description names such a file; its own name is made a word.
TEST_F(Init, AFileWhoseNameIsNoUtf8) {
  const char* kernel = "#version 450\nlayout(binding = 0) buffer B { uint b[]; };\nvoid main() { b[gl_GlobalInvocationID.x] = 1; }\n";
  write("caf\xe9.comp", kernel);
  write("caf\xc3\xa9.comp", kernel);
  const Ran bad = in("init 'caf\xe9.comp' --out cafe.toml");
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.text, HasSubstr("its name is no UTF-8"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cafe.toml"));
  EXPECT_EQ(in("init 'caf\xc3\xa9.comp' --out 'd\xe9.toml'").code, 0);
  const Ran list = in("list 'd\xe9.toml'");
  EXPECT_EQ(list.code, 0) << list.text;
  EXPECT_THAT(list.text, HasSubstr("contract d_:"));
}

TEST_F(Init, NamesAModuleAsItWasGiven) {
  write("bad.comp", "#version 450\nvoid main() { none(); }\n");
  std::filesystem::create_directory(folder_ / "other");
  for (const char* command : {"init bad.comp", "init bad.comp --out other/bad.toml"}) {
    const Ran ran = in(command);
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.text, AllOf(HasSubstr("\nbad.comp:2: error: 'none'"), Not(HasSubstr(folder_.string())))) << command;
  }
}

// Kernels of other shapes, whose first descriptions run as they are.
TEST_F(Init, KnowsAddressesTexelBuffersLinesAndCubes) {
  const std::string head = "#version 450\nlayout(local_size_x = 8) in;\n";
  const std::string all = "void main() { uint i = gl_GlobalInvocationID.x; ";
  write("address.comp",
        "#version 450\n#extension GL_EXT_buffer_reference : require\nlayout(local_size_x = 8) in;\n"
        "layout(buffer_reference, std430) buffer Data { uint v[]; };\n"
        "layout(push_constant) uniform P { Data from; Data to; uint n; };\n" +
            all + "if (i < n) to.v[i] = from.v[i] + 1; }\n");
  write("texels.comp", head +
                           "layout(binding = 0) uniform isamplerBuffer a;\nlayout(binding = 1, r16f) uniform writeonly imageBuffer b;\n" +
                           all + "if (i < imageSize(b)) imageStore(b, int(i), vec4(texelFetch(a, int(i)).x)); }\n");
  write("line.comp", head + "layout(binding = 0, r32ui) uniform uimage1D line;\n" + all +
                         "if (i < imageSize(line)) imageStore(line, int(i), uvec4(i)); }\n");
  write("cube.comp",
        "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0) uniform samplerCube cube;\n"
        "layout(binding = 1, rgba8) uniform writeonly image2D side;\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "  if (all(lessThan(p, imageSize(side)))) imageStore(side, p, textureLod(cube, vec3(p, 1), 0)); }\n");
  write("cubes.comp", head + "layout(binding = 0) uniform samplerCubeArray cubes;\nlayout(binding = 1) buffer B { float b[]; };\n" + all +
                          "if (i < b.length() && gl_GlobalInvocationID.y == 0) b[i] = textureLod(cubes, vec4(1, 0, 0, i % 2), 0).x; }\n");
  write("array.comp",
        "#version 450\n#extension GL_EXT_nonuniform_qualifier : require\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 0) readonly buffer A { uint a[]; } parts[3];\nlayout(binding = 1) buffer B { uint b[]; };\n" +
            all + "if (i < b.length()) b[i] = parts[nonuniformEXT(i % 3)].a[i]; }\n");
  for (const char* name : {"address", "texels", "line", "cube", "cubes", "array"}) {
    EXPECT_EQ(in(std::string("init ") + name + ".comp").code, 0);
    const Ran ran = in(std::string("validate --devices model ") + name + ".toml");
    EXPECT_EQ(ran.code, 0) << ran.text << read(std::string(name) + ".toml");
    EXPECT_THAT(ran.text, HasSubstr("NO DIFFERENCE"));
  }
  EXPECT_THAT(read("address.toml"), HasSubstr("push = { from = \"addr: from\", to = \"addr: to\", n = \"width\" }"));
  write("nameless.spvasm",
        "; SPIR-V\n; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"main\"\nOpExecutionMode "
        "%f LocalSize 1 1 1\n"
        "OpDecorate %B BufferBlock\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\n"
        "OpDecorate %P Block\nOpMemberDecorate %P 0 Offset 0\nOpMemberDecorate %P 1 Offset 8\n%void = OpTypeVoid\n"
        "%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%two = OpTypeVector %uint 2\n%zero = OpConstant %uint 0\n"
        "%one = OpConstant %uint 1\n%B = OpTypeStruct %uint\n%P = OpTypeStruct %uint %two\n%pB = OpTypePointer Uniform %B\n"
        "%pP = OpTypePointer PushConstant %P\n%pu = OpTypePointer Uniform %uint\n%ppu = OpTypePointer PushConstant %uint\n"
        "%b = OpVariable %pB Uniform\n%p = OpVariable %pP PushConstant\n%f = OpFunction %void None %fn\n%1 = OpLabel\n"
        "%from = OpAccessChain %ppu %p %one %one\n%x = OpLoad %uint %from\n%to = OpAccessChain %pu %b %zero\nOpStore %to %x\nOpReturn\n"
        "OpFunctionEnd\n");
  EXPECT_EQ(in("init nameless.spvasm").code, 0);
  EXPECT_EQ(in("validate --devices model --sizes 1x1 nameless.toml").code, 0) << read("nameless.toml");
  write("read.comp", head + "layout(binding = 0) readonly buffer A { uint a[]; };\nvoid main() { if (a[0] == 1) return; }\n");
  EXPECT_EQ(in("init read.comp").code, 0);
  EXPECT_THAT(read("read.toml"), HasSubstr("?? The module writes to no binding"));
}

// The quick set of a kernel with operations of subgroups has more sizes than the device's own.
TEST_F(Init, AnArrayOfIntegersIsNoArrayOfParameters) {
  for (const int count : {4, 1024}) {
    write("table.comp",
          fmt::format("#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) readonly buffer D {{ uint d[{}]; uint k; }};\n"
                      "layout(binding = 1) buffer B {{ uint b[]; }};\nvoid main() {{ uint i = gl_GlobalInvocationID.x;\n"
                      "  if (i < b.length()) b[i] = d[i % 4] + k; }}\n",
                      count));
    ASSERT_EQ(in("init table.comp --force").code, 0);
    const std::string text = read("table.toml");
    EXPECT_EQ(text.find("[parameters.k]") != std::string::npos, count == 4);
    EXPECT_THAT(text, AllOf(Not(HasSubstr("[parameters.d")), HasSubstr(count == 4 ? "\"u32: 0\",  # d[3]" : "data = \"input\"")));
    EXPECT_EQ(in("validate table.toml --devices model").code, 0);
  }
  const Ran none = in("init none.comp");
  EXPECT_EQ(none.code, 6);
  EXPECT_THAT(none.text, AllOf(HasSubstr("there is no file 'none.comp'"), Not(HasSubstr("description"))));
}

TEST_F(Init, AsksForSubgroupSizes) {
  const std::string head =
      "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\nlayout(local_size_x = 64) in;\n"
      "layout(binding = 0) buffer A { uint a[]; };\nvoid main() { ";
  write("sum.comp", head + "uint i = gl_GlobalInvocationID.x, s = subgroupAdd(1); if (i < a.length()) a[i] = s - s; }\n");
  write("plain.comp", head + "a[gl_GlobalInvocationID.x] = 1; }\n");
  EXPECT_EQ(in("init sum.comp").code, 0);
  EXPECT_EQ(in("init plain.comp").code, 0);
  EXPECT_THAT(read("sum.toml"), HasSubstr("[subgroups]\nsizes = [8, 32, 64]"));
  EXPECT_THAT(read("plain.toml"), Not(HasSubstr("[subgroups]")));
  EXPECT_THAT(in("list sum.toml --cases").text, AllOf(HasSubstr("subgroup=8"), HasSubstr("subgroup=64")));
  EXPECT_EQ(in("validate sum.toml --devices model").code, 0);
}

TEST_F(Init, TakesTheModulesOfSeveralDispatches) {
  const std::string head = "#version 450\nlayout(local_size_x = 64) in;\nlayout(push_constant) uniform P { uint width; uint height; };\n";
  write("first.comp",
        head +
            "layout(binding = 0) readonly buffer From { uint from[]; };\nlayout(binding = 1) buffer Middle { uint middle[]; };\n"
            "void main() { uint i = gl_GlobalInvocationID.x; if (i < width * height) middle[i] = from[i] + 1; }\n");
  write("second.comp",
        head +
            "layout(binding = 0) readonly buffer Middle { uint middle[]; };\nlayout(binding = 1) buffer From { uint from[]; };\n"
            "void main() { uint i = gl_GlobalInvocationID.x; if (i < width * height) from[i] = middle[i] * 2; }\n");
  EXPECT_EQ(in("init first.comp second.comp --out both.toml").code, 0);
  const std::string text = read("both.toml");
  EXPECT_THAT(text,
              AllOf(HasSubstr("dimensions = 2"), HasSubstr("[modules.first]"), HasSubstr("module = \"second\""),
                    HasSubstr("groups = \"ceil_div(width * height, 64)\""), HasSubstr("# uint[] from\n"),
                    HasSubstr("[resources.From]\n# uint[] from\nbuffer = \"u32\"\nelements = \"width * height\"  # ?? how many\ndata = "
                              "\"input\"\noutput = true\n")));
  EXPECT_EQ(text.find("[resources.Middle]"), text.rfind("[resources.Middle]")) << "they share it";
  const Ran run = in("validate both.toml --devices model");
  EXPECT_EQ(run.code, 0) << run.text;
}

TEST_F(Init, ModulesShareOnlyWhatIsTheSame) {
  const std::string data = "layout(binding = 1) buffer B { uint data[]; };\n";
  const auto block = [&](const std::string& members, const std::string& sum) {
    return "#version 450\nlayout(binding = 0) uniform P { " + members + " } params;\n" + data +
           "void main() { data[gl_WorkGroupID.x] += " + sum + "; }\n";
  };
  write("one.comp", block("uint n;", "params.n"));
  write("same.comp", block("uint other;", "params.other"));
  write("longer.comp", block("uint n; float k; vec4 c;", "params.n + uint(params.k + params.c.x)"));
  EXPECT_EQ(in("init one.comp same.comp longer.comp --out blocks.toml").code, 0);
  const std::string blocks = read("blocks.toml");
  EXPECT_THAT(blocks, AllOf(HasSubstr("[resources.params]\n# 4 bytes: uint n"), HasSubstr("[resources.longer_0_0]\n# 32 bytes: uint n"),
                            HasSubstr("bind = { \"0:0\" = \"longer_0_0\" }"), Not(HasSubstr("same_0_0"))));
  EXPECT_EQ(in("validate blocks.toml --devices model").code, 0);
  const auto step = [](const std::string& from, const std::string& to) {
    return "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0) uniform sampler2D " + from +
           ";\nlayout(binding = 1, r32f) writeonly uniform image2D " + to +
           ";\nvoid main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy); " + "imageStore(" + to + ", at, texelFetch(" + from +
           ", at, 0)); }\n";
  };
  write("there.comp", step("tex", "middle"));
  write("back.comp", step("middle", "tex"));
  EXPECT_EQ(in("init there.comp back.comp --out images.toml").code, 0);
  EXPECT_THAT(read("images.toml"), AllOf(HasSubstr("[resources.tex]\nimage = \"r32f\"\n"), Not(HasSubstr("does not say"))));
}

// Addresses in blocks, and addresses of addresses: a list for each element.
TEST_F(Init, KnowsAddressesInBuffers) {
  write("list.comp",
        "#version 450\n#extension GL_EXT_buffer_reference : require\n"
        "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\nlayout(local_size_x = 8) in;\n"
        "layout(buffer_reference) buffer Node;\n"
        "layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { uint value; uint pad; Node next; };\n"
        "layout(binding = 0, std430) readonly buffer Heads { Node heads[]; };\n"
        "layout(binding = 1, std140) uniform Params { uint count; Node extra; };\n"
        "layout(binding = 2, std430) writeonly buffer Sums { uint sums[]; };\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  if (i >= count) return;\n  uint total = extra.value;\n"
        "  for (Node n = heads[i]; uint64_t(n) != 0ul; n = n.next) total += n.value;\n  sums[i] = total;\n}\n");
  EXPECT_EQ(in("init list.comp").code, 0);
  const Ran ran = in("validate --devices model list.toml");
  EXPECT_EQ(ran.code, 0) << ran.text << read("list.toml");
  EXPECT_THAT(read("list.toml"),
              AllOf(HasSubstr("  \"addr: extra\",  # extra\n"), HasSubstr("[resources.extra]\n"),
                    HasSubstr("data = \"zeros\"  # ?? it holds device addresses: values = [\"addr: NAME\"] in place of data\n")));
}

TEST_F(Init, WhereNothingRunsNothingIsApproved) {
  write("scale.comp", "#version 450\nlayout(binding = 0) buffer A { uint a[]; };\nvoid main() { if (gl_WorkGroupID.x == 0) a[0] = 1; }\n");
  EXPECT_EQ(in("init scale.comp").code, 0);
  std::string text = read("scale.toml");
  const std::string groups = "groups = \"ceil_div(width, 1)\"";
  ASSERT_NE(text.find(groups), std::string::npos) << text;
  EXPECT_EQ(in("validate scale.toml --devices model").code, 0);
  write("scale.toml", std::string(text).replace(text.find(groups), groups.size(), "groups = \"width / 5000\""));
  const Ran run = in("validate scale.toml --devices model");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.text, HasSubstr("nothing runs in the case 1x1"));
  // A case of several may be left out by name.
  write("scale.toml", "where = \"width > 2\"\n" + std::string(text).replace(text.find(groups), groups.size(), "groups = \"width / 3\""));
  const Ran left = in("validate scale.toml --devices model");
  EXPECT_EQ(left.code, 0) << left.text;
}

}  // namespace
}  // namespace lanewise
