// -- a function's variables are new in each call: what a call before left in them is gone, in registers and in an array with an index that is
// -- known only while it runs, and the model reads zeros. Near misses: a variable of the module keeps its value, and one of a block in a loop
// -- keeps its own until the function returns.
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// buffer 0 poison: 60
// expect 0 u32: 10 0 0 10 0 0 10 10 10 1010 2020 3030 10 0 0
// finding undefined value: OpStore of 'o[1]', an output of the job, invocation 0,0,0 of dispatch 0; from 't', which is read before it is written
// finding undefined value: OpStore of 'o[4]', an output of the job, invocation 0,0,0 of dispatch 0; from 'u', which is read before it is written
// finding undefined value: OpStore of 'o[13]', an output of the job, invocation 0,0,0 of dispatch 0; from 'large', which is read before it is written
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint o[]; };
uint kept;

uint inVariable(uint k, bool first) {
  uint t;
  if (first) t = k;
  return t;
}

uint inArray(uint k, uint at, bool first) {
  uint u[4];
  if (first) u[at] = k;
  return u[at];
}

uint inLargeArray(uint k, uint at, bool first) {
  uint large[100];
  if (first) large[99 - at] = k;
  return large[99 - at];
}

uint inModule(uint k, bool first) {
  if (first) kept = k;
  return kept;
}

uint inLoop(uint k) {
  uint sum = 0;
  for (uint i = 0; i < 2; ++i) {
    uint v;
    if (i == 0) v = k;
    sum = sum * 100 + v;
  }
  return sum;
}

void main() {
  for (uint k = 0; k < 3; ++k) {
    o[k] = inVariable(10 * k + 10, k == 0);
    o[3 + k] = inArray(10 * k + 10, k / 4, k == 0);
    o[6 + k] = inModule(10 * k + 10, k == 0);
    o[9 + k] = inLoop(10 * k + 10);
    o[12 + k] = inLargeArray(10 * k + 10, k / 4, k == 0);
  }
}
