// -- a pointer that is computed has no name: what it leads to has that of its block. Near miss: a coherent block at the same address
// buffer 0 u32: 32*0
// push address: 0 0+64
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0
// finding race_pointed_block.comp:22: data race: OpLoad of 'Plain.value', invocation 0,0,0 of dispatch 0; against the store by 1,0,0 at race_pointed_block.comp:17; it read 1; the barrier at race_pointed_block.comp:20 stands between them, but 'Plain' is not coherent
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Plain { uint value, next; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Kept { uint value, next; };
layout(push_constant) uniform Push { Plain plain; Kept kept; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  plain[i].value = i;
  kept[i].value = i;
  memoryBarrierBuffer();
  barrier();
  memoryBarrierBuffer();
  plain[i].next = plain[(i + 1) % 8].value;
  kept[i].next = kept[(i + 1) % 8].value;
}
