// buffer 0 poison: 128
// error finding: a control barrier that not all invocations reach together
// finding divergent_barrier.comp:11: divergent barrier: OpControlBarrier, invocation 1,0,0 of dispatch 0; invocation 0,0,0 is not with it, but at divergent_barrier.comp:12
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[32];
void main() {
  uint l = gl_LocalInvocationIndex;
  s[l] = l;
  if (l % 2 == 1) { barrier(); s[l] = 5; }
  o[l] = s[l ^ 1];
}
