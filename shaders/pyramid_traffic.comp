// pyramid/traffic: only the memory traffic of a pyramid, the floor that its time is measured against. Every texel of level 0 is read once,
// every texel of every level is written once, and none is read back, so no invocation waits for another. kCopies: level 0 is written too,
// from a picture of its own, whose texels are read once more for that. docs/mipmap-pyramid.md, "The scheduler", says what is written.
//
// A workgroup has a tile of 64x64 texels of level 0. An invocation makes four texels of level 1, 16 apart, from one read of four texels
// each. Of level l, 2 to 6, the tile has (64 >> l) texels a side; invocation (x, y) writes texel (x, y) of them, so that neighbouring
// invocations write neighbouring texels. All reads of the copy come before its first store, all of level 1 before the first store of that.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const bool kCopies = false;
layout(set = 0, binding = 0, r32ui) uniform writeonly restrict uimage2D levels[16];
layout(set = 0, binding = 1) uniform usampler2D source;  // level 0; the sampler clamps at the edges
layout(push_constant) uniform Push {
  uvec2 size;  // of level 0
  uint count;  // of levels
} push;

#define REDUCTION kGreatest
#include "spd_codes.glsl"
#define UNROLL 16
#include "repeat.glsl"

uvec2 levelSize(uint level) { return max(push.size >> level, uvec2(1u)); }

// Of the four texels from `at` on. The corner that they share is far from where another four would be selected.
uint greatestAt(uvec2 at) {
  uvec4 taps = textureGather(source, vec2(at + 1u) / vec2(push.size));
  return reduceCodes(taps.x, taps.y, taps.z, taps.w);
}

// Texel `at` of level 1. The last one of an odd axis covers three texels: they are two and two.
uint firstTexel(uvec2 at) {
  uint best = greatestAt(2u * at);
  bvec2 more = equal(2u * at + 3u, push.size);
  if (more.x) best = reduceCodes(best, best, best, greatestAt(2u * at + uvec2(1u, 0u)));
  if (more.y) best = reduceCodes(best, best, best, greatestAt(2u * at + uvec2(0u, 1u)));
  if (all(more)) best = reduceCodes(best, best, best, greatestAt(2u * at + 1u));
  return best;
}

// A constant level each: SwiftShader crashes where the index of a picture comes from a loop that no invocation enters.
#define STORE(l, at, word) \
  if (l < push.count && all(lessThan(at, levelSize(l)))) imageStore(levels[l], ivec2(at), uvec4(word));
#define IN_TILE(l) \
  if (all(lessThan(gl_LocalInvocationID.xy, uvec2(64u >> l)))) STORE(l, (gl_WorkGroupID.xy << (6u - l)) + gl_LocalInvocationID.xy, word)
#define ABOVE_TILES(l) \
  if (((gl_WorkGroupID.x | gl_WorkGroupID.y) & ((1u << (l - 6u)) - 1u)) == 0u) STORE(l, gl_WorkGroupID.xy >> (l - 6u), word)

void writeAbove(uint word) {
  IN_TILE(2u) IN_TILE(3u) IN_TILE(4u) IN_TILE(5u) IN_TILE(6u)
  if (gl_LocalInvocationIndex != 0u) return;
  ABOVE_TILES(7u) ABOVE_TILES(8u) ABOVE_TILES(9u) ABOVE_TILES(10u) ABOVE_TILES(11u) ABOVE_TILES(12u) ABOVE_TILES(13u) ABOVE_TILES(14u)
}

// Level 0, 16 texels an invocation.
void copyTile(uvec2 begin) {
  uint words[UNROLL];
#define PLACE(q) (begin + 16u * uvec2((q) & 3, (q) >> 2))
#define READ(q) words[q] = texelFetch(source, ivec2(min(PLACE(q), push.size - 1u)), 0).x;
#define COPY(q) \
  if (all(lessThan(PLACE(q), push.size))) imageStore(levels[0], ivec2(PLACE(q)), uvec4(words[q]));
  EACH(READ)
  EACH(COPY)
}

void main() {
  if (kCopies) copyTile(64u * gl_WorkGroupID.xy + gl_LocalInvocationID.xy);
  uvec2 begin = 32u * gl_WorkGroupID.xy + gl_LocalInvocationID.xy;
  const uvec2 kRight = uvec2(16u, 0u), kBelow = uvec2(0u, 16u);
  uint a = firstTexel(begin), b = firstTexel(begin + kRight), c = firstTexel(begin + kBelow), d = firstTexel(begin + 16u);
  STORE(1u, begin, a)
  STORE(1u, begin + kRight, b)
  STORE(1u, begin + kBelow, c)
  STORE(1u, begin + 16u, d)
  writeAbove(a);
}
