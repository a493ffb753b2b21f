// -- lanes whose elements lie outside, which meet at the end of the buffer where a profile takes them there
// subgroup-size 8
// buffer 0 u32: 31 32 33
// expect 0 u32: 32 33 34
// finding out of range (buffer): OpLoad of 'e[3]', bytes 12 to 15 of 12, invocation 3,0,0 of dispatch 0 (58 times)
#version 460
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) buffer O { uint e[]; };
void main() {
  e[gl_LocalInvocationIndex] += 1u;
}
