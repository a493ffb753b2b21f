// -- variables that branches, loops, calls and indices of lanes change after somebody stored them
// buffer 0 u32: 3 1 2 0
// buffer 1 poison: 96
// -- the other branch changed it; a loop changes what was stored before it; a call in a loop begins with nothing again; a return in the
// -- middle; a lane's index; a branch within a branch
// expect 1 u32: 5 6 300 11 7 40
// expect 1 u32: 7 2 100 11 7 30
// expect 1 u32: 5 4 200 77 9 40
// expect 1 u32: 7 0 0 11 7 30
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint xs[]; };
layout(binding = 1) buffer O { uint o[]; };
uint global = 11;
uint onlyFirst(uint n, bool write) {
  uint kept = 0;
  if (write) kept = n;
  return kept;
}
uint early(uint x) {
  global = 77;
  if (x == 2) return 1;
  global = 11;
  return 2;
}
void main() {
  uint i = gl_LocalInvocationIndex, x = xs[i], at = 6 * i;
  uint a = 5;
  if (x == 1 || x == 0)
    a = 7;
  else
    o[at] = a;
  o[at] = a;
  uint sum = 0;
  for (uint n = 0; n < x; ++n) {
    uint before = sum;
    sum = before + 2;
  }
  o[at + 1] = sum;
  uint most = 0;
  for (uint n = 0; n < 4; ++n) most += onlyFirst(100 * n, n == x);
  o[at + 2] = most;
  early(x);
  o[at + 3] = global;
  uint b[4] = uint[4](7, 7, 7, 7);
  b[x] = 9;
  o[at + 4] = b[2 * (i / 2)];
  uint c = 30;
  if (i % 2 == 0) {
    if (x > 1) c = 40;
    o[at + 5] = c;
  }
  o[at + 5] = c;
}
