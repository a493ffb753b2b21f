// -- near misses of reconvergence.comp: all of the subgroup meet before they add; some leave a loop and the rest stay together; lanes that
// -- took one branch together add in it
// subgroup-size 8
// subgroup-dependent
// buffer 0 u32: 8*0
// expect 0 u32: 16 23 29 34 46 49 51 52
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint result[]; };
void main() {
  const uint lane = gl_LocalInvocationIndex;
  uint sum = 0;
  for (uint i = 0; i < 2; ++i) {
    uint one = 1;
    if ((lane & 1) == 1) one = result[lane] + 1;
    sum += subgroupAdd(one);
  }
  for (uint i = 0; i < lane; ++i) sum += subgroupAdd(1);
  if (lane >= 4) sum += subgroupAdd(2);
  result[lane] = sum;
}
