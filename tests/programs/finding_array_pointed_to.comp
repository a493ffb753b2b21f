// -- an index of one invocation beyond an array that an address leads to. Near miss: the others' are right
// buffer 0 address: 1
// buffer 0 u32: 4 0
// buffer 1 u32: 1 2 3 4 5
// buffer 2 poison: 32
// model-only: what lies beyond is a device's own business
// expect 2 u32: 5*1 5 1 1
// finding finding_array_pointed_to.comp:17: out of range (array): OpLoad of 'r.a[4]', index 4 of 4, invocation 5,0,0 of dispatch 0
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint a[4]; uint last; };
layout(binding = 0) buffer A { R r; uint four; };
layout(binding = 2) buffer C { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  o[i] = r.a[i == 5 ? four : 0];
}
