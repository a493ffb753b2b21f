// -- what several invocations store at once to what others load is no value of one of them. Near miss: one stores, and its value is told
// buffer 0 u32: 7 7 7
// buffer 1 u32: 8*0
// unoptimised: the load may be moved
// one-order
// expect 1 u32: 8*21
// model-only: which one stays is a device's own business
// finding race_values_at_once.comp:17: data race: OpStore of 'a[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_values_at_once.comp:16; several invocations store there at once
// finding race_values_at_once.comp:17: data race: OpStore of 'a[0]', invocation 2,0,0 of dispatch 0; against the store by 0,0,0 at race_values_at_once.comp:17; they store different values
// finding race_values_at_once.comp:18: data race: OpStore of 'a[2]', invocation 5,0,0 of dispatch 0; against the load by 0,0,0 at race_values_at_once.comp:16; first it is 7, then 5
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  o[gl_LocalInvocationIndex] = a[0] + a[1] + a[2];
  if (gl_LocalInvocationIndex < 4) a[gl_LocalInvocationIndex % 2] = gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex == 5) a[2] = gl_LocalInvocationIndex;
}
