// Scripts on the model: those that hold, near misses of each that do not, and what is refused.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "tests/tools/amber/script_fixture.h"
#include "tests/tools/amber/scripts.h"
#include "tools/amber/requirements.h"

namespace lanewise::amber {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StrEq;

TEST(Scripts, Hold) {
  for (const Example& e : examples()) EXPECT_EQ(ran(e.text), "ok") << e.name;
}

struct NearMiss {
  const char* example;
  const char *from, *to;
  const char* says;
};

// One number or word changed in a script that holds.
TEST(Scripts, NearMissesDoNotHold) {
  const NearMiss misses[] = {
      {"run and compare", "EQ 2 4 -6 32", "EQ 2 4 -6 31", "'numbers' at byte 12: EQ 31 is expected, it is 32"},
      {"run and compare", "NE -3", "NE -6", "NE -6 is expected, it is -6"},
      {"run and compare", "LT -5", "LT -6", "LT -6 is expected"},
      {"run and compare", "LE -6 32", "LE -6 31", "LE 31"},
      {"run and compare", "GT 31", "GT 32", "GT 32"},
      {"run and compare", "GE 32", "GE 33", "GE 33"},
      {"run and compare", "RUN p 4 1 1", "RUN p 3 1 1", "it is 16"},
      {"repeat and copy", "REPEAT 3", "REPEAT 2", "it is 4"},
      {"repeat and copy", "EXPECT copied EQ_BUFFER numbers", "RUN p 1 1 1\nEXPECT copied EQ_BUFFER numbers", "differ at byte 0: 8 and 16"},
      {"push constants and specialization", "SPECIALIZE 5 AS float 1.5", "SPECIALIZE 5 AS float 1.25", "it is 3.25"},
      {"push constants and specialization", "EQ 1.05 1.95 3 2", "EQ 1.15 1.95 3 2", "within the tolerance is expected, it is 1"},
      {"push constants and specialization", "EQ 1.04 1.96 3 2", "EQ 1.06 1.96 3 2", "within the tolerance is expected, it is 1"},
      {"structures, std140 and uniform", "given STD140", "given STD430", "'u' has 20 bytes"},
      {"images and samplers", "EQ_RGBA 255 0 0 255", "EQ_RGBA 255 0 0 254", "texel (0, 0): 255 0 0 254 is expected, it is 255 0 0 255"},
      {"images and samplers", "float_opaque_white", "float_opaque_black", "2 texels differ"},
      {"images and samplers", "TOLERANCE 2 EQ_RGBA 254 254 254 254", "TOLERANCE 2 EQ_RGBA 252 254 254 254", "is expected"},
      {"texel buffers and arrays of descriptors", "OFFSET 0 256", "OFFSET 256 0", "it is 0"},
      {"arrays of images and samplers", "SAMPLER_ARRAY repeats borders", "SAMPLER_ARRAY borders repeats", "it is 0"},
      {"subgroups", "REQUIRED_SIZE 8", "REQUIRED_SIZE 4", "it is 4"},
      {"subgroups", "REQUIRED_SIZE 8", "REQUIRED_SIZE 16", "wants full subgroups, and its workgroups are 8 wide"},
      {"measures of buffers", "TOLERANCE 1.5", "TOLERANCE 1.4", "the RMSE of 'a' and 'b' is 1.41421, 1.4 is allowed"},
      {"measures of buffers", "TOLERANCE 0.01", "TOLERANCE 0.007", "the histograms of 'a' and 'b' are 0.0078125 apart"},
      {"a file of its own", "kFive = 5", "kFive = 6", "it is 6"},
      {"names in quotes", "kFive = 5", "kFive = 6", "it is 6"},
      {"layouts of the older form", "push layout std140", "push layout std430", "'0:1' at byte 16: EQ 2 is expected, it is 0"},
      {"layouts of the older form", "ssbo layout row_major std430", "ssbo layout std430", "EQ 8 is expected"},
      {"layouts of the older form", "ssbo layout std140", "ssbo layout std430", "EQ 2 is expected"},
      {"layouts of the older form", "probe ssbo mat2x3 2 0 == 2 4", "probe ssbo mat2x3 2 0 == 2 5", "EQ 5 is expected, it is 4"},
      {"sized by the framebuffer", "EQ_RGB 3 0 0", "EQ_RGB 4 0 0", "texel (3, 2)"},
      {"sized by the framebuffer", "IDX 3 2", "IDX 4 2", "'t' has 4x3 texels"},
      {"the older form", "~= 7.05 8.5", "~= 7.15 8.5", "within the tolerance"},
      {"the older form", "~= 7 8\n", "~= 7 8.1\n", "it is 8"},
      {"the older form", "ssbo 0 subdata vec2 16 1 1", "ssbo 0 subdata vec2 16 1 2", "it is 2"},
  };
  for (const NearMiss& m : misses)
    for (const Example& e : examples())
      if (std::string_view(e.name) == m.example) {
        EXPECT_THAT(ran(replaced(e.text, m.from, m.to)), HasSubstr(m.says)) << e.name << ": " << m.to;
      }
}

TEST(Scripts, FailuresNameThePlace) {
  const std::string text = ran(kDouble + "RUN p 4 1 1\nEXPECT numbers IDX 0 EQ 3\n  EXPECT numbers IDX 4 EQ 5\n");
  EXPECT_THAT(text, AllOf(HasSubstr("job.amber:13:1: 'numbers' at byte 0"), HasSubstr("\njob.amber:14:3: 'numbers' at byte 4")));
}

TEST(Scripts, ShadersKeepTheirLines) {
  EXPECT_THAT(ran(replaced(kDouble, "*= 2", "*= two")), HasSubstr("job.amber:5: error: 'two' : undeclared identifier"));
}

TEST(Scripts, WhatBelongsToGraphicsIsRefusedByName) {
  const std::pair<const char*, const char*> foreign[] = {{"SHADER vertex v PASSTHROUGH\n", "job.amber:2:8"},
                                                         {"PIPELINE graphics p\nEND\n", "job.amber:2:10"},
                                                         {"CLEAR p\n", "job.amber:2:1"},
                                                         {"CLEAR_COLOR p 0 0 0 0\n", "job.amber:2:1"},
                                                         {"SHADER compute s OPENCL-C\nEND\n", "job.amber:2:18"},
                                                         {"ACCELERATION_STRUCTURE TOP_LEVEL t\nEND\n", "job.amber:2:1"},
                                                         {"SHADER ray_generation r GLSL\nEND\n", "job.amber:2:8"},
                                                         {"DEBUG p 0 0 0\nEND\n", "job.amber:2:1"}};
  for (const auto& [text, place] : foreign) {
    const Expected<Script> script = parseScript("job.amber", std::string("#!amber\n") + text, "");
    ASSERT_FALSE(script) << text;
    EXPECT_EQ(script.error().outcome, Outcome::kUnsupported) << text;
    EXPECT_THAT(script.error().text(), AllOf(HasSubstr("belongs to"), HasSubstr(place))) << text;
  }
  const std::pair<const char*, const char*> parts[] = {{"  VERTEX_DATA numbers LOCATION 0\nEND\n", "VERTEX_DATA"},
                                                       {"  BIND BUFFER numbers AS color LOCATION 0\nEND\n", "color"},
                                                       {"  SET KERNEL ARG_NAME x AS int32 3\nEND\n", "SET"},
                                                       {"END\nRUN p DRAW_RECT POS 0 0 SIZE 1 1\n", "DRAW_RECT"}};
  for (const auto& [text, name] : parts) {
    const std::string whole = kDouble.substr(0, kDouble.size() - 4) + text;
    EXPECT_THAT(ran(whole), AllOf(HasSubstr(name), HasSubstr("belongs to"))) << whole;
  }
  for (const char* old :
       {"[vertex shader]\nx\n", "[test]\ndraw rect 0 0 1 1\n", "[test]\nprobe all rgba 0 0 0 0\n", "[test]\nclear color 0 0 0 0\n"})
    EXPECT_THAT(ran(old), HasSubstr("belongs to graphics")) << old;
  EXPECT_THAT(ran("[test]\nsampler 0:0\n"), HasSubstr("of VkRunner's images is not run here"));
  for (const char* opengl : {"[require]\nGLSL >= 4.30\n", "[require]\nGL ES >= 3.1\n", "[require]\nGL_ARB_compute_shader\n"})
    EXPECT_THAT(ran(opengl), HasSubstr("asks for OpenGL")) << opengl;
}

TEST(Scripts, ErrorsNameThePlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {"BUFFER a DATA_TYPE int33 SIZE 1 FILL 0\n", "there is no type 'int33' (job.amber:2:20)"},
      {"BUFFER a DATA_TYPE int8 DATA 1 300 END\n", "'300' is no number of 8 bits of this type (job.amber:2:32)"},
      {"BUFFER a DATA_TYPE int32\n", "nothing says how large 'a' is"},
      {"BUFFER a DATA_TYPE vec2<float> DATA 1 2 3 END\n", "3 values are given; an element has 2"},
      {"BUFFER a DATA_TYPE int32 SIZE 3 DATA 1 2 END\n", "2 elements are given, the size is 3"},
      {"BUFFER a DATA_TYPE int32 SIZE 99999999999 FILL 1\n", "a number of elements is expected, not '99999999999' (job.amber:2:31)"},
      {"BUFFER a DATA_TYPE double SIZE 1000000000 FILL 1\n", "at most 1073741824 bytes"},
      {"BUFFER a DATA_TYPE int32 DATA 1\n", "DATA without END (job.amber:2:26)"},
      {"BUFFER a FORMAT R8G8B8_UNORM\n", "R8G8B8_UNORM is not among those that are known here"},
      {"IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 4 FILL 0\n", "nothing says the HEIGHT of the image"},
      {"IMAGE a DATA_TYPE vec3<float> DIM_1D WIDTH 4 FILL 0\n", "'vec3<float>' is no type of texels"},
      {"IMAGE a FORMAT R8_UNORM MIP_LEVELS 9 DIM_1D WIDTH 4\n", "has no 9 levels"},
      {"IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 4 SAMPLES 3\n", "SAMPLES cannot be 3"},
      {"STRUCT s\nEND\n", "the structure has no members"},
      {"STRUCT s\n  s a\nEND\n", "a structure cannot contain itself"},
      {"STRUCT s\n  float a\n  int32 a\nEND\n", "there is a member 'a' already (job.amber:4:9)"},
      {"STRUCT s\n  float[65537] a\nEND\n", "more than 65536 numbers"},
      {"SAMPLER s MAG_FILTER cubic\n", "a value of MAG_FILTER is expected, not 'cubic'"},
      {"SAMPLER s MAG_FILTERS linear\n", "'MAG_FILTERS' says nothing of a sampler"},
      {"DEVICE_FEATURE shaderInt65\n", "DEVICE_FEATURE knows no 'shaderInt65' (job.amber:2:16)"},
      {"DEVICE_PROPERTY FloatControlsProperties.shaderRoundingModeRTEFloat8\n", "DEVICE_PROPERTY knows no"},
      {"DEVICE_MEMORY 5\n", "there is no command 'DEVICE_MEMORY'"},
      {"SET ENGINE_DATA colour 5\n", "fence_timeout_ms is expected, not 'colour'"},
      {"SHADER compute s GLSL\nEND\n", "the shader is empty"},
      {"SHADER compute s GLSL\nvoid main() {}\n", "SHADER without END (job.amber:2:1)"},
      {"SHADER compute s WGSL\nEND\n", "there is no format of shaders 'WGSL'"},
      {"VIRTUAL_FILE a\nEND\nVIRTUAL_FILE a\nEND\n", "there is a file 'a' already"},
      {"SHADER compute s GLSL VIRTUAL_FILE b\n", "there is no VIRTUAL_FILE 'b'"},
      {"PIPELINE compute p\nEND\n", "the pipeline 'p' has no shader"},
      {"DERIVE_PIPELINE q FROM p\nEND\n", "there is no pipeline 'p' (job.amber:2:24)"},
      {"REPEAT 0\nEND\n", "it is repeated no time"},
      {"REPEAT 2\n  BUFFER a DATA_TYPE int32 SIZE 1 FILL 0\nEND\n", "there is no command 'BUFFER' (job.amber:3:3)"},
      {"REPEAT 2\n", "REPEAT without END"},
      {"EXPECT a IDX 0 EQ 1\n", "there is no buffer 'a' (job.amber:2:8)"},
      {"HELLO\n", "there is no command 'HELLO' (job.amber:2:1)"}};
  for (const auto& [text, says] : wrong) {
    const Expected<Script> script = parseScript("job.amber", std::string("#!amber\n") + text, "");
    ASSERT_FALSE(script) << text;
    EXPECT_THAT(script.error().text(), AllOf(HasSubstr(says), HasSubstr("job.amber:"))) << text;
  }
}

