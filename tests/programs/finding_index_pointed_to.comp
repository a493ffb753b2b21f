// -- an index of a buffer that an address leads to is told by its value. Near miss: the other invocations' are right
// buffer 0 address: 1
// buffer 0 u32: 2 0
// buffer 1 u32: 1 2 3 4
// buffer 2 poison: 16
// expect 2 u32: 1 1 1 0
// model-only: what lies beyond is a device's own business
// finding finding_index_pointed_to.comp:16: out of range (buffer): OpLoad of 'r.a[4]', bytes 16 to 19, invocation 3,0,0 of dispatch 0
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint a[]; };
layout(binding = 0) buffer A { R r; uint two; };
layout(binding = 2) buffer C { uint o[]; };
void main() {
  o[gl_LocalInvocationIndex] = r.a[gl_LocalInvocationIndex == 3 ? two + two : 0];
}
