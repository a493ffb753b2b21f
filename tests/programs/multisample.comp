// -- several samples a texel: fetched, read, written, counted, atomic; samples and layers that are not there
// model-only: copies fill images of one sample only
// image 0 r32ui 2d 2x2 samples 4 u32: 0..15
// image 1 r32ui 2d 2x1 layers 2 samples 2 u32: 100..107
// view 3 of 1
// buffer 2 poison: 64
// expect 0 u32: 1000 1001 1002 1003 4 5 6 12 8 9 10 11 12 13 14 15
// expect 1 u32: 100 101 102 103 104 105 106 108
// expect 2 u32: 0 4 8 12 3 7 11 15 103 107 105 0 4 212 0 0
// finding out of range (texel): OpImageFetch of 'layers[0,0,2]', outside of 2x1x2
// finding out of range (texel): OpImageRead of 'plane[0,0]', sample 4 of 4
// finding out of range (texel): OpImageWrite of 'plane[0,0]', sample 9 of 4
// finding multisample.comp:30: aliased bindings: OpAtomicIAdd of 'same[1,0,3]', invocation 0,0,0 of dispatch 0; another variable names the same memory at multisample.comp:26
// finding multisample.comp:29: data race: OpImageWrite of 'plane[1,1,0]', invocation 3,0,0 of dispatch 0; against the load by 0,0,0 at multisample.comp:25
// finding multisample.comp:30: data race: OpAtomicIAdd of 'plane[1,1,1]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at multisample.comp:25
#version 460
layout(local_size_x = 4) in;
layout(binding = 0, r32ui) uniform uimage2DMS plane;
layout(binding = 1) uniform usampler2DMSArray layers;
layout(binding = 3, r32ui) uniform uimage2DMSArray same;
layout(binding = 2) buffer B { uint o[]; };
void main() {
  int l = int(gl_LocalInvocationIndex);
  o[l] = imageLoad(plane, ivec2(0), l).x;
  o[4 + l] = imageLoad(plane, ivec2(1), l).x;
  if (l == 0) { o[8] = texelFetch(layers, ivec3(1, 0, 0), 1).x; o[9] = texelFetch(layers, ivec3(1, 0, 1), 1).x; o[10] = texelFetch(layers, ivec3(1, 0, 1), 0).x; o[11] = texelFetch(layers, ivec3(0, 0, 2), 0).x; }
  if (l == 1) { o[12] = imageSamples(plane); ivec3 s = textureSize(layers); o[13] = s.x * 100 + s.y * 10 + s.z; o[14] = 0; o[15] = imageLoad(plane, ivec2(0), 4).x; }
  barrier();
  imageStore(plane, ivec2(l & 1, l >> 1), 0, uvec4(1000 + l));
  if (l < 1) { imageAtomicAdd(plane, ivec2(1, 1), 1, 5u); imageStore(plane, ivec2(0), 9, uvec4(1)); imageAtomicAdd(same, ivec3(1, 0, 1), 1, 1u); }
}
