// depth/conservative/spd and depth/conservative-uv/spd: a depth pyramid in one dispatch whose texels cover every texel below.
//
// A workgroup makes the texels of levels 1 to 6 in its tile of 64x64, as depth_spd.comp does. Where a level has an odd side, a texel takes
// three taps. The third may lie in the next tile: the workgroup then computes that texel of the levels between for itself. `ends` is the
// end of the texels that it needs of each level, computed from level 6 down: its own texels of a level, and those that the level above
// takes. That is at most 127 texels per side of level 0, 63 of level 1 and 31 of level 2: hence 64x64 and 32x32 ints of workgroup memory,
// which the levels use in turn. Two barriers separate a level from the next that uses its memory. The last workgroup continues from level
// 6. spd.glsl explains how invocations are ordered.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

#include "depth_window.glsl"
#include "spd.glsl"
#include "depth.glsl"

layout(local_size_x_id = 1, local_size_y_id = 1) in;
// Invocations per side of a workgroup, a power of two; and levels per tile, 6 or 5.
layout(constant_id = 1) const uint kSide = 16u;
layout(constant_id = 2) const uint kLevels = 6u;
const uint kTile = 1u << kLevels;

layout(set = 0, binding = 0, r32f) uniform readonly restrict image2D source;
const uint kPictures = 15u;  // enough for sides up to 16384
layout(set = 0, binding = 1, r32f) uniform nonprivate image2D levels[kPictures];
shared int odd[64][64];   // levels 1, 3 and 5 of a tile
shared int even[32][32];  // levels 2, 4 and 6

uvec2 ends[7];  // of level base + k: one past the last texel that this tile needs

uvec2 ownEnd(uint base, uint k, uvec2 where) {
  return min((where + 1u) << (kLevels - k), levelSize(base + k));
}

void endBelow(uint base, uint k, uvec2 where) {
  uvec2 size = levelSize(base + k - 1u);
  Window w = windowOf(ends[k] - 1u, size);
  ends[k - 1u] = max(ownEnd(base, k - 1u, where), min(w.first + w.last + 1u, size));
}

void findEnds(uint base, uvec2 where) {
  ends[kLevels] = ownEnd(base, kLevels, where);
  if (kLevels > 5u) endBelow(base, 6u, where);
  endBelow(base, 5u, where);
  endBelow(base, 4u, where);
  endBelow(base, 3u, where);
  endBelow(base, 2u, where);
  endBelow(base, 1u, where);
}

int baseKey(uint base, uvec2 at) {
  return keyOf(base == 0u ? imageLoad(source, ivec2(at)).x : imageLoad(levels[min(base, kPictures - 1u)], ivec2(at)).x);
}

void store(uint level, uvec2 at, int key) { imageStore(levels[min(level, kPictures - 1u)], ivec2(at), vec4(depthOf(key))); }

// Level 0, kSide texels of a row at a time: neighbouring invocations write neighbouring texels.
void copyTile(uvec2 where) {
  for (uint y = 0u; y < kTile; y += kSide)
    for (uint x = 0u; x < kTile; x += kSide) {
      uvec2 at = where * kTile + uvec2(x, y) + gl_LocalInvocationID.xy;
      vec4 depth = imageLoad(source, ivec2(min(at, push.size - 1u)));
      if (all(lessThan(at, push.size))) imageStore(levels[0], ivec2(at), depth);
    }
}

// Texel `at` of the level below level base + k, from a picture or from workgroup memory. `origin` is the tile's first texel of that level.
int keyBelow(uint base, uint k, uvec2 at, uvec2 origin) {
  if (k == 1u) return baseKey(base, at);
  at -= origin;
  return (k & 1u) == 0u ? odd[at.y][at.x] : even[at.y][at.x];
}

// The greatest key in the row of a window that begins at texel `at`. The conditions are uniform, and there is no loop: lavapipe silently
// ends any loop once an invocation has made 65535 iterations.
int greatestInRow(uint base, uint k, uvec2 at, Window w, uvec2 size, uvec2 origin) {
  int best = max(keyBelow(base, k, at, origin), keyBelow(base, k, at + uvec2(w.second.x, 0u), origin));
  if ((size.x & 1u) == 0u) return best;
  return max(best, keyBelow(base, k, at + uvec2(w.last.x, 0u), origin));
}

int greatestBelow(uint base, uint k, uvec2 at, uvec2 origin) {
  uvec2 size = levelSize(base + k - 1u);
  Window w = windowOf(at, size);
  int best = greatestInRow(base, k, w.first, w, size, origin);
  best = max(best, greatestInRow(base, k, w.first + uvec2(0u, w.second.y), w, size, origin));
  if ((size.y & 1u) == 0u) return best;
  return max(best, greatestInRow(base, k, w.first + uvec2(0u, w.last.y), w, size, origin));
}

// Level base + k of this tile from the level below it.
void reduceLevel(uint base, uint k, uvec2 where) {
  uvec2 origin = where << (kLevels - k), own = ownEnd(base, k, where);
  for (uint y = 0u; origin.y + y < ends[k].y; y += kSide)
    for (uint x = 0u; origin.x + x < ends[k].x; x += kSide) {
      uvec2 to = uvec2(x, y) + gl_LocalInvocationID.xy, at = origin + to;
      if (any(greaterThanEqual(at, ends[k]))) continue;
      int key = greatestBelow(base, k, at, 2u * origin);
      if ((k & 1u) != 0u)
        odd[to.y][to.x] = key;
      else
        even[to.y][to.x] = key;
      if (base + k < push.levels && all(lessThan(at, own))) store(base + k, at, key);
    }
  tileBarrier();
}

void reduceTile(uint base, uvec2 where) {
  findEnds(base, where);
  if (base == 0u) copyTile(where);
  reduceLevel(base, 1u, where);
  reduceLevel(base, 2u, where);
  reduceLevel(base, 3u, where);
  reduceLevel(base, 4u, where);
  reduceLevel(base, 5u, where);
  if (kLevels > 5u) reduceLevel(base, 6u, where);
}

#define NUMBER gl_LocalInvocationIndex
#include "spd_main.glsl"
