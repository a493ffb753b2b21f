// -- a local that nobody reads: what it would hold is out of range all the same
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 32
// expect 1 u32: 0 1 2 3 4 5 6 7
#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint t[4];
  t[i] = 7u;
  const uint u = a[i + 2000u];
  o[i] = i;
}
