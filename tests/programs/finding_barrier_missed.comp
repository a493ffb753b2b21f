// -- a barrier behind which some invocations of a subgroup have returned: undefined, run as devices do, and told once a workgroup
// buffer 0 poison: 512
// groups 2 1 1
// model-only: undefined
// unoptimised: with one return for all, the barrier stands in divergent control flow
// expect 0 u32: 0..39 24*0xa7a7a7a7 0..39 24*0xa7a7a7a7
// finding finding_barrier_missed.comp:17: barrier missed: OpControlBarrier, invocation 0,0,0 of dispatch 0; invocation 40,0,0 returned before it at finding_barrier_missed.comp:15 (2 times)
// finding never written '0', 192 bytes of 512
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[64];
void main() {
  const uint l = gl_LocalInvocationIndex;
  if (l >= 40) return;
  s[l] = l;
  barrier();
  o[gl_WorkGroupID.x * 64 + l] = s[39 - l] + 2 * l - 39;
}
