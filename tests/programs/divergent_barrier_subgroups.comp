// -- whole batches stop at different barriers
// buffer 0 poison: 1024
// error finding: a control barrier that not all invocations reach together
// finding divergent_barrier_subgroups.comp:12: divergent barrier: OpControlBarrier
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[256];
void main() {
  uint l = gl_LocalInvocationIndex;
  s[l] = l;
  if (l < 128) { barrier(); s[l] = 5; } else { s[l] = 6; barrier(); }
  o[l] = s[l ^ 1];
}