TEST(Scripts, ErrorsOfExpectationsAndPipelines) {
  const std::pair<const char*, const char*> wrong[] = {
      {"EXPECT numbers IDX 2 EQ 1\n", "no number of 'numbers' begins at byte 2 (job.amber:12:20)"},
      {"EXPECT numbers IDX 16 EQ 1\n", "'numbers' has 16 bytes; this value would be at byte 16"},
      {"EXPECT numbers IDX 0 EQ\n", "a value is expected, not the end of the line"},
      {"EXPECT numbers IDX 0 ABOUT 1\n", "there is no comparator 'ABOUT'"},
      {"EXPECT numbers IDX 0 TOLERANCE 1 LT 1\n", "only EQ has a tolerance"},
      {"EXPECT numbers IDX 0 0 SIZE 5 1 EQ_RGB 0 0 0\n", "'numbers' has 4x1 texels"},
      {"EXPECT numbers NEAR numbers\n", "'NEAR' does not compare buffers"},
      {"EXPECT numbers RMSE_BUFFER numbers\n", "TOLERANCE is expected"},
      {"BUFFER o DATA_TYPE int32 SIZE 3 FILL 0\nEXPECT o EQ_BUFFER numbers\n", "'o' has 12 bytes, 'numbers' 16"},
      {"BUFFER o DATA_TYPE int32 SIZE 3 FILL 0\nCOPY o TO numbers\n", "'o' has 12 bytes, 'numbers' 16"},
      {"COPY numbers TO numbers\n", "a buffer is copied to itself"},
      {"RUN p 1 1\n", "a number of workgroups is expected, not the end of the line"},
      {"RUN p 1 1 -1\n", "a number of workgroups is expected, not '-1'"},
      {"RUN p 1 1 1 1\n", "the end of the line is expected, not '1'"},
      {"DERIVE_PIPELINE q FROM p\n  ATTACH doubling ENTRY_POINT other\nEND\n",
       "the shader has no compute entry point 'other' (job.amber:13:3); it has main"},
      {"DERIVE_PIPELINE q FROM p\n  BIND BUFFER numbers AS uniform DESCRIPTOR_SET 0 BINDING 0\nEND\n",
       "0:0 (B) is bound as uniform, and the shader declares a storage buffer (job.amber:13:3)"},
      {"DERIVE_PIPELINE q FROM p\n  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET 16\nEND\n",
       "its descriptor is beyond them"},
      {"PIPELINE compute q\n  ATTACH doubling\nEND\n", "pipeline 'q' binds nothing to storage buffer 0:0 (B)"},
      {"DERIVE_PIPELINE q FROM p\n  SUBGROUP doubling\n    REQUIRED_SIZE 8\n  END\nEND\n",
       "DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl"},
      {"DERIVE_PIPELINE q FROM p\n  SHADER_OPTIMIZATION doubling\n    --make-fast\n  END\nEND\n", "spirv-opt has no pass --make-fast"}};
  for (const auto& [text, says] : wrong) EXPECT_THAT(ran(kDouble + text), HasSubstr(says)) << text;
}

