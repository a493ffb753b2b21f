// pyramid/mean2x2-float/spd-linear-memory-f32.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require

#define LINEAR
#define NUMBER gl_LocalInvocationIndex
#include "spd_float.glsl"
#include "spd_main.glsl"
