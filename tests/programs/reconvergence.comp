// -- lanes part and meet in a loop that others have left: whether they add together behind that is the device's choice
// model-only: what a device gives is its own business
// subgroup-dependent
// one-order
// subgroup-size 8
// buffer 0 u32: 8*0
// expect 0 u32: 0 7 13 18 22 25 27 28
// finding reconvergence.comp:18: depends on reconvergence: OpGroupNonUniformIAdd, invocation 2,0,0 of dispatch 0; it parted from 1,0,0 at reconvergence.comp:17 and met it again while others of the subgroup were elsewhere: a device need not let them meet; move the operation to where all of the subgroup come, or declare maximal reconvergence
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint result[]; };
void main() {
  uint sum = 0;
  for (uint i = 0; i < gl_LocalInvocationIndex; ++i) {
    uint one = 1;
    if ((gl_LocalInvocationIndex & 1) == 1 && result[gl_LocalInvocationIndex] == 0) one = min(one, result.length());
    sum += subgroupAdd(one);
  }
  result[gl_LocalInvocationIndex] = sum;
}
