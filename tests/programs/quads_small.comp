// -- quads where a subgroup has two invocations
// model-only: no device has such subgroups
// subgroup-dependent
// subgroup-size 2
// buffer 0 u32: 2*0
// expect 0 u32: 2 1
// finding quads_small.comp:13: quads in small subgroups: OpGroupNonUniformQuadSwap, in a subgroup of 2, invocation 0,0,0 of dispatch 0
#version 460
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 2) in;
layout(binding = 0) buffer B { uint result[]; };
void main() {
  result[gl_LocalInvocationIndex] = subgroupQuadSwapHorizontal(gl_LocalInvocationIndex + 1);
}
