// pyramid/mean2x2-float/spd-*-memory-*: 2x2 texels are exchanged through workgroup memory. spd_float.glsl explains LINEAR and HALF.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require

#define NUMBER gl_LocalInvocationIndex
#include "spd_float.glsl"
#include "spd_main.glsl"
