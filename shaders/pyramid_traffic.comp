// pyramid/traffic: only the memory traffic of a pyramid, the floor that its time is measured against. Every texel of level 0 is read once,
// every texel of every level is written once, and none is read back, so no invocation waits for another. kCopies: level 0 is written too, to a
// picture of its own. docs/mipmap-pyramid.md, "The scheduler", says what is written.
//
// A workgroup has a tile of 64x64 texels of level 0. An invocation makes four texels of level 1, 16 apart, from one read of four texels
// each, which it also copies. Of level l, 2 to 6, the tile has (64 >> l) texels a side; the invocation that makes texel (x, y) of the tile's
// level 1 writes texel (x, y) of them too. All reads come before the first store.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 256) in;
layout(constant_id = 0) const bool kCopies = false;
layout(set = 0, binding = 0, r32ui) uniform writeonly restrict uimage2D levels[16];
layout(set = 0, binding = 1) uniform usampler2D source;  // level 0; the sampler clamps at the edges
layout(push_constant) uniform Push {
  uvec2 size;  // of level 0
  uint count;  // of levels
} push;

#define REDUCTION kGreatest
#include "spd_codes.glsl"
#define UNROLL 4
#include "repeat.glsl"

uvec2 levelSize(uint level) { return max(push.size >> level, uvec2(1u)); }

// The four texels from `at` on. The corner that they share is far from where another four would be selected.
uvec4 quadAt(uvec2 at) { return textureGather(source, vec2(at + 1u) / vec2(push.size)); }
uint greatestOf(uvec4 quad) { return reduceCodes(quad.x, quad.y, quad.z, quad.w); }

// Texel `at` of level 1, from the quad under it. The last one of an odd axis covers three texels: they are two and two.
uint firstTexel(uvec4 quad, uvec2 at) {
  uint best = greatestOf(quad);
  bvec2 more = equal(2u * at + 3u, push.size);
  if (more.x) best = reduceCodes(best, best, best, greatestOf(quadAt(2u * at + uvec2(1u, 0u))));
  if (more.y) best = reduceCodes(best, best, best, greatestOf(quadAt(2u * at + uvec2(0u, 1u))));
  if (all(more)) best = reduceCodes(best, best, best, greatestOf(quadAt(2u * at + 1u)));
  return best;
}

// A constant level each: SwiftShader crashes where the index of a picture comes from a loop that no invocation enters.
#define PUT(l, at, word) \
  if (all(lessThan(at, levelSize(l)))) imageStore(levels[l], ivec2(at), uvec4(word));
#define STORE(l, at, word) \
  if (l < push.count) PUT(l, at, word)
#define IN_TILE(l) \
  if (all(lessThan(place, uvec2(64u >> l)))) STORE(l, (gl_WorkGroupID.xy << (6u - l)) + place, word)
#define ABOVE_TILES(l) \
  if (((gl_WorkGroupID.x | gl_WorkGroupID.y) & ((1u << (l - 6u)) - 1u)) == 0u) STORE(l, gl_WorkGroupID.xy >> (l - 6u), word)

// A store of one texel of each 2x2 would take half of what memory moves at once. So four neighbouring lanes, which have quads apart, exchange
// words of the copy. Then a store of 32 lanes has 8x4 texels side by side. Invocation n has the quad quadPlace(n), and afterwards word p of it
// is at rowPlace(n) + uvec2(8 * (p & 1), 4 * (p >> 1)).
//
//     bits of n                  7    6    5    4    3    2    1    0
//     of the quad's place        y3   y2   x3   y0   x1   x0   y1   x2
//     of the texel's place       y4   y3   x4   y1   x2   x1   y0   x0        word p: y2, x3
uvec2 quadPlace(uint n) { return uvec2((n >> 2 & 3u) | (n << 2 & 4u) | (n >> 2 & 8u), (n >> 4 & 1u) | (n & 2u) | (n >> 4 & 12u)); }

uvec2 rowPlace(uint n) { return uvec2((n & 1u) | (n >> 1 & 6u) | (n >> 1 & 16u), (n >> 1 & 1u) | (n >> 3 & 2u) | (n >> 3 & 24u)); }

// From (0, 1), (1, 1), (1, 0), (0, 0).
uvec4 inRows(uvec4 quad) {
  bool odd = (gl_SubgroupInvocationID & 1u) != 0u, lower = (gl_SubgroupInvocationID & 2u) != 0u;
  uvec2 left = quad.wx, right = quad.zy, other = subgroupShuffleXor(odd ? left : right, 1u);
  left = odd ? other : left;
  right = odd ? right : other;
  uvec2 above = uvec2(left.x, right.x), below = uvec2(left.y, right.y);
  other = subgroupShuffleXor(lower ? above : below, 2u);
  return lower ? uvec4(other, below) : uvec4(above, other);
}

void main() {
  uint n = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  uvec2 place = quadPlace(n), begin = 32u * gl_WorkGroupID.xy + place, row = 64u * gl_WorkGroupID.xy + rowPlace(n);
  uvec4 quads[UNROLL];
#define AT(q) (begin + 16u * uvec2((q) & 1, (q) >> 1))
#define ROW(q) (row + 32u * uvec2((q) & 1, (q) >> 1))
#define READ(q) quads[q] = quadAt(2u * AT(q));
#define COPY(q)                              \
  {                                          \
    uvec4 words = inRows(quads[q]);          \
    PUT(0u, ROW(q), words.x)                 \
    PUT(0u, ROW(q) + uvec2(8u, 0u), words.y) \
    PUT(0u, ROW(q) + uvec2(0u, 4u), words.z) \
    PUT(0u, ROW(q) + uvec2(8u, 4u), words.w) \
  }
#define FIRST(q) STORE(1u, AT(q), firstTexel(quads[q], AT(q)))
  EACH(READ)
  if (kCopies) {
    EACH(COPY)
  }
  EACH(FIRST)
  uint word = firstTexel(quads[0], begin);
  IN_TILE(2u) IN_TILE(3u) IN_TILE(4u) IN_TILE(5u) IN_TILE(6u)
  if (n != 0u) return;
  ABOVE_TILES(7u) ABOVE_TILES(8u) ABOVE_TILES(9u) ABOVE_TILES(10u) ABOVE_TILES(11u) ABOVE_TILES(12u) ABOVE_TILES(13u) ABOVE_TILES(14u)
}
