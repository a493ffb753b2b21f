// -- an array with an index that is known only while the program runs is new in each workgroup: what the one before left in it is gone, and
// -- the model reads zeros.
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// groups 5 1 1
// buffer 0 poison: 20
// expect 0 u32: 7 0 0 0 0
// finding undefined value: OpStore of 'o[1]', an output of the job, invocation 1,0,0 of dispatch 0; from 'u', which is read before it is written
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint o[]; };

uint inArray(uint group, uint at) {
  uint u[4];
  if (group == 0) u[at] = 7;
  return u[at];
}

void main() {
  o[gl_WorkGroupID.x] = inArray(gl_WorkGroupID.x, gl_WorkGroupID.x / 8);
}
