// -- levels of detail: explicit, biased, clamped by the sampler, by gradients; nearest and linear between levels; magnification differs
// image 0 r32f 2d 8x8 levels 4 f32: 64*1 16*2 4*4 8
// sampler 1.0: nearest
// sampler 1.1: nearest,mip=linear
// sampler 1.2: nearest,mip=linear,lod-bias=0.75
// sampler 1.3: nearest,mip=linear,min-lod=0.5,max-lod=1.5
// sampler 1.4: mag=linear,mip=linear
// image 3 r32f 2d 2x2 levels 2 f32: 0 16 32 48 100
// view 4 of 0
// view 4 base-level 1 levels 2
// buffer 2 poison: 528
// -- level n holds 2^n; levels -1 to 4.625 by 3/8: nearest, linear, biased by 3/4, kept within 1/2 and 3/2
// expect 2 f32: 5*1 2 2 3*4 6*8
// expect 2 f32: 3*1 1.125 1.5 1.875 2.5 3.25 4 5.5 7 5*8
// expect 2 f32: 1 1.125 1.5 1.875 2.5 3.25 4 5.5 7 7*8
// expect 2 f32: 5*1.5 1.875 2.5 9*3
// -- magnified: 28 by a linear filter; level n / 8: from the nearest texel, 32, to 100
// expect 2 f32: 9*28 40.5 49 57.5 66 74.5 83 91.5
// -- by the longer gradient, along x and along y
// expect 2 f32: 1 2 4 5*8  1 2 4 5*8
// -- a view of levels 1 and 2, in steps of 1/4
// expect 2 f32: 2 2.5 3 3.5 12*4
// -- 2 levels and 4; 2x2 both; level 1 by a gradient of two texels
// expect 2 f32: 2 4  22 22  16*2
// differs lavapipe-16 without avx512f: a level of detail of exactly a half is rounded up
// differs nvidia: a level of detail of exactly a half is rounded up, which Vulkan allows ("nearest(d)")
#version 460
layout(local_size_x = 16) in;
layout(binding = 0) uniform texture2D t;
layout(binding = 1) uniform sampler s[5];
layout(binding = 3) uniform texture2D small;
layout(binding = 4) uniform texture2D inner;
layout(binding = 2) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  float lod = float(l) * 0.375 - 1.0;
  for (int i = 0; i < 4; ++i) o[i * 16 + l] = textureLod(sampler2D(t, s[i]), vec2(0.3, 0.6), lod).x;
  o[64 + l] = textureLod(sampler2D(small, s[4]), vec2(0.375, 0.625), (float(l) - 8.0) * 0.125).x;
  // A gradient of 2^n texels is level n; the longer one counts.
  float g = exp2(float(l & 7)) * 0.125;
  vec2 dx = l < 8 ? vec2(g, 0) : vec2(0.0625, 0), dy = l < 8 ? vec2(0, 0.03125) : vec2(0, g);
  o[80 + l] = textureGrad(sampler2D(t, s[1]), vec2(0.3), dx, dy).x;
  o[96 + l] = textureLod(sampler2D(inner, s[1]), vec2(0.5), float(l) * 0.25).x;
  if (l == 0) { o[112] = textureQueryLevels(sampler2D(inner, s[0])); o[113] = textureQueryLevels(sampler2D(t, s[0])); ivec2 q = textureSize(sampler2D(inner, s[0]), 1); o[114] = q.x * 10 + q.y; q = textureSize(sampler2D(small, s[0]), 0); o[115] = q.x * 10 + q.y; }
  o[116 + l] = textureGradOffset(sampler2D(t, s[0]), vec2(0.3), vec2(0.25, 0), vec2(0), ivec2(1, 2)).x;
}
