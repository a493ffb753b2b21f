// -- a descriptor that is not bound
// model-only: lavapipe has no RuntimeDescriptorArray
// buffer 0.0 u32: 7
// buffer 0.2 u32: 9
// buffer 1 poison: 12
// expect 1 u32: 7 0 9
// finding finding_descriptor.comp:14: no descriptor: OpLoad of 'v', element 1, invocation 1,0,0 of dispatch 0
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 3) in;
layout(binding = 0) readonly buffer A { uint a[]; } v[];
layout(binding = 1) buffer B { uint o[]; };
void main() {
  o[gl_LocalInvocationIndex] = v[nonuniformEXT(gl_LocalInvocationIndex)].a[0];
}
