// pyramid/mean2x2/spd-quads: 2x2 texels meet by quad operations.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_quad : require

// The subgroups' own order, which need not be gl_LocalInvocationIndex's; subgroups are full, and of four lanes or more.
#define QUADS
#define NUMBER (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
#include "spd_exact.glsl"
#include "spd_main.glsl"
