// -- a sum in workgroup memory whose last six steps have no barrier, as 64 lanes are thought to go together
// model-only: what a device gives is its own business
// buffer 0 u32: 128*1
// buffer 1 u32: 0
// expect 1 u32: 7
// finding fresh_lockstep.comp:29: data race: OpLoad of 'sums[32]', invocation 0,0,0 of dispatch 0; against the store by 32,0,0 at fresh_lockstep.comp:28
// finding fresh_lockstep.comp:29: data race: OpStore of 'sums[32]', invocation 32,0,0 of dispatch 0; against the load by 0,0,0 at fresh_lockstep.comp:29
// finding fresh_lockstep.comp:30: data race: OpLoad of 'sums[16]', invocation 0,0,0 of dispatch 0; against the store by 16,0,0 at fresh_lockstep.comp:29
// finding fresh_lockstep.comp:30: data race: OpStore of 'sums[16]', invocation 16,0,0 of dispatch 0; against the load by 0,0,0 at fresh_lockstep.comp:30
// finding fresh_lockstep.comp:31: data race: OpLoad of 'sums[8]', invocation 0,0,0 of dispatch 0; against the store by 8,0,0 at fresh_lockstep.comp:30
// finding fresh_lockstep.comp:31: data race: OpStore of 'sums[8]', invocation 8,0,0 of dispatch 0; against the load by 0,0,0 at fresh_lockstep.comp:31
// finding fresh_lockstep.comp:32: data race: OpLoad of 'sums[4]', invocation 0,0,0 of dispatch 0; against the store by 4,0,0 at fresh_lockstep.comp:31
// finding fresh_lockstep.comp:32: data race: OpStore of 'sums[4]', invocation 4,0,0 of dispatch 0; against the load by 0,0,0 at fresh_lockstep.comp:32
// finding fresh_lockstep.comp:33: data race: OpLoad of 'sums[2]', invocation 0,0,0 of dispatch 0; against the store by 2,0,0 at fresh_lockstep.comp:32
// finding fresh_lockstep.comp:33: data race: OpStore of 'sums[2]', invocation 2,0,0 of dispatch 0; against the load by 0,0,0 at fresh_lockstep.comp:33
// finding fresh_lockstep.comp:34: data race: OpLoad of 'sums[1]', invocation 0,0,0 of dispatch 0; against the store by 1,0,0 at fresh_lockstep.comp:33
// finding fresh_lockstep.comp:34: data race: OpStore of 'sums[1]', invocation 1,0,0 of dispatch 0; against the load by 0,0,0 at fresh_lockstep.comp:34
#version 460
layout(local_size_x = 128) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) buffer D { uint done; };
shared uint sums[128];
void main() {
  const uint i = gl_LocalInvocationIndex;
  sums[i] = values[i];
  barrier();
  if (i < 64) {
    sums[i] += sums[i + 64];
    sums[i] += sums[i + 32];
    sums[i] += sums[i + 16];
    sums[i] += sums[i + 8];
    sums[i] += sums[i + 4];
    sums[i] += sums[i + 2];
    sums[i] += sums[i + 1];
  }
  if (i == 0) values[0] = sums[0];
  if (i == 0) done = 7;
}
