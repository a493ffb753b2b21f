// pyramid/mean2x2-float/spd-*-quads-*: 2x2 texels are exchanged by quad operations. spd_float.glsl explains LINEAR and HALF.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_quad : require

#define QUADS
#define NUMBER (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
#include "spd_float.glsl"
#include "spd_main.glsl"
