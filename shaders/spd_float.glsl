// pyramid/mean2x2-float/spd-*: AMD's geometry and AMD's arithmetic. Inside a tile the values stay floats between 0 and 1. Every level is
// rounded to codes where it is stored, and level 7 starts from the codes of level 6. Pictures are viewed as words of four codes, so a
// device's own rounding to 8 bits does not matter.
//
// LINEAR: the source is read through a sampler, 2x2 texels at a time at the corner they share. The sampler's reduction mode is the
// pyramid's reduction, and it clamps at the edges. HALF: values are halves, two per word in workgroup memory and between lanes.
#extension GL_KHR_memory_scope_semantics : require

#ifdef LINEAR
layout(set = 0, binding = 0) uniform sampler2DArray source;
#else
layout(set = 0, binding = 0) uniform usampler2DArray source;
#endif
const uint kPictures = 13u;  // the base and twelve levels above it
layout(set = 0, binding = 1, r32ui) uniform nonprivate uimage2DArray levels[kPictures];

#ifdef HALF
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define TEXEL f16vec4
#define KEPT uvec2
#define keep(v) uvec2(packFloat2x16((v).xy), packFloat2x16((v).zw))
#define kept(k) f16vec4(unpackFloat2x16((k).x), unpackFloat2x16((k).y))
#else
#define TEXEL vec4
#define KEPT vec4
#define keep(v) (v)
#define kept(k) (k)
#endif

TEXEL reduceTexels(TEXEL a, TEXEL b, TEXEL c, TEXEL d);
TEXEL baseTexel(uvec2 at, uint layer);
TEXEL lowerTexel(uint base, uvec2 at, uint layer);
void storeTexel(uint level, uvec2 at, uint layer, TEXEL v);

#include "spd_tile.glsl"

const uint kMean = 0u, kLeast = 1u;
layout(constant_id = 3) const uint kReduction = kMean;  // a constant: devices compile only one of the three

TEXEL reduceTexels(TEXEL a, TEXEL b, TEXEL c, TEXEL d) {
  if (kReduction == kMean) return TEXEL(0.25) * ((a + b) + (c + d));
  return kReduction == kLeast ? min(min(a, b), min(c, d)) : max(max(a, b), max(c, d));
}

#ifdef HALF
shared uvec4 tile[2][kQuads];

void put(uint slot, TEXEL v) {
  uvec2 k = keep(v);
  tile[0][slot / 4u][slot & 3u] = k.x;
  tile[1][slot / 4u][slot & 3u] = k.y;
}

Four takeFour(uint quad) {
  uvec4 low = tile[0][quad], high = tile[1][quad];
  return Four(kept(uvec2(low.x, high.x)), kept(uvec2(low.y, high.y)), kept(uvec2(low.z, high.z)), kept(uvec2(low.w, high.w)));
}
#else
shared vec4 tile[4][kQuads];

void put(uint slot, TEXEL v) {
  tile[0][slot / 4u][slot & 3u] = v.x;
  tile[1][slot / 4u][slot & 3u] = v.y;
  tile[2][slot / 4u][slot & 3u] = v.z;
  tile[3][slot / 4u][slot & 3u] = v.w;
}

Four takeFour(uint quad) {
  mat4 v = transpose(mat4(tile[0][quad], tile[1][quad], tile[2][quad], tile[3][quad]));
  return Four(v[0], v[1], v[2], v[3]);
}
#endif

TEXEL lightOf(uint word) { return TEXEL(unpackUnorm4x8(word)); }

// The codes floor(255 v + 1/2), taken from bits, because devices convert floats to integers slowly. The sum lies between 256 and 512: a
// float's last 15 bits, and a half's last 2, are the fraction, however it was rounded.
uint wordOf(TEXEL v) {
  TEXEL sum = clamp(v, TEXEL(0.0), TEXEL(1.0)) * TEXEL(255.0) + TEXEL(256.5);
#ifdef HALF
  uint even = packFloat2x16(sum.xz), odd = packFloat2x16(sum.yw);
  return ((even >> 2) & 0x00ff00ffu) | ((odd << 6) & 0xff00ff00u);
#else
  uvec4 codes = floatBitsToUint(sum) & 0x7f8000u;
  return (codes.x >> 15) | (codes.y >> 7) | (codes.z << 1) | (codes.w << 9);
#endif
}

void storeTexel(uint level, uvec2 at, uint layer, TEXEL v) {
  imageStore(levels[min(level, kPictures - 1u)], ivec3(at, layer), uvec4(wordOf(v)));
}

// Taps are clamped at the edges.
TEXEL lowerTexel(uint base, uvec2 at, uint layer) {
  uvec2 most = levelSize(base) - 1u;
  ivec4 p = ivec4(min(2u * at, most), min(2u * at + 1u, most));
  int l = int(layer);
#define LIGHT(at) lightOf(imageLoad(levels[min(base, kPictures - 1u)], ivec3(at, l)).x)
  return reduceTexels(LIGHT(p.xy), LIGHT(p.zy), LIGHT(p.xw), LIGHT(p.zw));
}

#ifdef LINEAR
TEXEL baseTexel(uvec2 at, uint layer) {
  return TEXEL(textureLod(source, vec3(vec2(2u * at + 1u) / vec2(push.size), layer), 0.0));
}
#else
// Four words in one read, at the corner that they share. The sampler clamps at the edges.
TEXEL baseTexel(uvec2 at, uint layer) {
  uvec4 taps = textureGather(source, vec3(vec2(2u * at + 1u) / vec2(push.size), layer));
  return reduceTexels(lightOf(taps.w), lightOf(taps.z), lightOf(taps.x), lightOf(taps.y));
}
#endif
