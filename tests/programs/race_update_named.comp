// -- an update of a word whose index has two names, as HLSL's byte addresses have. Near miss: the second index is another one
// buffer 0 u32: 4*0
// buffer 1 u32: 4*0
// buffer 2 u32: 1 1 1 1 2
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 0 8 0 0
// expect 1 u32: 0 4 8 0
// finding race_update_named.comp:21: data race: OpStore of 'bits[1]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_named.comp:21
// finding race_update_named.comp:21: data race: OpStore of 'bits[1]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_named.comp:21
// finding race_update_named.comp:25: data race: OpStore of 'others[1]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_update_named.comp:23
// finding race_update_named.comp:25: data race: OpStore of 'others[1]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_update_named.comp:25
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint bits[4]; };
layout(binding = 1) buffer B { uint others[4]; };
layout(binding = 2) readonly buffer C { uint values[5]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint from = values[i] & 3u, to = values[i] & 3u;
  bits[to] = bits[from] | (1u << i);
  uint place = values[i] & 3u;
  const uint was = others[place];
  place = values[i + 1] & 3u;
  others[place] = was | (1u << i);
}
