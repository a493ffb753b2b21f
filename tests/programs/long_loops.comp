// -- loops that go round so often that the model looks whether they wait, and goes on at the branch that leaves them
// buffer 0 u32: 20000 3 19999 1
// buffer 1 poison: 32
// groups 2 1 1
// -- the sum of 0..n-1 for each n, by a branch of each invocation; then that of 0..19999 four times, by one that all share
// expect 1 u32: 199990000 3 199970001 0
// expect 1 u32: 199990000 199990001 199990002 199990003
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer N { uint ns[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, i = 0, sum = 0;
  if (gl_WorkGroupID.x == 0) {
    uint n = ns[lane];
    do sum += i;
    while (++i < n);
    o[lane] = sum;
  } else {
    uint n = ns[0];
    do sum += i;
    while (++i < n);
    o[4 + lane] = sum + lane;
  }
}
