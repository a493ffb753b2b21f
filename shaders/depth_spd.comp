// depth/floor/spd: a depth pyramid in one dispatch. Contract depth/floor (docs/contracts.md, 5): each texel is the extreme of the 2x2
// texels below, an odd last row or column is dropped, and an axis of 1 stays 1.
//
// A workgroup of 16x16 reduces a tile of 64x64. Each invocation copies 16 texels to level 0, unless they are there already (kCopy). It
// makes four texels of level 1, each from four texels in one read, and stores them in 32x32 ints of workgroup memory. Neighbouring
// invocations take neighbouring texels. Level k needs 2^(6-k) invocations per side. Texel (x, y) of level k is stored where its first texel
// of level 1 was, at (x, y) << (k - 1). So an invocation overwrites only what it alone has read, and one barrier per level is enough. The
// last workgroup continues from level 6. spd.glsl explains how invocations are ordered.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

#define UNROLL 16
#include "spd.glsl"
#include "depth.glsl"
#include "repeat.glsl"

layout(local_size_x_id = 1, local_size_y_id = 1) in;
// Invocations per side of a workgroup, and levels per tile: 16 and 6, or 8 and 5.
layout(constant_id = 1) const uint kSide = 16u;
layout(constant_id = 2) const uint kLevels = 6u;
layout(constant_id = 5) const bool kCopy = true;
const uint kTile = 4u * kSide;

layout(set = 0, binding = 0) uniform usampler2D source;  // the depths as bits; the sampler clamps at the edges
const uint kPictures = 15u;  // enough for sides up to 16384
layout(set = 0, binding = 1, r32f) uniform nonprivate image2D levels[kPictures];
shared int tile[32][32];

uint sourceBits(uvec2 at) { return texelFetch(source, ivec2(min(at, push.size - 1u)), 0).x; }

int load(uint level, uvec2 at) { return keyOf(imageLoad(levels[min(level, kPictures - 1u)], ivec2(min(at, levelSize(level) - 1u))).x); }

// The keys of the 2x2 texels from `at` on. The source is gathered at the corner that the four share, so rounding the coordinate cannot
// select another four.
ivec4 loadFour(uint level, uvec2 at) {
  if (level != 0u) return ivec4(load(level, at), load(level, at + uvec2(1u, 0u)), load(level, at + uvec2(0u, 1u)), load(level, at + 1u));
  uvec4 bits = textureGather(source, vec2(at + 1u) / vec2(push.size));
  return ivec4(keyOfBits(bits.x), keyOfBits(bits.y), keyOfBits(bits.z), keyOfBits(bits.w));
}

// Level 0, kSide texels of a row at a time: neighbouring invocations write neighbouring texels. All reads come before the first store, so
// that several are in flight.
uvec2 copyPlace(uvec2 where, uint q) { return where * kTile + gl_LocalInvocationID.xy + kSide * uvec2(q & 3u, q >> 2); }

void copyTile(uvec2 where) {
  if (!kCopy) return;
  uint bits[UNROLL];
#define READ(q) bits[q] = sourceBits(copyPlace(where, q));
#define WRITE(q) \
  if (all(lessThan(copyPlace(where, q), push.size))) imageStore(levels[0], ivec2(copyPlace(where, q)), vec4(uintBitsToFloat(bits[q])));
  EACH(READ)
  EACH(WRITE)
}

void store(uint level, uvec2 at, int key) {
  if (level < push.levels && all(lessThan(at, levelSize(level)))) imageStore(levels[min(level, kPictures - 1u)], ivec2(at), vec4(depthOf(key)));
}

// Level base + 1: four texels per invocation, kSide apart, to workgroup memory and to the level. All reads come before the first store.
uvec2 firstPlace(uint q) { return gl_LocalInvocationID.xy + kSide * uvec2(q & 1u, q >> 1); }

void keepFirst(uint base, uvec2 where, uint q, ivec4 keys) {
  uvec2 to = firstPlace(q);
  int key = max(max(keys.x, keys.y), max(keys.z, keys.w));
  tile[to.y][to.x] = key;
  store(base + 1u, where * (2u * kSide) + to, key);
}

void reduceFirst(uint base, uvec2 where) {
  uvec2 begin = where * (2u * kSide);
  ivec4 a = loadFour(base, 2u * (begin + firstPlace(0u))), b = loadFour(base, 2u * (begin + firstPlace(1u)));
  ivec4 c = loadFour(base, 2u * (begin + firstPlace(2u))), d = loadFour(base, 2u * (begin + firstPlace(3u)));
  keepFirst(base, where, 0u, a);
  keepFirst(base, where, 1u, b);
  keepFirst(base, where, 2u, c);
  keepFirst(base, where, 3u, d);
}

// Level base + k from level base + k - 1 of this tile.
void reduceTwo(uint base, uint k, uvec2 where) {
  uint side = (2u * kSide) >> (k - 1u), apart = 1u << (k - 2u);
  uvec2 here = gl_LocalInvocationID.xy;
  if (any(greaterThanEqual(here, uvec2(side)))) return;
  // The neighbour below or to the right; on an axis of 1 the texel itself.
  uvec2 from = 2u * apart * here, next = from + apart * uvec2(greaterThan(levelSize(base + k - 1u), uvec2(1u)));
  int key = max(max(tile[from.y][from.x], tile[from.y][next.x]), max(tile[next.y][from.x], tile[next.y][next.x]));
  tile[from.y][from.x] = key;
  store(base + k, where * side + here, key);
}

void nextLevel(uint base, uint k, uvec2 where) {
  tileBarrier();
  reduceTwo(base, k, where);
}

void reduceTile(uint base, uvec2 where) {
  if (base == 0u) copyTile(where);
  reduceFirst(base, where);
  nextLevel(base, 2u, where);
  nextLevel(base, 3u, where);
  nextLevel(base, 4u, where);
  nextLevel(base, 5u, where);
  if (kLevels > 5u) nextLevel(base, 6u, where);
}

#define NUMBER gl_LocalInvocationIndex
#include "spd_main.glsl"
