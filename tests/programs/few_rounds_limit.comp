// -- the step limit is reached in a loop of few rounds, behind which is a barrier that not all reach: the limit comes first
// max-steps 40
// buffer 0 u32: 1 2 3 4
// error finding: the step limit of 40 was reached in the loop of few_rounds_limit.comp:11
// finding few_rounds_limit.comp:11: step limit, more than 40 steps of one invocation, invocation 0,0,0 of dispatch 0
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, r = 0;
  for (uint i = 0; i < 16; ++i) r = r * 31 + b[lane];
  if ((r & 1) == lane) barrier();
  b[lane] = r;
}
