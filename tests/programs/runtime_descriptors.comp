// -- an array of descriptors without a size: as many as are bound, and what lies beyond reads 0
// model-only: lavapipe has no RuntimeDescriptorArray
// buffer 0.0 u32: 1 2
// buffer 0.3 u32: 30 40
// buffer 1 poison: 32
// expect 1 u32: 1 0 0 30 0 0 0 0
// finding no descriptor: OpLoad of 'v', element 1, invocation 1,0,0 of dispatch 0 (6 times)
// finding no descriptor: OpStore of 'v', element 1000000
// finding no descriptor: OpAtomicIAdd of 'v', element 4
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; } v[];
layout(binding = 1) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = v[nonuniformEXT(l == 7 ? 0x7fffffffu : l)].a[0];
  v[nonuniformEXT(l + 1000000)].a[0] = 5;
  atomicAdd(v[nonuniformEXT(l + 4)].a[1], 1u);
}
