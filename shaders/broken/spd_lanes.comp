// broken/spd-lanes (A12): assumes that a quad has four consecutive values of gl_LocalInvocationIndex, which Vulkan does not promise.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_quad : require

#define QUADS
#define NUMBER gl_LocalInvocationIndex
#include "../spd_exact.glsl"
#include "../spd_main.glsl"
