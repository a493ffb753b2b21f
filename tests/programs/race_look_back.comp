// -- a scan over workgroups that looks back at what the one before has published: the flag is read and written without order
// buffer 0 u32: 4*0 4*0 0
// groups 4 1 1
// model-only: what a device gives is its own business
// expect 0 u32: 1 2 3 4 4*1 4
// finding race_look_back.comp:16: data race: OpLoad of 'sums[0]', invocation 32,0,0 of dispatch 0; against the store by 0,0,0 at race_look_back.comp:18; it read 1; nothing orders their workgroups
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer B { uint sums[4]; uint flags[4]; uint ticket; };
void main() {
  if (gl_LocalInvocationIndex != 0) return;
  const uint g = atomicAdd(ticket, 1);
  uint before = 0;
  if (g > 0) {
    while (atomicAdd(flags[g - 1], 0) == 0) {}
    before = sums[g - 1];
  }
  sums[g] = before + 1;
  atomicExchange(flags[g], 1);
}
