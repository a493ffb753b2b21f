// -- a texel added to sums that change places each turn: each component takes the sum of another
// image 0 rgba32ui 2d 8x1 u32: 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
// buffer 1 poison: 16
// buffer 2 u32: 8
// expect 1 u32: 157 176 472 4172
#version 460
layout(local_size_x = 1) in;
layout(binding = 0, rgba32ui) uniform readonly uimage2D texels;
layout(binding = 1) buffer Result { uvec4 result; };
layout(binding = 2) readonly buffer Turns { int turns; };
void main() {
  uvec4 sums = uvec4(1, 20, 300, 4000);
  for (int i = 0; i < turns; ++i) sums = sums.yxwz + imageLoad(texels, ivec2(i, 0));
  result = sums;
}
