// depth/floor/spd: a depth pyramid in one dispatch; contract floor (contracts: each texel is the extreme of the 2x2 below, an odd last row
// or column is dropped, an axis of 1 stays 1).
//
// A workgroup of 16x16 reduces a tile of 64x64. Each invocation copies 16 texels to level 0 and makes four of level 1, which go to 32x32 of
// workgroup memory; neighbours in the group take neighbouring texels. Level k then needs 2^(6-k) invocations a side; texel (x, y) of level k lies where its first
// texel of level 1 did, at (x, y) << (k - 1), so that an invocation overwrites only what it alone has read: one barrier a level is enough.
// The last workgroup continues from level 6. What orders what: spd.glsl.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

#include "spd.glsl"
#include "depth.glsl"

layout(local_size_x_id = 1, local_size_y_id = 1) in;
// Invocations a side, and levels a tile: 16 and 6, or 8 and 5.
layout(constant_id = 1) const uint kSide = 16u;
layout(constant_id = 2) const uint kLevels = 6u;
const uint kTile = 4u * kSide;

layout(set = 0, binding = 0, r32f) uniform readonly restrict image2D source;
const uint kPictures = 15u;  // levels of sides up to 16384
layout(set = 0, binding = 1, r32f) uniform nonprivate image2D levels[kPictures];
shared int tile[32][32];

int load(uint level, uvec2 at) {
  ivec2 inside = ivec2(min(at, levelSize(level) - 1u));
  return keyOf(level == 0u ? imageLoad(source, inside).x : imageLoad(levels[min(level, kPictures - 1u)], inside).x);
}

#include "depth_copy.glsl"

void store(uint level, uvec2 at, int key) {
  if (level < push.levels && all(lessThan(at, levelSize(level)))) imageStore(levels[min(level, kPictures - 1u)], ivec2(at), vec4(depthOf(key)));
}

// Level base + 1: four texels an invocation, kSide apart, to workgroup memory and to their picture.
void reduceFirst(uint base, uvec2 where) {
  for (uint q = 0u; q < 4u; ++q) {
    uvec2 to = gl_LocalInvocationID.xy + kSide * uvec2(q & 1u, q >> 1), at = where * (2u * kSide) + to, from = 2u * at;
    int key = max(max(load(base, from), load(base, from + uvec2(1u, 0u))), max(load(base, from + uvec2(0u, 1u)), load(base, from + 1u)));
    tile[to.y][to.x] = key;
    store(base + 1u, at, key);
  }
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

#include "spd_main.glsl"
