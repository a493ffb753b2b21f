// -- the least and the greatest of a footprint; a texel of no weight does not count
// image 0 r32f 2d 2x2 f32: 4 -2 7 1
// sampler 1.0: linear,reduction=min
// sampler 1.1: linear,reduction=max
// sampler 1.2: linear
// buffer 2 poison: 36
// expect 2 f32: -2 -2 4 7 4 4 2.5 1 4
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2D t;
layout(binding = 1) uniform sampler s[3];
layout(binding = 2) buffer B { float o[]; };
void main() {
  for (int i = 0; i < 3; ++i) {
    o[3 * i] = textureLod(sampler2D(t, s[i]), vec2(0.5), 0).x;
    o[3 * i + 1] = textureLod(sampler2D(t, s[i]), vec2(0.5, 0.25), 0).x;
    o[3 * i + 2] = textureLod(sampler2D(t, s[i]), vec2(0.25), 0).x;
  }
}