TEST(Scripts, FilesAreReadBesideTheScript) {
  EXPECT_THAT(ran("#!amber\nBUFFER a DATA_TYPE int32 SIZE 1 FILE TEXT gone.txt\n", "/nowhere"),
              AllOf(HasSubstr("/nowhere/gone.txt"), HasSubstr("job.amber:2:43")));
}

// A text may have comments; how many numbers it has is the size of the buffer.
TEST(Scripts, TextsHaveCommentsAndGiveTheSize) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "amber_texts";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "in.txt") << "# two numbers, 7 8\n1 2\n3  # the third\n";
  const std::string buffer = "#!amber\nBUFFER a DATA_TYPE int32 SIZE 1 FILE TEXT in.txt\n";
  EXPECT_EQ(ran(buffer + "EXPECT a IDX 0 EQ 1 2 3\n", folder), "ok");
  EXPECT_THAT(ran(buffer + "EXPECT a IDX 0 EQ 1 2 3 7\n", folder), Not(StrEq("ok")));
}

// A name that a newer Amber may know is not a wrong one.
TEST(Scripts, FeaturesThatNobodyKnowsAreUnsupported) {
  const auto outcome = [](const std::string& text) { return parseScript("job.amber", text, "").error().outcome; };
  EXPECT_EQ(outcome("#!amber\nDEVICE_FEATURE CooperativeMatrixFeaturesKHR.cooperativeMatrix\n"), Outcome::kUnsupported);
  EXPECT_EQ(outcome("#!amber\nDEVICE_FEATURE robustness\n"), Outcome::kBadInput);
  EXPECT_EQ(outcome("#!amber\nDEVICE_FEATURE .cooperativeMatrix\n"), Outcome::kBadInput);
}

