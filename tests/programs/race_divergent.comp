// -- the load that needs a barrier before it stands in an `if`: the barrier has to stand before that
// buffer 0 u32: 32*0
// buffer 1 u32: 0
// model-only: what a device gives is its own business
// expect 1 u32: 7
// finding race_divergent.comp:15: data race: OpLoad of 'given[31]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_divergent.comp:12; it read 31; no barrier of the workgroup orders them
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer D { uint data[]; }; layout(binding = 1) buffer E { uint done; };
shared uint given[32];
void main() { const uint i = gl_LocalInvocationIndex; if (i == 0) done = 7;
  barrier(); given[i] = i;  // it stands too early
  if (i < 16) {
    if (i % 2 == 0)
      data[i] = given[31 - i];
  }
}
