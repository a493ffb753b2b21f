// -- near misses of descriptor_index.comp: each workgroup uses one buffer of the array, and an index that differs says so
// model-only: lavapipe has no non-uniform indexing
// groups 2 1 1
// buffer 0.0 u32: 1 2 3 4
// buffer 0.1 u32: 5 6 7 8
// buffer 1 poison: 64
// expect 1 u32: 1 2 3 4 5 6 7 8 1 6 3 8 1 6 3 8
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; } v[2];
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  o[gl_GlobalInvocationID.x] = v[gl_WorkGroupID.x].a[i];
  o[8 + gl_GlobalInvocationID.x] = v[nonuniformEXT(i % 2)].a[i];
}
