// broken/pyramid-subgroup-of-8 and broken/pyramid-lane-mapping: three levels of tiles of 8x8 by shuffles, 16 invocations per tile, four
// tiles per workgroup.
// N1 (kAnySize): shuffles by 4, 8 and 12 whatever the subgroup's size. Smallest: 8x8 in subgroups of 8: level 3 is wrong.
// N2: the local index gives the place in the tile, but the lane decides who stores. That is right while the two are the same. It breaks
// where a device numbers lanes differently.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 64) in;

#include "pyramid_exact.glsl"

layout(constant_id = 3) const bool kAnySize = false;

// The place in a tile of 4x4, counted in squares of 2x2.
uvec2 placeOf(uint n) { return uvec2((n & 1u) | (n >> 1 & 2u), (n >> 1 & 1u) | (n >> 2 & 2u)); }

uint nextOf(uint word, uint step) {
  return reduceQuad(word, subgroupShuffleXor(word, step), subgroupShuffleXor(word, 2u * step), subgroupShuffleXor(word, 3u * step));
}

void main() {
  if (!kAnySize && gl_SubgroupSize < 16u) return;
  uint across = push.size.x / 8u, lane = kAnySize ? gl_LocalInvocationIndex : gl_SubgroupInvocationID;
  uint tile = 4u * groupHere() + gl_LocalInvocationIndex / 16u;
  if (tile >= across * (push.size.y / 8u)) return;
  uvec2 at = 4u * uvec2(tile % across, tile / across) + placeOf(gl_LocalInvocationIndex & 15u), b = 2u * at;
  uint word =
      reduceQuad(readBase(b), readBase(b + uvec2(1u, 0u)), readBase(b + uvec2(0u, 1u)), readBase(b + uvec2(1u, 1u)));
  STORE(1, at, word);
  word = nextOf(word, 1u);
  if ((lane & 3u) == 0u) STORE(2, at >> 1, word);
  word = nextOf(word, 4u);
  if ((lane & 15u) == 0u) STORE(3, at >> 2, word);
}
