// -- a fence is told at the atomic that hands on, and not at one that comes between: the count orders nothing
// buffer 0 u32: 0
// buffer 1 u32: 0
// buffer 2 u32: 0
// buffer 3 u32: 0
// groups 2 1 1
// one-order
// expect 2 u32: 2
// model-only: the second workgroup may come first
// finding race_two_atomics.comp:25: data race: OpLoad of 'data', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_two_atomics.comp:19
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer A { uint data; };
layout(binding = 1) coherent buffer B { uint flag; };
layout(binding = 2) coherent buffer C { uint count; };
layout(binding = 3) buffer D { uint o; };
void main() {
  if (gl_WorkGroupID.x == 0) {
    data = 5;
    atomicAdd(count, 1);
    atomicExchange(flag, 1);
  } else {
    if (atomicOr(flag, 0) == 0) return;
    atomicAdd(count, 1);
    o = data;
  }
}
