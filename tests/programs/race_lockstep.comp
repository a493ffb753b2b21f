// -- a reduction whose last steps have no barriers, as the lanes of a subgroup are thought to go together
// buffer 0 u32: 64*1
// buffer 1 u32: 0
// model-only: what a device gives is its own business
// expect 1 u32: 7
// finding race_lockstep.comp:18: data race: OpLoad of 'scratch[16]', invocation 0,0,0 of dispatch 0; against the store by 16,0,0 at race_lockstep.comp:18
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) buffer D { uint done; };
shared uint scratch[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
  scratch[i] = values[i];
  barrier();
  if (i < 32) {
    for (uint step = 32; step > 0; step /= 2)
      scratch[i] += scratch[i + step];
    if (i == 0) values[0] = scratch[0];
  }
  if (i == 0) done = 7;
}
