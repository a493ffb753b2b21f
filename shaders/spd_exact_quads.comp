// pyramid/mean2x2/spd-quads: the four invocations of 2x2 texels exchange them by quad operations.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_quad : require

// Numbered by subgroup and lane, which may differ from gl_LocalInvocationIndex. Subgroups are full, of four lanes or more.
#define QUADS
#define NUMBER (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID)
#include "spd_exact.glsl"
#include "spd_main.glsl"
