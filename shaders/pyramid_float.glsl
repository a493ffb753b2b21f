// The float energy pyramids' texels ("energy-float"): codes become floats when a dispatch reads them, stay floats inside it, and become
// codes where they are stored, so the result depends on the schedule; the bound is proved in golden/pyramid_bounds.h.
//
// What the picture holds, by definition: CODES (RGBA of 8 bits, sRGB where kSrgb), R32F, RGBA16F. What waits in workgroup memory: floats,
// with SHARED_HALF halves, with SHARED_CODES (CODES only) what would be stored.
// BILINEAR (fast pipeline): the first level's 2x2 texels are one sample of a linear filter at their common corner. Not for sRGB.
#include "pyramid.glsl"

#ifdef R32F
#define VALUE float
layout(set = 0, binding = 0, r32f) uniform restrict image2D levels[7];
#else
#define VALUE vec4
#ifdef RGBA16F
layout(set = 0, binding = 0, rgba16f) uniform restrict image2D levels[7];
#else
layout(set = 0, binding = 0, rgba8ui) uniform restrict uimage2D levels[7];
#endif
#endif
#define STORE(l, at, value) imageStore(levels[l], ivec2(at), encoded(value))

#ifdef CODES
vec4 decoded(uvec4 codes) {
  vec4 value = vec4(codes) * (1.0 / 255.0);
  if (!kSrgb) return value;
  vec3 low = value.rgb / 12.92, high = pow((value.rgb + 0.055) / 1.055, vec3(2.4));
  return vec4(mix(high, low, lessThanEqual(value.rgb, vec3(0.04045))), value.a);
}

uvec4 encoded(vec4 value) {
  vec4 code = clamp(value, 0.0, 1.0);
  if (kSrgb) {
    vec3 low = 12.92 * code.rgb, high = 1.055 * pow(code.rgb, vec3(1.0 / 2.4)) - 0.055;
    code.rgb = mix(high, low, lessThanEqual(code.rgb, vec3(0.0031308)));
  }
  return uvec4(clamp(255.0 * code + 0.5, 0.0, 255.0));
}

vec4 readBase(uvec2 at) { return decoded(imageLoad(levels[0], ivec2(at))); }
#else
vec4 encoded(VALUE value) { return vec4(value); }
#ifdef R32F
float readBase(uvec2 at) { return imageLoad(levels[0], ivec2(at)).r; }
#else
vec4 readBase(uvec2 at) { return imageLoad(levels[0], ivec2(at)); }
#endif
#endif

#if defined(SHARED_CODES)
#define WAITING uint
uint keep(vec4 value) {
  uvec4 codes = encoded(value);
  return codes.r | codes.g << 8 | codes.b << 16 | codes.a << 24;
}
vec4 kept(uint word) { return decoded(uvec4(word, word >> 8, word >> 16, word >> 24) & 255u); }
#elif defined(SHARED_HALF) && defined(R32F)
#define WAITING uint
uint keep(float value) { return packHalf2x16(vec2(value, 0.0)); }
float kept(uint word) { return unpackHalf2x16(word).x; }
#elif defined(SHARED_HALF)
#define WAITING uvec2
uvec2 keep(vec4 value) { return uvec2(packHalf2x16(value.rg), packHalf2x16(value.ba)); }
vec4 kept(uvec2 words) { return vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)); }
#else
#define WAITING VALUE
VALUE keep(VALUE value) { return value; }
VALUE kept(VALUE value) { return value; }
#endif

VALUE reduceQuad(VALUE a, VALUE b, VALUE c, VALUE d) { return 0.25 * ((a + b) + (c + d)); }

#ifdef BILINEAR
layout(set = 0, binding = 1) uniform sampler2D base;  // of the level that is read alone; normalized coordinates

VALUE quadOfBase(uvec2 at) {
  vec4 mean = textureLod(base, vec2(2u * at + 1u) / vec2(push.size), 0.0);
#ifdef R32F
  return mean.r;
#else
  return mean;
#endif
}
#endif
