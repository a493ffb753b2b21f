// -- an output that is only half written; bytes between the vectors of another are padding, and no business of anyone
// buffer 0 poison: 32
// buffer 1 poison: 64
// image 2 r32ui 2d 2x2
// model-only: what is not written stays as it was
// expect 0 u32: 0..3 2812782503 2812782503 2812782503 2812782503
// finding never written '0', 16 bytes of 32, first a[4]
// finding never written '2', 2 texels of 4, first texel 1,0 of level 0
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uvec3 b[]; };
layout(binding = 2, r32ui) uniform uimage2D image;
void main() {
  const uint i = gl_LocalInvocationIndex;
  a[i] = i;
  b[i] = uvec3(i);
  if (i < 2) imageStore(image, ivec2(0, i), uvec4(i));
}
