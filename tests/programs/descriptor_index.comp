// -- lanes of a subgroup use different buffers of an array, and nothing says so
// model-only: lavapipe has no non-uniform indexing
// buffer 0.0 u32: 1 2 3 4
// buffer 0.1 u32: 5 6 7 8
// buffer 1 poison: 16
// expect 1 u32: 1 6 3 8
// finding descriptor_index.comp:13: index not NonUniform: OpLoad of 'v', invocation 1,0,0 of dispatch 0; lanes of one subgroup use different descriptors
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; } v[2];
layout(binding = 1) buffer B { uint o[]; };
void main() {
  o[gl_LocalInvocationIndex] = v[gl_LocalInvocationIndex % 2].a[gl_LocalInvocationIndex];
}