// Hexadecimal is words, or bytes; a module that is none is told as one.
TEST(Scripts, HexadecimalIsSpirv) {
  EXPECT_THAT(ran("#!amber\nSHADER compute s SPIRV-HEX\n0x07230203 0x00010000\nEND\nPIPELINE compute p\n  ATTACH s\nEND\n"),
              HasSubstr("shader s"));
  EXPECT_THAT(ran("#!amber\nSHADER compute s SPIRV-HEX\n0x0723020g\nEND\nPIPELINE compute p\n  ATTACH s\nEND\n"),
              HasSubstr("'0x0723020g' in shader 's' is no hexadecimal word"));
}

// Where no version is named and none that is tried fits, the error is of one of them.
TEST(Scripts, AssemblyWithoutAVersionIsToldHowToNameOne) {
  const auto says = [](const std::string& head, const std::string& text) {
    return ran("#!amber\nSHADER compute s SPIRV-ASM" + head + "\n" + text + "\nEND\nPIPELINE compute p\n  ATTACH s\nEND\n");
  };
  for (const char* text : {"OpCapability Shader\nOpNothing", "OpCapability Shader"}) {
    EXPECT_THAT(says("", text), HasSubstr("TARGET_ENV spv1.4"));
    EXPECT_THAT(says(" TARGET_ENV spv1.0", text), AllOf(Not(StrEq("ok")), Not(HasSubstr("TARGET_ENV"))));
    EXPECT_THAT(says("\n; Version: 1.0", text), AllOf(Not(StrEq("ok")), Not(HasSubstr("TARGET_ENV"))));
  }
}

