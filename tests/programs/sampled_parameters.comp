// -- images and samplers as parameters of functions, combined where they are used, chosen by a value
// image 0.0 r32f 2d 2x1 f32: 1 2
// image 0.1 r32f 2d 2x1 f32: 3 4
// image 0.2 r32f 2d 2x1 f32: 5 6
// sampler 1.0: nearest
// sampler 1.1: linear,repeat
// image 2 r32f 2d 2x1 f32: 10 20
// sampler 2: linear
// image 4 r32f 2d 2x1 f32: 0 0
// buffer 3 poison: 192
// -- at l / 8: linear and repeated
// expect 3 f32: 3.5 3.25 3 3.25 3.5 3.75 4 3.75  3.5 3.25 3 3.25 3.5 3.75 4 3.75
// -- linear to the edge, and 20
// expect 3 f32: 30 30 30 32.5 35 37.5 10*40
// -- of image l % 3: images 0 and 2 nearest, image 1 linear
// expect 3 f32: 1 3.25 5  1 3.5 6  2 3.75 6  2 3 6  2 3.75 6  2
// expect 4 f32: 7 8
#version 460
layout(local_size_x = 16) in;
layout(binding = 0) uniform texture2D t[3];
layout(binding = 1) uniform sampler s[2];
layout(binding = 2) uniform sampler2D both;
layout(binding = 4) uniform writeonly image2D out_;
layout(binding = 3) buffer B { float o[]; };
float take(texture2D image, sampler how, vec2 at) { return textureLod(sampler2D(image, how), at, 0).x; }
float take(sampler2D image, vec2 at) { return textureLod(image, at, 0).x + texelFetch(image, ivec2(1, 0), 0).x; }
void put(writeonly image2D image, int x, float v) { imageStore(image, ivec2(x, 0), vec4(v)); }
void main() {
  uint l = gl_LocalInvocationIndex;
  vec2 at = vec2(float(l) * 0.125, 0.5);
  o[l] = take(t[1], s[1], at);
  o[16 + l] = take(both, at);
  for (int i = 0; i < 3; ++i) { float v = textureLod(sampler2D(t[i], s[i & 1]), at, 0).x; if (l % 3 == i) o[32 + l] = v; }
  if (l < 2) put(out_, int(l), float(l) + 7);
}
