// -- the second of two barriers, which whole subgroups miss, whoever runs first
// buffer 0 poison: 1024
// model-only: undefined
// unoptimised: with one return for all, the barrier stands in divergent control flow
// expect 0 u32: 128*0xa7a7a7a7 128..255
// finding finding_barrier_missed_later.comp:18: barrier missed: OpControlBarrier, invocation 128,0,0 of dispatch 0; invocation 0,0,0 returned before it at finding_barrier_missed_later.comp:16
// finding never written '0', 512 bytes of 1024
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[256];
void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = l;
  barrier();
  if (l < 128) return;
  const uint other = s[l - 128] + 128;
  barrier();
  o[l] = other;
}
