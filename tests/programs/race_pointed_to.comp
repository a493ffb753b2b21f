// -- memory that a pointer in a push constant leads to is not coherent. Near miss: a coherent block at the same address
// buffer 0 u32: 128*0
// buffer 1 poison: 256
// push address: 0
// expect 0 u32: 0..63 0..63
// expect 1 u32: 64*0
// model-only: what a device gives is its own business
// finding race_pointed_to.comp:25: data race: OpLoad of 'pc.many[0].v[9]', invocation 0,0,0 of dispatch 0; against the store by 9,0,0 at race_pointed_to.comp:20; it read 9; the barrier at race_pointed_to.comp:23 stands between them, but 'Plain' is not coherent (63 times)
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Plain { uint v[128]; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Kept { uint v[128]; };
layout(push_constant) uniform Push { Plain many[1]; } pc;
layout(binding = 1) buffer O { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  Kept kept = Kept(uvec2(pc.many[0]));
  pc.many[0].v[i] = i;
  kept.v[64 + i] = i;
  memoryBarrierBuffer();
  barrier();
  memoryBarrierBuffer();
  const uint its = pc.many[0].v[9];
  o[i] = its - kept.v[64 + 9];
}
