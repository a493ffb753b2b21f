// pyramid/mean2x2/spd-*: AMD's geometry on words of four codes. The pictures are viewed as R32_UINT.
#extension GL_KHR_memory_scope_semantics : require

layout(set = 0, binding = 0) uniform usampler2DArray source;
const uint kPictures = 13u;  // the base and twelve levels above it
layout(set = 0, binding = 1, r32ui) uniform nonprivate uimage2DArray levels[kPictures];

#define TEXEL uint
#define KEPT uint
#define keep(v) (v)
#define kept(k) (k)
#define reduceTexels reduceCodes

uint reduceCodes(uint a, uint b, uint c, uint d);
uint baseTexel(uvec2 at, uint layer);
uint lowerTexel(uint base, uvec2 at, uint layer);
void storeTexel(uint level, uvec2 at, uint layer, uint v);

#include "spd_tile.glsl"
#define REDUCTION push.reduction
#include "spd_codes.glsl"

shared uvec4 tile[kQuads];

void put(uint slot, uint v) { tile[slot / 4u][slot & 3u] = v; }

Four takeFour(uint quad) {
  uvec4 v = tile[quad];
  return Four(v.x, v.y, v.z, v.w);
}

void storeTexel(uint level, uvec2 at, uint layer, uint v) {
  imageStore(levels[min(level, kPictures - 1u)], ivec3(at, layer), uvec4(v));
}

// Four texels in one read, at the corner that they share, so rounding the coordinate cannot select another four. The sampler clamps at the
// edges: on an axis of 1 a texel is averaged with itself.
uint baseTexel(uvec2 at, uint layer) {
  uvec4 taps = textureGather(source, vec3(vec2(2u * at + 1u) / vec2(push.size), layer));
  return reduceCodes(taps.x, taps.y, taps.z, taps.w);
}

uint lowerTexel(uint base, uvec2 at, uint layer) {
  uvec2 first = 2u * at, most = levelSize(base) - 1u;
  ivec4 p = ivec4(min(first, most), min(first + 1u, most));
  int l = int(layer);
  return reduceCodes(imageLoad(levels[min(base, kPictures - 1u)], ivec3(p.xy, l)).x, imageLoad(levels[min(base, kPictures - 1u)], ivec3(p.zy, l)).x,
                     imageLoad(levels[min(base, kPictures - 1u)], ivec3(p.xw, l)).x, imageLoad(levels[min(base, kPictures - 1u)], ivec3(p.zw, l)).x);
}
