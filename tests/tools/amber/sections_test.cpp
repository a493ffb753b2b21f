// The older form of a script: its sections, what it requires, and whose rules its uniforms follow.
#include <map>

#include "tests/tools/amber/script_fixture.h"

namespace lanewise::amber {
namespace {

using testing::HasSubstr;

// [require] of the older form: a word that is no feature is an extension.
TEST(Scripts, TheOlderFormAsksForFeaturesExtensionsAndAVersion) {
  const auto required = [](const std::string& line) {
    return ran("[require]\n" + line + "\n[compute shader]\n#version 450\nvoid main() {}\n[test]\ncompute 1 1 1\n");
  };
  for (const std::string fine : {"shaderFloat16", "Float16Int8Features.shaderFloat16", "shaderBufferInt64Atomics  # atomics", "VK_KHR_any",
                                 "vulkan 1.3", "vulkan 1.2.131", "vulkan 1", "fbsize 100 100", "framebuffer R8G8B8A8_UNORM",
                                 "depthstencil D32_SFLOAT", "fence_timeout 2000", "DEVICE_FEATURE shaderInt64"})
    EXPECT_EQ(required(fine), "ok") << fine;
  for (const auto& [asked, says] :
       std::map<std::string, std::string>{{"banana", "no extension banana, which the script asks for (job.amber:2:1)"},
                                          {"vulkan 9.9", "the script asks for Vulkan 9.9; Lanewise uses 1.3 (job.amber:2:8)"},
                                          {"vulkan 1.4.1", "the script asks for Vulkan 1.4.1"},
                                          {"vulkan", "a version of Vulkan, as 1.1, is expected, not the end of the line"},
                                          {"vulkan 1.x", "a version of Vulkan, as 1.1, is expected, not '1.x'"},
                                          {"vulkan 1.1.", "a version of Vulkan, as 1.1, is expected"},
                                          {"vulkan 1.1 1.2", "the end of the line is expected, not '1.2'"},
                                          {"shaderFloat16 extra", "the end of the line is expected, not 'extra'"},
                                          {"VK_KHR_any extra", "the end of the line is expected, not 'extra'"},
                                          {"shader-float", "[require] knows no 'shader-float'"},
                                          {"Some.feature", "[require] knows no 'Some.feature'"}})
    EXPECT_THAT(required(asked), HasSubstr(says)) << asked;
}

TEST(Scripts, SectionsOfTheOlderFormMayHaveBlanks) {
  const auto headed = [](const std::string& shader) { return ran(shader + "\n#version 450\nvoid main() {}\n[ test\t]\ncompute 1 1 1\n"); };
  for (const char* fine : {"[compute shader]", "[  compute   shader  ] # c", "[compute\tshader]\t"}) EXPECT_EQ(headed(fine), "ok") << fine;
  for (const char* wrong : {"[computeshader]", "[compute shader", "[compute shader] x", "[]", "[ ]"})
    EXPECT_NE(headed(wrong), "ok") << wrong;
}

// -1 is a number as data, and none of workgroups or of a binding.
TEST(Scripts, CountsOfTheOlderFormAreNotNegative) {
  const auto tested = [](const std::string& line) {
    return ran("[compute shader]\n#version 450\nlayout(binding = 0) buffer B { int b; };\nvoid main() { b = -1; }\n[test]\n" + line + "\n");
  };
  EXPECT_EQ(tested("ssbo 0 subdata int 0 -2\ncompute 1 1 1\nprobe ssbo int 0 0 == -1"), "ok");
  EXPECT_THAT(tested("compute -3 1 1"), HasSubstr("a number of workgroups is expected, not '-3' (job.amber:6:9)"));
  EXPECT_THAT(tested("ssbo -1 subdata int 0 1"), HasSubstr("a binding, as 0:1, is expected, not '-1'"));
  EXPECT_THAT(tested("ssbo 0:-1 subdata int 0 1"), HasSubstr("a binding, as 0:1, is expected"));
  EXPECT_THAT(ran(""), HasSubstr("an empty script (job.amber:1:1)"));
  EXPECT_THAT(ran(" \n\t"), HasSubstr("an empty script"));
}

// VkRunner has the numbers of `uniform ubo` as an array of std140, Amber packs them.
TEST(Scripts, TheFileSaysWhoseUniformsTheyAre) {
  const auto third = [](const std::string& file) {
    const Expected<Script> script = parseScript(file,
                                                "[compute shader]\n#version 450\nvoid main() {}\n[test]\n"
                                                "uniform ubo 0 float 0 1 2 3\nubo 1 subdata float 0 1 2 3\ncompute 1 1 1\n",
                                                "");
    std::vector<std::size_t> sizes;
    if (script)
      for (const Buffer& b : script->buffers) sizes.push_back(b.bytes.size());
    return sizes;
  };
  EXPECT_EQ(third("a.shader_test"), (std::vector<std::size_t>{36, 36}));
  EXPECT_EQ(third("a.vkscript"), (std::vector<std::size_t>{12, 36}));
}

}  // namespace
}  // namespace lanewise::amber
