// -- an array with an index that only a lane knows, and what a block stores and loads again by constant indices
// buffer 0 u32: 3 1 2 0
// buffer 1 poison: 80
// -- what was stored is loaded; of two stores the second one; a store by a lane's index comes between; one where the lanes part
// expect 1 u32: 4 4 10 7 31
// expect 1 u32: 2 2 10 90 31
// expect 1 u32: 3 3 10 7 32
// expect 1 u32: 1 1 10 7 32
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint xs[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = xs[i], at = 5 * i;
  uint a[4];
  for (uint n = 0; n < 4; ++n) a[n] = x + 10 * n;
  a[0] = x + 1;
  o[at] = a[0];
  a[2] = 99;
  a[2] = 10;
  o[at + 1] = a[0];
  o[at + 2] = a[2];
  a[1] = 7;
  a[x] = 90;
  o[at + 3] = a[1];
  if (x > 0) a[3] = 31;
  if (x == 2 || x == 0) a[3] = 32;
  o[at + 4] = a[3];
}