// Whatever is written, reading it ends, with a script or an error at a place.
TEST(Scripts, GarbledTextsAreReadSafely) {
  std::mt19937 random(1);
  const std::vector<Example> all = examples();
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const char* words[] = {"END", "DATA", "0", "-1", "1e308", "99999999999999999999", "[",  "]",
                         "\\",  "\n",   "#", "AS", "SIZE",  "vec3<float>",          "nan"};
  for (int round = 0; round < 4000; ++round) {
    std::string text = all[below(all.size())].text;
    for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size()), end = std::min(text.size(), at + below(30));
      switch (below(5)) {
        case 0:
          text.erase(at, end - at);
          break;
        case 1:
          text.insert(at, text.substr(at, end - at));
          break;
        case 2:
          text[at] = static_cast<char>(random());
          break;
        case 3:
          text.insert(at, std::string(" ") + words[below(std::size(words))] + " ");
          break;
        default:
          text.resize(at);
          break;
      }
    }
    const Expected<Script> script = parseScript("job.amber", text, "/nowhere");
    if (!script) {
      EXPECT_THAT(script.error().text(), HasSubstr("job.amber:")) << text;
    }
  }
}

// Structures inside structures do not grow without bounds.
TEST(Scripts, NestedStructuresAreBounded) {
  std::string text = "#!amber\nSTRUCT s0\n  float a\n  float b\nEND\n";
  for (int i = 1; i < 60; ++i) text += fmt::format("STRUCT s{}\n  s{} a\n  s{} b\nEND\n", i, i - 1, i - 1);
  EXPECT_THAT(ran(text), HasSubstr("more than 65536 numbers"));
}

