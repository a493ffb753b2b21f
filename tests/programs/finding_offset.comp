// -- texel offsets: those of every device are from -8 to 7, which reports nothing; one less and one more are reported
// image 0 r32ui 2d 20x1 u32: 0..19
// sampler 0: clamp-to-edge
// buffer 1 i32: -8 7 -9 8
// buffer 2 poison: 48
// -- the texel at (9, 0) moved, and the second of four gathered by offsets
// expect 2 u32: 1 16 0 17  1 16 0 17  3 3 3 3
// finding out of range (offset): OpImageGather of 'texels', -9, and every device takes -8 to 7
// model-only: offsets beyond the limits of a device
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) uniform usampler2D texels;
layout(binding = 1) buffer A { int a[]; };
layout(binding = 2) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = textureGatherOffset(texels, vec2(0.5, 0.5), ivec2(a[l], 0)).w;
  o[4 + l] = o[l];
  o[8 + l] = textureGatherOffsets(texels, vec2(0.5), ivec2[4](ivec2(0, 0), ivec2(-6, 7), ivec2(0, 1), ivec2(1, 1))).y;
}
