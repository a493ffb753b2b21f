// -- an index beyond an array at a buffer's end is told once. Near miss: another invocation leaves the buffer there with an index in range
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 16
// buffer 2 u32: 0 2
// model-only: robust loads may give other values
// expect 1 u32: 4 2 3 4
// finding finding_array_in_buffer.comp:20: out of range (array): OpStore of 'o[4]', index 4 of 4, invocation 4,0,0 of dispatch 0 (4 times)
// finding finding_array_in_buffer.comp:19: out of range (array): OpLoad of 'p[0].d[2]', index 2 of 2, invocation 0,0,0 of dispatch 0
// finding finding_array_in_buffer.comp:19: out of range (buffer): OpLoad of 'p[2].d[0]', bytes 16 to 19 of 16, invocation 1,0,0 of dispatch 0
#version 450
layout(local_size_x = 8) in;
struct P { uint d[2]; };
layout(binding = 0) buffer A { P p[]; };
layout(binding = 1) buffer B { uint o[4]; };
layout(binding = 2) buffer C { uint zero, two; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint x = i + 1;
  if (i < 2) x += p[i == 1 ? two : zero].d[i == 0 ? two : zero];
  o[i] = x;
}
