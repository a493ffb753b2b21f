// -- a variable that some invocations do not write goes into a branch, an address, an atomic and an output; the branch has no line, so the
// -- line before it tells. Near misses: one that is written on every way that reads it; one that is copied and not used; a selection that
// -- takes the other side; bits that are masked away
// buffer 0 u32: 0 2 4 6
// buffer 1 poison: 80
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// expect 0 u32: 0 2 4 6
// expect 1 u32: 9 9 9 9 0 0 0 0 1 1 1 1 5 5 5 5 3 0 0 0
// finding undefined_places.comp:23: undefined value: OpBranchConditional, which decides the way, invocation 0,0,0 of dispatch 0; from 'branch', which is read before it is written
// finding undefined_places.comp:25: undefined value: OpLoad, as an address, invocation 0,0,0 of dispatch 0; from 'address', which is read before it is written
// finding undefined_places.comp:26: undefined value: OpAtomicIAdd, in an atomic, invocation 0,0,0 of dispatch 0; from 'added', which is read before it is written
// finding undefined_places.comp:27: undefined value: OpStore of 'result[17]', an output of the job, invocation 1,0,0 of dispatch 0; from 'stored', which is read before it is written
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer I { uint even[]; };
layout(binding = 1) buffer O { uint result[]; };
shared uint sum;
void main() {
  const uint i = gl_LocalInvocationIndex;
  bool branch; uint address, added, stored;
  if (even[i] == 1) { branch = true; address = 4; added = 1; }
  if (i == 0) { sum = 0; stored = 3; } if (branch) result[i] = 8; else result[i] = 9;  // glslang 12 gives a branch the line before it

  result[4 + i] = even[address];
  barrier(); atomicAdd(sum, added); barrier();
  result[16 + i] = stored;
  // Near misses.
  uint written, copied, chosen, masked;
  if (i < 4) written = 1;
  result[8 + i] = i < 4 ? written : 7;
  uint unused = copied;
  const uint five = even[i] == 1 ? chosen : 5;
  result[12 + i] = (masked & 0u) | five;
}
