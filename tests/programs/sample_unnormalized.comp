// -- unnormalised coordinates: nearest, linear, the edge and the border, integers
// image 0 r32f 2d 4x2 f32: 1 2 3 4 5 6 7 8
// sampler 0: unnormalized
// view 1 of 0
// sampler 1: unnormalized,linear
// view 2 of 0
// sampler 2: unnormalized,clamp-to-border
// image 3 r32i 2d 2x1 i32: -3 9
// sampler 3: unnormalized,clamp-to-border,int-border=0/0/0/1
// buffer 4 poison: 256
// -- x from -0.625 by 3/4, in rows -0.625 and 0.375: nearest
// expect 4 f32: 1 1 1 2 3 4 4 4  1 1 1 2 3 4 4 4
// -- linear
// expect 4 f32: 1 1 1.375 2.125 2.875 3.625 4 4  1 1 1.375 2.125 2.875 3.625 4 4
// -- with a border
// expect 4 f32: 8*0  0 1 1 2 3 4 4 0
// -- integers with a border
// expect 4 f32: 8*0  0 -3 -3 9 0 0 0 0
#version 460
layout(local_size_x = 16) in;
layout(binding = 0) uniform sampler2D plain;
layout(binding = 1) uniform sampler2D smooth_;
layout(binding = 2) uniform sampler2D framed;
layout(binding = 3) uniform isampler2D whole;
layout(binding = 4) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  vec2 p = vec2(l % 8, l / 8) * vec2(0.75, 1.0) - 0.625;
  o[l] = textureLod(plain, p, 0).x;
  o[16 + l] = textureLod(smooth_, p, 0).x;
  o[32 + l] = textureLod(framed, p, 0).x;
  o[48 + l] = float(textureLod(whole, p, 0).x);
}