// A device without what the script asks for runs nothing of it.
class Lacking : public Device {
 public:
  Lacking() {
    profile_.name = "poor";
    profile_.capabilities = {"Shader",         "GroupNonUniform",         "GroupNonUniformVote",
                             "shaderInt64",    "storageBuffer8BitAccess", "VK_EXT_robustness2",
                             "VK_KHR_surface", "unused sparseBinding"};
    profile_.float32.denormPreserve = false;
  }
  const Profile& profile() const override { return profile_; }
  RunResult run(const Job&) override { return {Error{Outcome::kInternal, "it ran", "", ""}, {}, 0}; }

 private:
  Profile profile_;
};

TEST(Script, ADeviceIsAskedForWhatTheScriptNeeds) {
  Lacking device;
  for (const std::string fine :
       {"DEVICE_FEATURE shaderInt64", "DEVICE_FEATURE Storage8BitFeatures.storageBuffer8BitAccess", "DEVICE_EXTENSION VK_EXT_robustness2",
        "DEVICE_FEATURE SubgroupSupportedOperations.vote", "DEVICE_FEATURE SubgroupSupportedStages.compute",
        "DEVICE_EXTENSION VK_KHR_16bit_storage", "DEVICE_EXTENSION VK_KHR_get_physical_device_properties2",
        "INSTANCE_EXTENSION VK_KHR_surface", "INSTANCE_EXTENSION VK_KHR_device_group_creation",
        "DEVICE_PROPERTY FloatControlsProperties.shaderDenormPreserveFloat16"})
    EXPECT_EQ(ran("#!amber\n" + fine + "\n", device), "ok") << fine;
  for (const auto& [asked, says] : std::map<std::string, std::string>{
           {"DEVICE_FEATURE shaderInt16", "poor has no feature shaderInt16, which the script asks for (job.amber:2:16)"},
           {"DEVICE_FEATURE Float16Int8Features.shaderInt8", "no feature Float16Int8Features.shaderInt8"},
           {"DEVICE_FEATURE SubgroupSupportedOperations.shuffleRelative", "no feature SubgroupSupportedOperations.shuffleRelative"},
           {"DEVICE_FEATURE sparseBinding", "Lanewise does not use the feature sparseBinding, which the script asks for (job.amber:2:16)"},
           {"DEVICE_FEATURE sparseResidencyBuffer", "poor has no feature sparseResidencyBuffer"},
           {"DEVICE_FEATURE IndexTypeUint8Features.indexTypeUint8", "Lanewise does not use the feature IndexTypeUint8Features"},
           {"INSTANCE_EXTENSION VK_EXT_debug_utils", "no extension VK_EXT_debug_utils"},
           {"DEVICE_EXTENSION VK_KHR_shader_clock", "no extension VK_KHR_shader_clock"},
           {"DEVICE_PROPERTY FloatControlsProperties.shaderDenormPreserveFloat32",
            "no property FloatControlsProperties.shaderDenormPreserveFloat32"}}) {
    EXPECT_THAT(ran("#!amber\n" + asked + "\n", device), testing::HasSubstr(says));
    EXPECT_EQ(ran("#!amber\n" + asked + "\n"), "ok") << "the model executes it, or refuses it by name";
  }
  // As a capsule keeps them, which has no places.
  Script kept{.file = "run.capsule"};
  kept.requirements = requirementsOf(
      requirementTexts(*parseScript("job.amber", "#!amber\nDEVICE_FEATURE shaderInt64\nDEVICE_EXTENSION VK_KHR_shader_clock\n", "")));
  ASSERT_EQ(kept.requirements.size(), 2u);
  const Status lacks = checkRequirements(kept, device.profile());
  ASSERT_TRUE(lacks.has_value());
  EXPECT_EQ(lacks->text(), "poor has no extension VK_KHR_shader_clock, which the script asks for (run.capsule)");
  EXPECT_TRUE(requirementsOf(std::vector<std::string>{"feature", "colour blue", ""}).empty());
  EXPECT_THAT(ran("[require]\nshaderInt16\n[compute shader]\n#version 450\nvoid main() {}\n[test]\ncompute 1 1 1\n", device),
              testing::HasSubstr("poor has no feature shaderInt16"));
}

