// one-order
// max-steps 1000
// buffer 0 u32: 0
// error finding: the step limit of 1000 was reached in the loop of endless_loop.comp:11
// finding endless_loop.comp:11: step limit, more than 1000 steps of one invocation, invocation 0,0,0 of dispatch 0
// finding endless_loop.comp:11: data race: OpStore of 'o[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at endless_loop.comp:11
// finding endless_loop.comp:11: data race: OpStore of 'o[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at endless_loop.comp:11
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint o[]; };
void main() { while (o[0] < 5) { o[0] = gl_LocalInvocationIndex; } }
