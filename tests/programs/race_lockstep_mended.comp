// -- race_lockstep.comp with a barrier behind each step.
// buffer 0 u32: 64*1
// expect 0 u32: 64 63*1
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
shared uint scratch[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
  scratch[i] = values[i];
  barrier();
  for (uint step = 32; step > 0; step /= 2) {
    if (i < step) scratch[i] += scratch[i + step];
    barrier();
  }
  if (i == 0) values[0] = scratch[0];
}
