// The fast pipeline: 1 to 6 levels a dispatch of a level whose sides are multiples of 2^kLevels. LOCAL invocations a group, 256 or 1024.
//
// A tile of 2^kLevels texels a side becomes one texel. Its team has an invocation for each texel of the first level that is made, numbered
// so that the four texels under one texel are those of invocations n, n ^ 1, n ^ 2, n ^ 3, the four under the next those of n ^ 4, n ^ 8,
// n ^ 12 (bits of the number are x, y, x, y, ...). Three levels go by shuffles; then each 16 invocations leave their texel in workgroup
// memory, and LOCAL / 64 invocations make up to three levels more. Six levels with 256 invocations: each makes the four texels of the
// first level that its texel of the second needs.
//
// Subgroups below 16 cannot shuffle by 12: there each exchange goes through workgroup memory. Numbers are the subgroups' own (subgroup id,
// then lane), so nothing is assumed of how invocations are mapped to lanes but that subgroups are full.
// Edges: every barrier orders workgroup memory only, writes before it with reads after it; nobody reads a level that this dispatch wrote.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = LOCAL) in;

#include "pyramid.glsl"

const bool kPrologue = kLevels == 6u && LOCAL == 256;
const uint kInner = kPrologue ? 5u : kLevels;  // levels made by the team
const uint kFirst = kPrologue ? 2u : 1u;       // the level of the invocations' own texels

shared uint exchange[LOCAL];
shared uint waiting[LOCAL / 16];

bool canShuffle() { return gl_SubgroupSize >= 16u; }

// The texel made of those of the invocations n, n ^ step, n ^ 2 step, n ^ 3 step. All invocations of the group come here together.
uint nextOf(uint word, uint step, uint n) {
  uvec4 quad = uvec4(word);
  if (canShuffle()) {
    quad.yzw = uvec3(subgroupShuffleXor(word, step), subgroupShuffleXor(word, 2u * step), subgroupShuffleXor(word, 3u * step));
  } else {
    exchange[n] = word;
    barrier();
    quad.yzw = uvec3(exchange[n ^ step], exchange[n ^ (2u * step)], exchange[n ^ (3u * step)]);
    barrier();
  }
  return reduceQuad(quad);
}

// Every second bit of a number, from bit 0 on.
uint everySecondBit(uint n) {
  n &= 0x555u;
  n = (n | n >> 1) & 0x333u;
  n = (n | n >> 2) & 0xf0fu;
  return (n | n >> 4) & 0xffu;
}

// Where the texel of an invocation lies on level kFirst; outside for invocations without a tile.
struct Place {
  uvec2 at;
  bool inside;
};
Place placeOf(uint item) {
  uint tile = item >> (2u * (kInner - 1u)), member = item & ((1u << (2u * (kInner - 1u))) - 1u);
  uint across = push.size.x >> kLevels;
  uvec2 corner = uvec2(tile % across, tile / across) << (kInner - 1u);
  return Place(corner + uvec2(everySecondBit(member), everySecondBit(member >> 1)), tile < push.tiles);
}

uint quadOfBase(uvec2 at) {
  uvec2 b = 2u * at;
  return reduceQuad(uvec4(readBase(b), readBase(b + uvec2(1u, 0u)), readBase(b + uvec2(0u, 1u)), readBase(b + uvec2(1u, 1u))));
}

uint ownTexel(uvec2 at) {
  if (!kPrologue) return quadOfBase(at);
  uvec4 quad;
  for (uint i = 0u; i < 4u; ++i) {
    uvec2 below = 2u * at + uvec2(i & 1u, i >> 1);
    quad[i] = quadOfBase(below);
    imageStore(levels[1], ivec2(below), unpacked(quad[i]));
  }
  return reduceQuad(quad);
}

void main() {
  uint n = canShuffle() ? gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID : gl_LocalInvocationIndex;
  Place p = placeOf(groupHere() * LOCAL + n);
  uint word = p.inside ? ownTexel(p.at) : 0u;
  if (p.inside) imageStore(levels[kFirst], ivec2(p.at), unpacked(word));
  if (kInner >= 2u) {
    word = nextOf(word, 1u, n);
    if (p.inside && (n & 3u) == 0u) imageStore(levels[kFirst + 1u], ivec2(p.at >> 1), unpacked(word));
  }
  if (kInner >= 3u) {
    word = nextOf(word, 4u, n);
    if (p.inside && (n & 15u) == 0u) imageStore(levels[kFirst + 2u], ivec2(p.at >> 2), unpacked(word));
  }
  if (kInner < 4u) return;

  if ((n & 15u) == 0u) waiting[n >> 4] = word;
  barrier();
  const uint kLeft = LOCAL / 64;
  uint m = n & (kLeft - 1u);
  p = placeOf(groupHere() * LOCAL + 64u * m);
  p.inside = p.inside && n < kLeft;
  word = reduceQuad(uvec4(waiting[4u * m], waiting[4u * m + 1u], waiting[4u * m + 2u], waiting[4u * m + 3u]));
  if (p.inside) imageStore(levels[kFirst + 3u], ivec2(p.at >> 3), unpacked(word));
  if (kInner >= 5u) {
    word = nextOf(word, 1u, n);
    if (p.inside && (n & 3u) == 0u) imageStore(levels[kFirst + 4u], ivec2(p.at >> 4), unpacked(word));
  }
  if (kInner >= 6u) {
    word = nextOf(word, 4u, n);
    if (p.inside && (n & 15u) == 0u) imageStore(levels[kFirst + 5u], ivec2(p.at >> 5), unpacked(word));
  }
}
