// -- fresh_lockstep.comp with a barrier between its steps
// buffer 0 u32: 128*1
// expect 0 u32: 128 127*1
#version 460
layout(local_size_x = 128) in;
layout(binding = 0) buffer B { uint values[]; };
shared uint sums[128];
void main() {
  const uint i = gl_LocalInvocationIndex;
  sums[i] = values[i];
  for (uint apart = 64; apart > 0; apart /= 2) {
    barrier();
    if (i < apart) sums[i] += sums[i + apart];
  }
  if (i == 0) values[0] = sums[0];
}
