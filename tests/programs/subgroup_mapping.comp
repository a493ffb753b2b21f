// buffer 0 poison: 64
// subgroup-size 8
// subgroup-dependent
// -- gl_SubgroupID * 256 + gl_SubgroupInvocationID, of subgroups of 8
// expect 0 u32: 0..7 256..263
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint result[]; };
void main() { result[gl_LocalInvocationIndex] = gl_SubgroupID * 256u + gl_SubgroupInvocationID; }
