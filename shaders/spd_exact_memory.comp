// pyramid/mean2x2/spd-memory: the four invocations of 2x2 texels exchange them through workgroup memory.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require

#define NUMBER gl_LocalInvocationIndex
#include "spd_exact.glsl"
#include "spd_main.glsl"
