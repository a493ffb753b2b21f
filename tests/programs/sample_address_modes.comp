// -- every address mode, nearest and linear, on 4 texels and on 5, from two sizes before the image to two behind it; offsets; binding 1 is
// -- an array of samplers, in the order of Vulkan's enumeration
// image 0 r32f 2d 4x1 f32: 1 2 4 8
// image 3 r32f 2d 5x1 f32: 1 2 4 8 16
// sampler 1.0: repeat
// sampler 1.1: mirrored-repeat
// sampler 1.2: clamp-to-edge
// sampler 1.3: clamp-to-border,border=0/0/0/1
// sampler 1.4: mirror-clamp-to-edge
// sampler 1.5: linear,repeat
// sampler 1.6: linear,mirrored-repeat
// sampler 1.7: linear,clamp-to-edge
// sampler 1.8: linear,clamp-to-border,border=1/1/1/1
// sampler 1.9: linear,mirror-clamp-to-edge
// buffer 2 poison: 2240
// expect 2 f32: definition
#version 460
layout(local_size_x = 20) in;
layout(binding = 0) uniform texture2D four;
layout(binding = 1) uniform sampler s[10];
layout(binding = 3) uniform texture2D five;
layout(binding = 2) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  // Texel centres of the smaller image and the places halfway: multiples of 1/8 of it.
  float x = (float(l) - 7.75) * 0.25 + 0.0625;
  for (int i = 0; i < 10; ++i) {
    o[i * 20 + l] = textureLod(sampler2D(four, s[i]), vec2(x, 0.5), 0).x;
    o[200 + i * 20 + l] = textureLodOffset(sampler2D(four, s[i]), vec2(x, 0.5), 0, ivec2(1, 0)).x;
  }
  // Centres only: a fifth is not a float.
  for (int i = 0; i < 5; ++i) o[400 + i * 20 + l] = textureLod(sampler2D(five, s[i]), vec2((float(l) - 6.5) / 5.0, 0.5), 0).x;
  for (int i = 0; i < 3; ++i) o[500 + i * 20 + l] = l < 10 ? textureLod(sampler2D(five, s[2]), vec2((float(l) - 2.5) / 5.0, float(i) * 0.5), 0).y : textureLod(sampler2D(five, s[3]), vec2((float(l) - 12.5) / 5.0, float(i) * 0.5), 0).w;
}
