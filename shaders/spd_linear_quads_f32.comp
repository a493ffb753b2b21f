// pyramid/mean2x2-float/spd-linear-quads-f32.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_quad : require

#define LINEAR
#define QUADS
#define NUMBER (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
#include "spd_float.glsl"
#include "spd_main.glsl"
