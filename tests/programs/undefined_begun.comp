// -- the array of a function begins anew with each call: what the first call wrote, the second does not find. Near miss: one that each call
// -- fills before it reads
// buffer 0 u32: 0 1 2 3
// buffer 1 poison: 64
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// expect 1 u32: 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5
// finding undefined_begun.comp:26: undefined value: OpBranchConditional, which decides the way, invocation 0,0,0 of dispatch 0; from 'begun', which is read before it is written
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer I { uint number[]; };
layout(binding = 1) buffer O { uint result[]; };
uint sometimes(uint call, uint i) {
  uint begun[4];
  if (call == number[0]) for (uint k = 0; k < 4; ++k) begun[(k + number[i]) % 4] = 9;
  return begun[number[i]];
}
uint always(uint i) {
  uint filled[4];
  for (uint k = 0; k < 4; ++k) filled[(k + number[i]) % 4] = 5;
  return filled[number[i]];
}
void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint call = 0; call < 2; ++call) {
    if (sometimes(call, i) == 77) result[4 * call + i] = 3; else result[4 * call + i] = 4;
    result[8 + 4 * call + i] = always(i);
  }
}