// A kernel that adds 1 to every number of its buffer, and a copy of it.
constexpr const char* kAdding = R"(#!amber
SHADER compute adding GLSL
#version 450
layout(binding = 0) buffer Numbers { int numbers[]; };
void main() { numbers[gl_WorkGroupID.x] += 1; }
END
BUFFER a DATA_TYPE int32 DATA 1 2 3 END
BUFFER b DATA_TYPE int32 DATA 0 0 0 END
PIPELINE compute p
  ATTACH adding
  BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 0
END
)";

Expected<Job> wholeJobOf(const std::string& text) {
  Expected<Script> script = parseScript("job.amber", text, "");
  if (!script) return script.error();
  const Expected<std::shared_ptr<const ReadyScript>> ready = makeReady(std::move(*script), {});
  if (!ready) return ready.error();
  Expected<WholeScript> whole = wholeScript(**ready);
  return whole ? Expected<Job>(std::move(whole->job)) : Expected<Job>(whole.error());
}

TEST(Script, IsOneJobForOtherCommands) {
  // Copies between runs are dispatches; expectations are left out.
  const Expected<Job> job =
      wholeJobOf(kAdding + std::string("COPY a TO b\nRUN p 3 1 1\nEXPECT a IDX 0 EQ 2 3 4\nCOPY a TO b\nRUN p 2 1 1\n"));
  ASSERT_TRUE(job.ok()) << job.error().text();
  EXPECT_EQ(job->dispatches.size(), 3u);
  Model model;
  const RunResult run = model.run(*job);
  ASSERT_FALSE(run.error) << run.error->text();
  std::map<std::string, std::vector<std::int32_t>> bytes;
  for (const Resource& r : run.outputs) {
    std::vector<std::int32_t>& values = bytes[r.name];
    values.resize(r.bytes().size() / 4);
    std::memcpy(values.data(), r.bytes().data(), r.bytes().size());
  }
  EXPECT_EQ(bytes["a"], (std::vector<std::int32_t>{3, 4, 4}));
  EXPECT_EQ(bytes["b"], (std::vector<std::int32_t>{2, 3, 4}));
  // All of them, however often.
  const Expected<Job> often = wholeJobOf(kAdding + std::string("REPEAT 100\nRUN p 1 1 1\nEND\n"));
  ASSERT_TRUE(often.ok());
  EXPECT_EQ(often->dispatches.size(), 100u);
  EXPECT_THAT(wholeJobOf(kAdding + std::string("REPEAT 5000\nRUN p 1 1 1\nEND\n")).error().text(),
              testing::HasSubstr("it has more than 4096 runs and copies"));
  EXPECT_THAT(wholeJobOf(kAdding).error().text(), testing::HasSubstr("the script runs nothing"));
}

