// pyramid/mean2x2-float/spd-*: AMD's geometry and AMD's arithmetic. Inside a tile the values stay floats between 0 and 1; every level is
// rounded to codes where it is stored, and level 7 starts from the codes of level 6.
// Pictures are seen as words of four codes, so that a device's own rounding to 8 bits plays no part.
//
// LINEAR: the source comes through a sampler instead, 2x2 texels at a time at their common corner; its reduction mode is the pyramid's
// reduction, its edges are clamped. HALF: halves, packed in words while they wait.
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
layout(constant_id = 3) const uint kReduction = kMean;  // one of three, so that devices compile one

TEXEL reduceTexels(TEXEL a, TEXEL b, TEXEL c, TEXEL d) {
  if (kReduction == kMean) return TEXEL(0.25) * ((a + b) + (c + d));
  return kReduction == kLeast ? min(min(a, b), min(c, d)) : max(max(a, b), max(c, d));
}

TEXEL lightOf(uint word) { return TEXEL(vec4((uvec4(word) >> uvec4(0u, 8u, 16u, 24u)) & 255u) * (1.0 / 255.0)); }

void storeTexel(uint level, uvec2 at, uint layer, TEXEL v) {
  uvec4 codes = uvec4(clamp(vec4(v), 0.0, 1.0) * 255.0 + 0.5);
  imageStore(levels[min(level, kPictures - 1u)], ivec3(at, layer), uvec4(codes.x | (codes.y << 8) | (codes.z << 16) | (codes.w << 24)));
}

// Taps outside are the edge's.
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
// Four words in one read, around a place in the middle between them; the sampler clamps at edges.
TEXEL baseTexel(uvec2 at, uint layer) {
  uvec4 taps = textureGather(source, vec3(vec2(2u * at + 1u) / vec2(push.size), layer));
  return reduceTexels(lightOf(taps.w), lightOf(taps.z), lightOf(taps.x), lightOf(taps.y));
}
#endif
