// The texels of the float energy pyramids ("energy-float"). Codes become floats when a dispatch reads them, stay floats inside it, and
// become codes where they are stored. So the result depends on the dispatch plan. golden/bounds/pyramid_bounds.h proves the bound.
//
// One definition says what the picture holds: CODES (RGBA of 8 bits, sRGB where kSrgb), R32F or RGBA16F. Workgroup memory holds floats,
// with SHARED_HALF halves, or with SHARED_CODES (CODES only) the codes that would be stored.
// BILINEAR (fast pipeline): 2x2 texels of the first level are one sample of a linear filter at the corner they share. Not for sRGB.
#include "pyramid.glsl"

// `source` is the level that is read, `levels` are those above it. RGBA8 is viewed as R32_UINT, an RGBA16F source as R32G32_UINT.
#if defined(R32F)
#define VALUE float
#define TAP float
layout(set = 0, binding = 0, r32f) uniform writeonly restrict image2D levels[7];
layout(set = 0, binding = 2) uniform sampler2D source;
#elif defined(RGBA16F)
#define VALUE vec4
#define TAP uvec2
layout(set = 0, binding = 0, rgba16f) uniform writeonly restrict image2D levels[7];
layout(set = 0, binding = 2) uniform usampler2D source;
#else
#define VALUE vec4
#define TAP uint
layout(set = 0, binding = 0, r32ui) uniform writeonly restrict uimage2D levels[7];
layout(set = 0, binding = 2) uniform usampler2D source;
#endif
#define STORE(l, at, value) imageStore(levels[l], ivec2(at), encoded(value))

#ifdef BILINEAR
layout(set = 0, binding = 1) uniform sampler2D base;  // a view of only the level that is read; normalized coordinates

struct Quad {
  VALUE mean;
};
Quad readQuad(uvec2 at) {
  vec4 mean = textureLod(base, vec2(2u * at + 1u) / vec2(push.size), 0.0);
#ifdef R32F
  return Quad(mean.r);
#else
  return Quad(mean);
#endif
}
#else
struct Quad {
  TAP a, b, c, d;
};
// The coordinate is the corner that the four texels share, so rounding it cannot select another four.
Quad readQuad(uvec2 at) {
  vec2 corner = vec2(2u * at + 1u) / vec2(push.size);
#ifdef RGBA16F
  uvec4 low = textureGather(source, corner, 0), high = textureGather(source, corner, 1);
  return Quad(uvec2(low.x, high.x), uvec2(low.y, high.y), uvec2(low.z, high.z), uvec2(low.w, high.w));
#elif defined(R32F)
  vec4 taps = textureGather(source, corner);
  return Quad(taps.x, taps.y, taps.z, taps.w);
#else
  uvec4 taps = textureGather(source, corner);
  return Quad(taps.x, taps.y, taps.z, taps.w);
#endif
}
#endif

#ifdef CODES
vec4 codesOf(uint word) { return vec4((uvec4(word) >> uvec4(0u, 8u, 16u, 24u)) & 255u); }
uint wordOf(vec4 codes) {
  uvec4 c = uvec4(codes);
  return c.r | c.g << 8 | c.b << 16 | c.a << 24;
}

vec4 valueOf(uint word) {
  vec4 value = codesOf(word) * (1.0 / 255.0);
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
  return uvec4(wordOf(clamp(255.0 * code + 0.5, 0.0, 255.0)));
}
#else
vec4 encoded(VALUE value) { return vec4(value); }
#ifdef R32F
float valueOf(float tap) { return tap; }
#else
vec4 valueOf(uvec2 tap) { return vec4(unpackHalf2x16(tap.x), unpackHalf2x16(tap.y)); }
#endif
#endif

#ifdef CODES
// Linear codes stay codes until they are multiplied by a weight.
const float kTapUnit = kSrgb ? 1.0 : 1.0 / 255.0;
vec4 tapOf(uint word) { return kSrgb ? valueOf(word) : codesOf(word); }
#else
const float kTapUnit = 1.0;
VALUE tapOf(TAP tap) { return valueOf(tap); }
#endif

#if defined(SHARED_CODES)
#define WAITING uint
uint keep(vec4 value) { return encoded(value).x; }
vec4 kept(uint word) { return valueOf(word); }
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
VALUE meanOf(Quad q) { return q.mean; }
#else
VALUE meanOf(Quad q) {
#ifdef CODES
  // The sum of four linear codes is exact in 16 bits.
  const uint kHalves = 0x00ff00ffu;
  uint even = (q.a & kHalves) + (q.b & kHalves) + (q.c & kHalves) + (q.d & kHalves);
  uint odd = (q.a >> 8 & kHalves) + (q.b >> 8 & kHalves) + (q.c >> 8 & kHalves) + (q.d >> 8 & kHalves);
  if (!kSrgb) return vec4(even & 0xffffu, odd & 0xffffu, even >> 16, odd >> 16) * (1.0 / 1020.0);
#endif
  return reduceQuad(valueOf(q.a), valueOf(q.b), valueOf(q.c), valueOf(q.d));
}
#endif
