// -- what invocations stored that returned before the barrier: the axioms say nothing of what follows it
// buffer 0 poison: 4
// model-only: undefined
// unoptimised: with one return for all, the barrier stands in divergent control flow
// expect 0 u32: 7
// finding finding_barrier_missed_shared.comp:15: barrier missed: OpControlBarrier, invocation 0,0,0 of dispatch 0; invocation 32,0,0 returned before it at finding_barrier_missed_shared.comp:14
// finding data race of equal values: OpStore of 's', invocation 41,0,0
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o; };
shared uint s;
void main() {
  if (gl_LocalInvocationIndex == 40 || gl_LocalInvocationIndex == 41) s = 7;
  if (gl_LocalInvocationIndex >= 32) return;
  barrier();
  if (gl_LocalInvocationIndex == 0) o = s;
}
