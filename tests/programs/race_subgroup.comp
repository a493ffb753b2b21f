// -- a barrier of the subgroup where others of the workgroup store: right where the workgroup is one subgroup, and a race where it is several
// buffer 0 poison: 128
// expect 0 u32: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// one-order
// model-only: a device has its own subgroup size
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer O { uint result[]; };
shared uint given[32];
void main() {
  const uint i = gl_LocalInvocationIndex;
  given[i] = i;
  subgroupBarrier();
  result[i] = given[31 - i];
}
