// -- which invocations of a workgroup of two dimensions are a subgroup, as they are by default
// model-only: Vulkan leaves it to the device
// buffer 0 poison: 128
// subgroup-size 8
// subgroup-dependent
// expect 0 u32: 0..7 256..263 512..519 768..775
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uint result[]; };
void main() { result[gl_LocalInvocationIndex] = gl_SubgroupID * 256u + gl_SubgroupInvocationID; }
