// buffer 0.0 u32: 1 2 3 4
// buffer 0.1 u32: 10 20 30
// buffer 0.2 u32: 100
// buffer 1 poison: 64
// image 2.0 r32ui 2d 2x1 u32: 5 6
// image 2.1 r32ui 2d 2x1 u32: 7 8
// -- of buffers, by an index that differs from lane to lane, and 1000 times the length of one; then of images
// expect 1 u32: 3001 3010 3001 3010 3002 3020 3002 3020 5 7 6 8 5 7 6 8
// expect 0.2 u32: 59
// expect 2.1 u32: 7 8
// model-only: lavapipe has no ShaderNonUniform
// finding descriptor_arrays.comp:23: data race: OpImageWrite of 'im[1][0,0]', invocation 5,0,0 of dispatch 0; against the load by 1,0,0 at descriptor_arrays.comp:22
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in; layout(binding = 0) buffer A { uint a[]; } v[3];
layout(binding = 1) buffer B { uint o[]; };
layout(binding = 2, r32ui) uniform uimage2D im[2];
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = v[nonuniformEXT(l % 2)].a[l / 4] + v[1].a.length() * 1000;
  if (l == 3) { v[2].a[0] = 55; atomicAdd(v[2].a[0], v[0].a[3]); }
  o[8 + l] = imageLoad(im[nonuniformEXT(l & 1)], ivec2((l >> 1) & 1, 0)).x;
  if (l == 5) imageStore(im[1], ivec2(0, 0), uvec4(o[13]));
}
