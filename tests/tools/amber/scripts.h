// Small scripts that hold, with every statement of compute among them. Shared by the tests of the model, of devices and of garbled texts.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanewise::amber {

// Doubles what is bound as storage at 0:0, one invocation a number.
inline const std::string kDouble =
    "#!amber\nSHADER compute doubling GLSL\n#version 450\nlayout(binding = 0) buffer B { int a[]; };\n"
    "void main() { a[gl_WorkGroupID.x] *= 2; }\nEND\n"
    "BUFFER numbers DATA_TYPE int32 DATA 1 2 -3 0x10 END\n"
    "PIPELINE compute p\n  ATTACH doubling\n  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n";

struct Example {
  const char* name;
  std::string text;
};

inline std::vector<Example> examples() {
  const std::string pushes =
      "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 1) buffer O { float o[4]; };\n"
      "layout(push_constant) uniform P { vec3 a; float b; };\nlayout(constant_id = 3) const int times = 1;\n"
      "layout(constant_id = 5) const float add = 0;\n"
      "void main() { for (int i = 0; i < 3; ++i) o[i] = a[i] * b * times + add; o[3] = times; }\nEND\n"
      "STRUCT block\n  vec3<float> a\n  float b\nEND\nBUFFER c DATA_TYPE block DATA 1 2 3 0.5 END\n"
      "BUFFER o DATA_TYPE float SIZE 4 FILL 9\n";
  return {
      {"run and compare", kDouble +
                              "RUN p 4 1 1\nEXPECT numbers IDX 0 EQ 2 4 -6 32\nEXPECT numbers IDX 8 NE -3\nEXPECT numbers IDX 8 LT -5\n"
                              "EXPECT numbers IDX 8 LE -6 32\nEXPECT numbers IDX 12 GT 31\nEXPECT numbers IDX 12 GE 32\n"},
      {"repeat and copy", kDouble + "BUFFER copied DATA_TYPE int32 SIZE 4 FILL 0\nREPEAT 3\n  RUN p 2 1 1\n  COPY numbers TO copied\n  "
                                    "EXPECT copied IDX 8 EQ -3\nEND\n"
                                    "EXPECT copied IDX 0 EQ 8 16 -3 16\nEXPECT copied EQ_BUFFER numbers\n"},
      {"push constants and specialization",
       pushes + "PIPELINE compute p\n  ATTACH s SPECIALIZE 3 AS int32 4 SPECIALIZE 5 AS float 1.5\n  BIND BUFFER c AS push_constant\n"
                "  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\nDERIVE_PIPELINE q FROM p\n  ATTACH s SPECIALIZE 3 AS uint32 "
                "2\nEND\n"
                "RUN p 1 1 1\nEXPECT o IDX 0 EQ 3.5 5.5 7.5 4\nRUN q 1 1 1\nEXPECT o IDX 0 TOLERANCE 0.1 EQ 1.05 1.95 3 2\n"
                "EXPECT o IDX 0 TOLERANCE 5% EQ 1.04 1.96 3 2\n"},
      {"structures, std140 and uniform",
       "#!amber\nSTRUCT inner\n  float a\n  int32 b\nEND\nSTRUCT outer STRIDE 64\n  uint32 first\n  inner second\n  float[2] third\n  "
       "mat2x3<float> fourth OFFSET 48\nEND\n"
       "SHADER compute s GLSL\n#version 450\nstruct Inner { float a; int b; };\n"
       "layout(std140, binding = 0) uniform U { uint first; Inner second; float third[2]; } u;\n"
       "layout(binding = 1) buffer O { float o[]; };\nvoid main() { o[0] = u.first; o[1] = u.second.a; o[2] = u.second.b; o[3] = "
       "u.third[1]; }\nEND\n"
       "STRUCT given\n  uint32 first\n  inner second\n  float third[2]\nEND\n"
       "BUFFER u DATA_TYPE given STD140 DATA 7 1.5 -2 8 9 END\nBUFFER unused DATA_TYPE outer SIZE 2 FILL 0\n"
       "BUFFER o DATA_TYPE float SIZE 4 SERIES_FROM 0.5 INC_BY 0.25\nEXPECT o IDX 0 EQ 0.5 0.75 1 1.25\n"
       "PIPELINE compute p\n  ATTACH s\n  BIND BUFFER u AS uniform DESCRIPTOR_SET 0 BINDING 0\n  BIND BUFFER o AS storage DESCRIPTOR_SET 0 "
       "BINDING 1\nEND\n"
       "RUN p 1 1 1\nEXPECT o IDX 0 EQ 7 1.5 -2 9\nEXPECT u IDX 16 EQ 1.5 -2 8 9\n"},
      {"images and samplers",
       "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0, rgba8) uniform writeonly image2D target;\n"
       "layout(binding = 1) uniform sampler2D both;\nlayout(binding = 2) uniform texture2D alone;\nlayout(binding = 3) uniform sampler "
       "how;\n"
       "void main() { ivec2 at = ivec2(gl_WorkGroupID.xy); vec2 c = (vec2(at) + 0.5) / 2;\n"
       "  imageStore(target, at, at.x == 0 ? texture(both, c) : texture(sampler2D(alone, how), c + 1)); }\nEND\n"
       "IMAGE source FORMAT R32G32B32A32_SFLOAT DIM_2D WIDTH 2 HEIGHT 2 DATA\n1 0 0 1\n0 1 0 1\n0 0 1 1\n1 1 1 1\nEND\n"
       "IMAGE target FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 FILL 7\n"
       "SAMPLER nearest\nSAMPLER border MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U clamp_to_border ADDRESS_MODE_V clamp_to_border "
       "ADDRESS_MODE_W clamp_to_edge BORDER_COLOR float_opaque_white MIN_LOD 0.0 MAX_LOD 0.0 NORMALIZED_COORDS COMPARE off COMPARE_OP "
       "never\n"
       "EXPECT target IDX 0 0 SIZE 2 2 EQ_RGBA 7 7 7 7\n"
       "PIPELINE compute p\n  ATTACH s\n  BIND BUFFER target AS storage_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 0\n"
       "  BIND BUFFER source AS combined_image_sampler SAMPLER nearest DESCRIPTOR_SET 0 BINDING 1\n"
       "  BIND BUFFER source AS sampled_image DESCRIPTOR_SET 0 BINDING 2\n  BIND SAMPLER border DESCRIPTOR_SET 0 BINDING 3\nEND\n"
       "RUN p 2 2 1\nEXPECT target IDX 0 0 SIZE 1 1 EQ_RGBA 255 0 0 255\nEXPECT target IDX 0 1 SIZE 1 1 EQ_RGB 0 0 255\n"
       "EXPECT target IDX 1 0 SIZE 1 2 EQ_RGB 255 255 255\nEXPECT target IDX 1 0 SIZE 1 2 TOLERANCE 2 EQ_RGBA 254 254 254 254\n"},
      {"texel buffers and arrays of descriptors",
       "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0) uniform textureBuffer t;\nlayout(binding = 1, r32ui) uniform "
       "uimageBuffer w;\n"
       "layout(binding = 2) buffer B { uint v; } b[2];\nvoid main() { imageStore(w, 1, uvec4(texelFetch(t, 1).y)); b[0].v = 5; b[1].v = 6; "
       "}\nEND\n"
       "BUFFER t DATA_TYPE vec2<float> DATA 1 2 3 4 END\nBUFFER w DATA_TYPE uint32 SIZE 2 FILL 0\n"
       "BUFFER b0 DATA_TYPE uint32 SIZE 65 FILL 0\nBUFFER b1 DATA_TYPE uint32 SIZE 65 FILL 0\n"
       "PIPELINE compute p\n  ATTACH s\n  BIND BUFFER t AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 0\n"
       "  BIND BUFFER w AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 1\n"
       "  BIND BUFFER_ARRAY b0 b1 AS storage_dynamic DESCRIPTOR_SET 0 BINDING 2 OFFSET 0 256 DESCRIPTOR_OFFSET 0 0 DESCRIPTOR_RANGE 4 "
       "-1\nEND\n"
       "RUN p 1 1 1\nEXPECT w IDX 4 EQ 4\nEXPECT b0 IDX 0 EQ 5\nEXPECT b1 IDX 256 EQ 6\nEXPECT b1 IDX 0 EQ 0\n"},
      {"arrays of images and samplers",
       "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0) uniform sampler2D t[2];\nlayout(binding = 1) uniform texture2D "
       "u;\n"
       "layout(binding = 2) uniform sampler how[2];\nlayout(binding = 3) buffer O { float o[4]; };\nvoid main() {\n"
       "  o[0] = texture(t[0], vec2(0.5)).x; o[1] = texture(t[1], vec2(0.5)).x;\n"
       "  o[2] = texture(sampler2D(u, how[0]), vec2(2.5, 0.5)).x; o[3] = texture(sampler2D(u, how[1]), vec2(2.5, 0.5)).x; }\nEND\n"
       "IMAGE a DATA_TYPE float DIM_2D WIDTH 1 HEIGHT 1 FILL 3\nBUFFER b DATA_TYPE float WIDTH 1 HEIGHT 1 FILL 4\n"
       "BUFFER o DATA_TYPE float SIZE 4 FILL 0\nSAMPLER repeats\nSAMPLER borders ADDRESS_MODE_U clamp_to_border\n"
       "PIPELINE compute p\n  ATTACH s\n  BIND BUFFER_ARRAY a b AS combined_image_sampler SAMPLER repeats repeats DESCRIPTOR_SET 0 BINDING "
       "0\n"
       "  BIND BUFFER a AS sampled_image DESCRIPTOR_SET 0 BINDING 1\n  BIND SAMPLER_ARRAY repeats borders DESCRIPTOR_SET 0 BINDING 2\n"
       "  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 3\nEND\nRUN p 1 1 1\nEXPECT o IDX 0 EQ 3 4 3 0\n"},
      {"subgroups",
       "#!amber\nDEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl\nDEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups\n"
       "DEVICE_FEATURE SubgroupSupportedOperations.arithmetic\nDEVICE_PROPERTY FloatControlsProperties.shaderDenormPreserveFloat32\n"
       "DEVICE_EXTENSION VK_KHR_storage_buffer_storage_class\nINSTANCE_EXTENSION VK_KHR_get_physical_device_properties2\n"
       "SET ENGINE_DATA fence_timeout_ms 5000\n"
       "SHADER compute s GLSL TARGET_ENV spv1.3\n#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\nlayout(local_size_x "
       "= 8) in;\n"
       "layout(binding = 0) buffer B { uint all, one; };\nvoid main() { uint n = subgroupAdd(1); if (gl_LocalInvocationIndex == 0) { one = "
       "n; all = "
       "gl_SubgroupSize; } }\nEND\nBUFFER b DATA_TYPE uint32 SIZE 2 FILL 0\n"
       "PIPELINE compute p\n  ATTACH s\n  SUBGROUP s\n    FULLY_POPULATED on\n    VARYING_SIZE off\n    REQUIRED_SIZE 8\n  END\n"
       "  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN TIMED_EXECUTION p 1 1 1\nEXPECT b IDX 0 EQ 8 8\n"},
      {"assembly with another entry point and passes",
       "#!amber\nSHADER multi s SPIRV-ASM TARGET_ENV spv1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f "
       "\"five\"\n"
       "OpExecutionMode %f LocalSize 1 1 1\nOpDecorate %B BufferBlock\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %b DescriptorSet 2\n"
       "OpDecorate %b Binding 4\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%B = OpTypeStruct %uint\n"
       "%p = OpTypePointer Uniform %B\n%q = OpTypePointer Uniform %uint\n%b = OpVariable %p Uniform\n%c0 = OpConstant %uint 0\n%c5 = "
       "OpConstant %uint 5\n"
       "%f = OpFunction %void None %fn\n%l = OpLabel\n%a = OpAccessChain %q %b %c0\nOpStore %a %c5\nOpReturn\nOpFunctionEnd\nEND\n"
       "BUFFER o DATA_TYPE uint32 SIZE 1 FILL 0\nPIPELINE compute p\n  ATTACH s TYPE compute ENTRY_POINT five\n"
       "  SHADER_OPTIMIZATION s\n    --eliminate-dead-branches\n    merge-return\n  END\n"
       "  BIND BUFFER o AS storage DESCRIPTOR_SET 2 BINDING 4\nEND\nRUN p 1 1 1\nEXPECT o IDX 0 EQ 5\n"},
      {"measures of buffers",
       "#!amber\nBUFFER a DATA_TYPE R8G8B8A8_UNORM SIZE 2 FILL 10\nBUFFER b DATA_TYPE R8G8B8A8_UNORM DATA 10 10 10 10 10 10 10 14 END\n"
       "EXPECT a RMSE_BUFFER b TOLERANCE 1.5\nEXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 0.01\nBUFFER c DATA_TYPE R8G8B8A8_UNORM SIZE 2 "
       "FILL 10\n"
       "EXPECT a EQ_BUFFER c\n"},
      {"a file of its own",
       "#!amber\nVIRTUAL_FILE five.h\nconst uint kFive = 5;\nEND\nVIRTUAL_FILE whole.comp\n#version 450\n#extension "
       "GL_GOOGLE_include_directive : enable\n"
       "#include \"five.h\"\nlayout(binding = 0) buffer B { uint o; };\nvoid main() { o = kFive; }\nEND\n"
       "SHADER compute s GLSL VIRTUAL_FILE whole.comp\nBUFFER o DATA_TYPE uint32 SIZE 1 FILL 0\n"
       "PIPELINE compute p\n  ATTACH s ENTRY_POINT main\n  BIND BUFFER o AS storage \\\n       DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 "
       "1  # one\nEXPECT o IDX 0 EQ 5\n"},
      {"a file beside the one that includes it",
       "#!amber\nVIRTUAL_FILE n.hlsl\n#error not this one\nEND\nVIRTUAL_FILE in/n.hlsl\nstatic const uint kSeven = 7;\nEND\n"
       "VIRTUAL_FILE in/more.hlsl\n#include \"n.hlsl\"\nEND\nSHADER compute s HLSL\n#include \"in/more.hlsl\"\n"
       "RWStructuredBuffer<uint> o : register(u0);\n[numthreads(1, 1, 1)] void main() { o[0] = kSeven; }\nEND\n"
       "BUFFER o DATA_TYPE uint32 SIZE 1 FILL 0\nPIPELINE compute p\n  ATTACH s\n"
       "  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\nEXPECT o IDX 0 EQ 7\n"},
      {"types of all widths",
       "#!amber\nBUFFER a DATA_TYPE int8 DATA -1 127 0xff END\nBUFFER b DATA_TYPE uint16 DATA 65535 1 END\nBUFFER c DATA_TYPE int64 DATA "
       "-5 END\n"
       "BUFFER d DATA_TYPE uint64 DATA 18446744073709551615 END\nBUFFER e DATA_TYPE double DATA 0.1 END\nBUFFER f DATA_TYPE float16 DATA "
       "0.333251953125 END\n"
       "BUFFER g DATA_TYPE vec3<int32> DATA 1 2 3 4 5 6 END\nBUFFER h DATA_TYPE mat2x3<float> DATA 1 2 3 4 5 6 END\n"
       "BUFFER i DATA_TYPE float[] STD140 DATA 1 2 END\nBUFFER j DATA_TYPE A2B10G10R10_UINT_PACK32 DATA 0xfff01407 END\n"
       "EXPECT a IDX 0 EQ -1 127 -1\nEXPECT b IDX 2 EQ 1\nEXPECT c IDX 0 EQ -5\nEXPECT d IDX 0 GT 18446744073709551614\nEXPECT e IDX 0 EQ "
       "0.1\n"
       "EXPECT f IDX 0 EQ 0.333251953125\nEXPECT g IDX 16 EQ 4 5 6\nEXPECT h IDX 16 EQ 4 5 6\nEXPECT i IDX 16 EQ 2\nEXPECT j IDX 0 EQ "
       "0xfff01407\n"},
      {"sized by the framebuffer",
       "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0, r32ui) uniform uimage2D t;\nvoid main() { imageStore(t, "
       "ivec2(gl_WorkGroupID.xy), uvec4(3)); }\nEND\n"
       "BUFFER t FORMAT R32_UINT MIP_LEVELS 1 SAMPLES 1\nPIPELINE compute p\n  ATTACH s\n  FRAMEBUFFER_SIZE 4 3\n"
       "  BIND BUFFER t AS storage_image DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 4 3 1\nEXPECT t IDX 3 2 SIZE 1 1 EQ_RGB 3 0 0\n"},
      {"packed texels are words",
       "#!amber\nBUFFER a FORMAT A8B8G8R8_UNORM_PACK32 WIDTH 1 HEIGHT 1 FILL 0x04030201\n"
       "BUFFER b FORMAT A8B8G8R8_UNORM_PACK32 WIDTH 1 HEIGHT 1 DATA 67305985 END\n"
       "BUFFER c DATA_TYPE R5G6B5_UNORM_PACK16 SIZE 2 SERIES_FROM 0xf800 INC_BY 1\n"
       "EXPECT a IDX 0 0 SIZE 1 1 EQ_RGBA 1 2 3 4\nEXPECT a EQ_BUFFER b\nEXPECT c IDX 0 EQ 0xf800 0xf801\n"},
      {"a shader in GLSL ES",
       "#!amber\n\nSHADER compute s GLSL\n\n#version 310 es\nprecision highp float;\nlayout(local_size_x = 1) in;\n"
       "layout(binding = 0) buffer B { int line; };\nvoid main() { line = __LINE__; }\nEND\n"
       "BUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nPIPELINE compute p\n  ATTACH s\n  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING "
       "0\nEND\n"
       "RUN p 1 1 1\nEXPECT b IDX 0 EQ 9\n"},
      {"the older form with comments and attributes",
       "[comment]\nA section of words; [compute shader] at its end.\n\n[compute shader]\n#version 450\n#extension "
       "GL_EXT_control_flow_attributes : enable\nlayout(binding = 0) buffer B { int b; };\nvoid main() {\n"
       "  [[unroll]] for (int i = 0; i < 3; ++i) b += i;\n}\n[test]\nssbo 0 4\ncompute 1 1 1\nprobe ssbo int 0 0 == 3\n"},
      {"the older form",
       "[require]\nrobustBufferAccess\nVK_KHR_storage_buffer_storage_class\nfence_timeout 2000\n\n[compute shader]\n#version 430\n"
       "layout(binding = 0) buffer A { mat2 m; vec2 v[2]; };\nlayout(set = 1, binding = 3) uniform U { mat2 n; };\n"
       "layout(push_constant) uniform P { float f; uint g[2]; };\nvoid main() { v[0] = m * v[0] * f; v[1] = n * v[1] + g[1]; }\n\n[test]\n"
       "ssbo 0 subdata mat2 0 1 0 \\\n                      0 2\nssbo 0:0 subdata vec2 16 3 4\nssbo 0 subdata float 24 5 6\nuniform ubo "
       "1:3 mat2 0 1 0 0 1\n"
       "uniform float 0 0.5\nuniform uint 4 8 2\ncompute 1 1 1\nprobe ssbo vec2 0:0 16 == 1.5 4\nprobe ssbo vec2 0 24 ~= 7 8\ntolerance "
       "0.1 10%\n"
       "probe ssbo vec2 0 24 ~= 7.05 8.5\nprobe ssbo float 0 28 < 9\nprobe ssbo float 0 28 <= 8\nprobe ssbo float 0 28 > 7\nprobe ssbo "
       "float 0 28 >= 8\n"
       "probe ssbo float 0 28 != 9\nssbo 0 subdata vec2 16 1 1\ncompute 1 1 1\nprobe ssbo vec2 0:0 16 == 0.5 1\n"},
      {"layouts of the older form",
       "[require]\nvulkan 1.1\nshaderFloat16\n[compute shader]\n#version 450\n"
       "layout(push_constant, std140) uniform P { float p[2]; };\nlayout(binding = 0) uniform U { float u[2]; };\n"
       "layout(binding = 1, std140) buffer A { float a[2]; };\nlayout(binding = 2, row_major) buffer B { mat2x3 m; float b[2]; };\n"
       "void main() { for (int i = 0; i < 2; ++i) { a[i] = p[i]; b[i] = u[i]; } m = m * 2; }\n[test]\n"
       "push layout std140\npush float 0 1 2\nubo 0 subdata float 0 3 4\nssbo 1 32\nssbo layout row_major std430\n"
       "ssbo 2 subdata mat2x3 0 1 2 3 4 5 6\nssbo 2 32\ncompute 1 1 1\n"
       "probe ssbo mat2x3 2 0 == 2 4 6 8 10 12\nssbo layout\nprobe ssbo float 2 0 == 2 8 4 10 6 12 3 4\n"
       "ssbo layout std140\nprobe ssbo float 1 0 == 1 2\n"},
      {"names in quotes",
       "#!amber\nVIRTUAL_FILE \"five.glsl\"\nconst int kFive = 5;\nEND\nVIRTUAL_FILE \"a shader\"\n#version 450\n"
       "#extension GL_GOOGLE_include_directive : enable\n#include \"five.glsl\"\n"
       "layout(binding = 0) buffer B { int b; };\nvoid main() { b = kFive; }\nEND\nSHADER compute s GLSL VIRTUAL_FILE \"a shader\"\n"
       "BUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nPIPELINE compute p\n  ATTACH s\n"
       "  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\nEXPECT b IDX 0 EQ 5\n"},
      {"the older form in assembly",
       "[compute shader spirv]\nOpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"five\"\n"
       "OpExecutionMode %f LocalSize 1 1 1\nOpDecorate %B BufferBlock\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %b DescriptorSet 0\n"
       "OpDecorate %b Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%B = OpTypeStruct %uint\n"
       "%p = OpTypePointer Uniform %B\n%q = OpTypePointer Uniform %uint\n%b = OpVariable %p Uniform\n%c0 = OpConstant %uint 0\n%c5 = "
       "OpConstant %uint 5\n"
       "%f = OpFunction %void None %fn\n%l = OpLabel\n%a = OpAccessChain %q %b %c0\nOpStore %a %c5\nOpReturn\nOpFunctionEnd\n"
       "[test]\nssbo 0 4\ncompute entrypoint five\ncompute 1 1 1\nprobe ssbo uint 0 0 == 5\n"},
  };
}

}  // namespace lanewise::amber
