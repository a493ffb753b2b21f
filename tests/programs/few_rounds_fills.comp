// -- a loop of few rounds, each of which begins with an array that nobody has written: what the round before put there is gone
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// buffer 0 u32: 3 5 6 7
// buffer 1 poison: 16
// -- of each round the element that was set, or 0: in the first for 3, 5 and 7
// expect 1 u32: 40000 60000 0 80000
// finding few_rounds_fills.comp:21: undefined value: OpStore of 'o[0]', an output of the job, invocation 0,0,0 of dispatch 0; from 'a', which is read before it is written
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer X { uint xs[]; };
layout(binding = 1) buffer O { uint o[]; };
uint roundOf(uint x, uint i) {
  uint a[4];
  if ((x >> i & 1) != 0) a[(x + i) & 3] = x + 1;
  return a[xs[x & 3] & 3];
}
void main() {
  uint lane = gl_LocalInvocationIndex, x = xs[lane], r = 0;
  for (uint i = 0; i < 3; ++i) r = r * 100 + roundOf(x, i);
  o[lane] = r;
}
