// pyramid/mean2x2-float/spd-load-memory-f16.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

#define HALF
#define NUMBER gl_LocalInvocationIndex
#include "spd_float.glsl"
#include "spd_main.glsl"
