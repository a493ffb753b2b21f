// -- stores and loads beyond a buffer, which robustness hides
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 32
// model-only: robust loads may give other values
// expect 0 u32: 1 2 3 4
// expect 1 u32: 1 2 3 4 0 0 0 0
// finding finding_buffer.comp:16: out of range (buffer): OpLoad of 'a[4]', bytes 16 to 19 of 16, invocation 4,0,0 of dispatch 0 (4 times)
// finding finding_buffer.comp:17: out of range (buffer): OpStore of 'a[7]', bytes 28 to 31 of 16, invocation 7,0,0 of dispatch 0
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i < 4) o[i] = a[i];
  else o[i] = a[i];
  if (i == 7) a[i] = 5;
}
