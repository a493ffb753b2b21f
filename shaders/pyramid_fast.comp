// pyramid/energy and pyramid/energy-float, the fast pipeline: 1 to 6 levels per dispatch, of a level whose sides are multiples of
// 2^kLevels. LOCAL invocations per workgroup, 256 or 1024. With FLOATS: the float form.
//
// A tile of 2^kLevels texels per side becomes one texel. It has an invocation for each texel of the first level that is made. They are
// numbered so that the four texels under one texel belong to invocations n, n ^ 1, n ^ 2 and n ^ 3, and the four under the next to n,
// n ^ 4, n ^ 8 and n ^ 12 (the bits of a number are x, y, x, y, ...). Three levels are made by shuffles. Then every 16th invocation writes
// its texel to workgroup memory, and LOCAL / 64 invocations make up to three more levels. Six levels with 256 invocations: each invocation
// makes the four texels of the first level under its texel of the second.
//
// Subgroups below 16 cannot shuffle by 12. There each exchange goes through workgroup memory. Invocations are numbered by subgroup and
// lane. So nothing is assumed about which invocation is in which lane, only that subgroups are full. Barriers order workgroup memory only:
// writes before a barrier, reads after it. Nobody reads a level that this dispatch wrote.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#ifndef LOCAL
#define LOCAL 256
#endif
layout(local_size_x = LOCAL) in;

#ifdef FLOATS
#include "pyramid_float.glsl"
#else
#include "pyramid_exact.glsl"
#endif

const bool kPrologue = kLevels == 6u && LOCAL == 256;
const uint kInner = kPrologue ? 5u : kLevels;  // levels made by the invocations of a tile
const uint kFirst = kPrologue ? 2u : 1u;       // the level of the invocations' own texels

shared WAITING exchange[LOCAL];
shared WAITING waiting[LOCAL / 16];

bool canShuffle() { return gl_SubgroupSize >= 16u; }

// The texel made of those of invocations n, n ^ step, n ^ 2 step and n ^ 3 step. All invocations of the workgroup call this together.
VALUE nextOf(VALUE value, uint step, uint n) {
  if (canShuffle())
    return reduceQuad(value, subgroupShuffleXor(value, step), subgroupShuffleXor(value, 2u * step), subgroupShuffleXor(value, 3u * step));
  exchange[n] = keep(value);
  barrier();
  VALUE second = kept(exchange[n ^ step]), third = kept(exchange[n ^ (2u * step)]), fourth = kept(exchange[n ^ (3u * step)]);
  barrier();
  return reduceQuad(value, second, third, fourth);
}

// Every second bit of a number, from bit 0 on.
uint everySecondBit(uint n) {
  n &= 0x555u;
  n = (n | n >> 1) & 0x333u;
  n = (n | n >> 2) & 0xf0fu;
  return (n | n >> 4) & 0xffu;
}

// The position of an invocation's texel on level kFirst. `inside` is false for invocations without a tile.
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

// Makes a texel of level 1 and stores it.
VALUE firstOf(uvec2 at, Quad below) {
  VALUE value = meanOf(below);
  STORE(1, at, value);
  return value;
}

VALUE ownTexel(uvec2 at) {
  if (!kPrologue) return meanOf(readQuad(at));
  const uvec2 kRight = uvec2(1u, 0u), kBelow = uvec2(0u, 1u);
  uvec2 b = 2u * at;
  Quad q = readQuad(b), r = readQuad(b + kRight), s = readQuad(b + kBelow), t = readQuad(b + 1u);  // all reads before the first store
  VALUE first = firstOf(b, q), second = firstOf(b + kRight, r), third = firstOf(b + kBelow, s), fourth = firstOf(b + 1u, t);
  return reduceQuad(first, second, third, fourth);
}

void main() {
  uint n = canShuffle() ? gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID : gl_LocalInvocationIndex;
  Place p = placeOf(groupHere() * LOCAL + n);
  VALUE value = VALUE(0);
  if (p.inside) {
    value = ownTexel(p.at);
    STORE(kFirst, p.at, value);
  }
  if (kInner >= 2u) {
    value = nextOf(value, 1u, n);
    if (p.inside && (n & 3u) == 0u) STORE(kFirst + 1u, p.at >> 1, value);
  }
  if (kInner >= 3u) {
    value = nextOf(value, 4u, n);
    if (p.inside && (n & 15u) == 0u) STORE(kFirst + 2u, p.at >> 2, value);
  }
  if (kInner < 4u) return;

  if ((n & 15u) == 0u) waiting[n >> 4] = keep(value);
  barrier();
  const uint kLeft = LOCAL / 64;
  uint m = 4u * (n & (kLeft - 1u));
  p = placeOf(groupHere() * LOCAL + 16u * m);
  p.inside = p.inside && n < kLeft;
  value = reduceQuad(kept(waiting[m]), kept(waiting[m + 1u]), kept(waiting[m + 2u]), kept(waiting[m + 3u]));
  if (p.inside) STORE(kFirst + 3u, p.at >> 3, value);
  if (kInner >= 5u) {
    value = nextOf(value, 1u, n);
    if (p.inside && (n & 3u) == 0u) STORE(kFirst + 4u, p.at >> 4, value);
  }
  if (kInner >= 6u) {
    value = nextOf(value, 4u, n);
    if (p.inside && (n & 15u) == 0u) STORE(kFirst + 5u, p.at >> 5, value);
  }
}