// Each copy is counted, and what is copied again and again has one module.
TEST(Script, AsOneJobHasSoManyCopies) {
  const Expected<Job> often = wholeJobOf(kAdding + std::string("RUN p 3 1 1\nREPEAT 4095\nCOPY a TO b\nEND\n"));
  ASSERT_TRUE(often.ok()) << often.error().text();
  ASSERT_EQ(often->dispatches.size(), 4096u);
  EXPECT_EQ(often->dispatches[1].module, often->dispatches[4095].module);
  EXPECT_THAT(wholeJobOf(kAdding + std::string("RUN p 3 1 1\nREPEAT 4096\nCOPY a TO b\nEND\n")).error().text(),
              HasSubstr("it has more than 4096 runs and copies"));
}

TEST(Script, CopiesAreOfEqualSizesInOneJobToo) {
  // The size of an image without data is known when a pipeline has bound it.
  const std::string text =
      "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0, rgba8ui) uniform uimage2D image;\n"
      "void main() { imageStore(image, ivec2(0), uvec4(7)); }\nEND\n"
      "BUFFER image FORMAT R8G8B8A8_UINT\nBUFFER big DATA_TYPE uint32 SIZE 100 FILL 3\nPIPELINE compute p\n  ATTACH s\n"
      "  FRAMEBUFFER_SIZE 4 4\n  BIND BUFFER image AS storage_image DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\nCOPY image TO big\n";
  EXPECT_THAT(ran(text), HasSubstr("the buffers have different sizes"));
  EXPECT_THAT(wholeJobOf(text).error().text(), HasSubstr("the buffers have different sizes"));
}

// The second pipeline writes what the first has as push constants.
constexpr const char* kPushing = R"(#!amber
SHADER compute adding GLSL
#version 450
layout(binding = 1) buffer Numbers { uint n[]; };
layout(push_constant) uniform Push { uint k; };
void main() { n[0] += k; }
END
SHADER compute giving GLSL
#version 450
layout(binding = 1) buffer Numbers { uint n[]; };
void main() { n[0] = 100; }
END
BUFFER n DATA_TYPE uint32 DATA 1 END
BUFFER k DATA_TYPE uint32 DATA 5 END
PIPELINE compute adds
  ATTACH adding
  BIND BUFFER n AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER k AS push_constant
END
PIPELINE compute gives
  ATTACH giving
  BIND BUFFER k AS storage DESCRIPTOR_SET 0 BINDING 1
END
)";

TEST(Script, PushConstantsAreWhatRunsHaveWritten) {
  EXPECT_EQ(ran(kPushing + std::string("RUN adds 1 1 1\nRUN gives 1 1 1\nRUN adds 1 1 1\nEXPECT n IDX 0 EQ 106\n")), "ok");
  EXPECT_EQ(ran(kPushing + std::string("RUN gives 1 1 1\nRUN adds 1 1 1\nEXPECT n IDX 0 EQ 101\n")), "ok");
  EXPECT_THAT(wholeJobOf(kPushing + std::string("RUN gives 1 1 1\nEXPECT k IDX 0 EQ 100\nRUN adds 1 1 1\n")).error().text(),
              HasSubstr("push constants are written by its runs"));
  EXPECT_TRUE(wholeJobOf(kPushing + std::string("RUN adds 1 1 1\nRUN gives 1 1 1\n")).ok());
}

}  // namespace
}  // namespace lanewise::amber
