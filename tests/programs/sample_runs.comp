// -- the samples of neighbours, which are made together, are those of each lane by itself, whose level of detail is another operand: runs
// -- of sixteen and of eight, with every second texel, and scattered; with weights of 0, 1/2 and others; beyond each edge
// model-only: it compares two ways in which the model samples
// image 0 rgba8 2d 24x20 u8: 0..255 0..255 0..255 0..255 0..255 0..255 0..255 0..127
// -- finite halves, then an infinity, a zero with a sign, no number
// image 1 rgba16f 2d 24x20 u16: 0..1913 0x7c00 0x8000 0xfc00 0x7e00 0x8000 0x3c00
// image 2 rgba32f 2d 24x20 f32: 0..1913 inf -0 -inf nan -0 1
// image 3 r8 2d 24x20 u8: 0..255 0..223
// image 4 rg8 2d 24x20 u8: 0..255 0..255 0..255 0..191
// image 5 r32f 2d 24x20 f32: 0..475 inf -0 -inf nan
// sampler 6.0: linear,clamp-to-edge
// sampler 6.1: linear,repeat
// sampler 6.2: linear,clamp-to-border,border=0/0/0/1
// sampler 6.3: nearest,clamp-to-edge
// sampler 6.4: linear,clamp-to-edge,reduction=min
// buffer 7 u32: 64*0
// buffer 8 u32: 0 0
// -- 6 pictures, 5 samplers, 4 shapes, 3 places, 64 lanes
// expect 8 u32: 23040 0
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) uniform texture2D picture0;
layout(binding = 1) uniform texture2D picture1;
layout(binding = 2) uniform texture2D picture2;
layout(binding = 3) uniform texture2D picture3;
layout(binding = 4) uniform texture2D picture4;
layout(binding = 5) uniform texture2D picture5;
layout(binding = 6) uniform sampler s[5];
layout(binding = 7) readonly buffer Levels { float level[]; };
layout(binding = 8) buffer Counts { uint same, others; };

vec2 placeOf(int shape, uint l) {
  return shape == 0   ? vec2(l % 16, l / 16)
         : shape == 1 ? vec2(l % 8, l / 8)
         : shape == 2 ? vec2(2 * (l % 8), l / 8)
                      : vec2(l % 16, l * 7 % 13);
}
const float kWeight[3] = {0.5, 1.0, 1.3};
const float kStart[3] = {-2.0, 0.0, 5.0};

#define COMPARE(picture) \
  { \
    vec4 together = textureLod(sampler2D(picture, s[n]), place, 0.0); \
    vec4 alone = textureLod(sampler2D(picture, s[n]), place, level[l]); \
    bool equal = floatBitsToUint(together) == floatBitsToUint(alone); \
    count += equal ? uvec2(1, 0) : uvec2(0, 1); \
  }

void main() {
  uint l = gl_LocalInvocationIndex;
  uvec2 count = uvec2(0);
  for (int n = 0; n < 5; ++n)
    for (int shape = 0; shape < 4; ++shape)
      for (int at = 0; at < 3; ++at) {
        vec2 start = vec2(kStart[at], kStart[(at + n) % 3]);
        vec2 place = (placeOf(shape, l) + start + vec2(kWeight[(at + shape) % 3], kWeight[(at + n) % 3])) / vec2(24, 20);
        COMPARE(picture0)
        COMPARE(picture1)
        COMPARE(picture2)
        COMPARE(picture3)
        COMPARE(picture4)
        COMPARE(picture5)
      }
  atomicAdd(same, count.x);
  atomicAdd(others, count.y);
}
