// AMD's single-pass pyramid: 256 invocations reduce a tile of 64x64 to six levels, through workgroup memory. The last workgroup of a layer
// continues from level 6 (spd.glsl). The including file defines
//
//   TEXEL, KEPT        a texel in registers, and as it is exchanged between lanes; keep(v) and kept(k) convert
//   put(slot, v)       writes a texel to workgroup memory; takeFour(n) reads slots 4n to 4n + 3: one word of all four in one read,
//                      without bank conflicts
//   baseTexel(at, l)   texel `at` of level 1 and layer l, from the source
//   lowerTexel(...)    the same of level base + 1, from level `base` of the pyramid
//   reduceTexels(a, b, c, d)
//   storeTexel(level, at, layer, v)
//   QUADS              if defined, 2x2 texels of level 1 are exchanged by quad operations, else through workgroup memory
//   NUMBER             the number of an invocation, 0 to 255; with QUADS each quad has four consecutive numbers
//
// Texels are numbered so that four consecutive ones are 2x2 texels, 16 are 4x4, and so on. Level 1 has 0 to 1023. Texel n of a level is
// made of texels 4n to 4n + 3 of the level below. Bits 8 and 9 select a region of 16x16. An invocation makes texel NUMBER of each region.
// spd.glsl explains how invocations are ordered.
#include "spd.glsl"

const uint kLevels = 6u, kTile = 64u;
const uint kQuads = 85u;  // groups of four slots, for levels 2, 3, 4 and 5

layout(local_size_x = 256) in;

struct Four {
  TEXEL a, b, c, d;
};

void put(uint slot, TEXEL v);
Four takeFour(uint quad);

// The position in the tile of texel n of level 1. That of texel n of level k is placeOf(n << 2(k - 1)) >> (k - 1).
uvec2 placeOf(uint n) {
  return uvec2((n & 1u) | ((n >> 2) & 6u) | ((n >> 3) & 8u) | ((n >> 4) & 16u),
               ((n >> 1) & 3u) | ((n >> 3) & 4u) | ((n >> 4) & 8u) | ((n >> 5) & 16u));
}

// The slot of texel 0 of level k, 2 to 5. The level's other texels follow it.
uint firstSlot(uint k) { return (1024u - (1024u >> (2u * (k - 2u)))) / 3u; }

void store(uint level, uvec2 at, TEXEL v) {
  if (level < push.levels && all(lessThan(at, levelSize(level)))) storeTexel(level, at, gl_WorkGroupID.z, v);
}

TEXEL firstTexel(uint base, uvec2 at) {
  if (base != 0u && any(greaterThanEqual(at, levelSize(base + 1u)))) return TEXEL(0);  // nobody's: the tail's tile is seldom full
  return base == 0u ? baseTexel(at, gl_WorkGroupID.z) : lowerTexel(base, at, gl_WorkGroupID.z);
}

// An invocation's texels of level base + 1, 16 apart. All reads come before the first store. Without a loop they stay in registers.
Four firstTexels(uint base, uvec2 where) {
  uvec2 at = 32u * where + placeOf(NUMBER);
  Four v = Four(firstTexel(base, at), firstTexel(base, at + uvec2(16u, 0u)), firstTexel(base, at + uvec2(0u, 16u)), firstTexel(base, at + 16u));
  store(base + 1u, at, v.a);
  store(base + 1u, at + uvec2(16u, 0u), v.b);
  store(base + 1u, at + uvec2(0u, 16u), v.c);
  store(base + 1u, at + 16u, v.d);
  return v;
}

// One texel from 2x2. An axis of 1 has no second texel. `down`: the second of the four lies below the first, not beside it.
TEXEL reduceFour(Four v, bool down, uvec2 size) {
  TEXEL right = v.b, lower = v.c, both = v.d;
  if (any(equal(size, uvec2(1u)))) {
    if (down) {
      right = v.c;
      lower = v.b;
    }
    if (size.x == 1u) {
      right = v.a;
      both = lower;
    }
    if (size.y == 1u) {
      lower = v.a;
      both = right;
    }
  }
  return reduceTexels(v.a, right, lower, both);
}

// Keeps r, which is texel n of level base + 2, and stores it.
void keepSecond(uint base, uvec2 where, uint n, TEXEL r) {
  put(n, r);
  store(base + 2u, 16u * where + placeOf(4u * n) / 2u, r);
}

#ifdef QUADS

TEXEL swapColumns(TEXEL v) { return kept(subgroupQuadSwapHorizontal(keep(v))); }
TEXEL swapRows(TEXEL v) { return kept(subgroupQuadSwapVertical(keep(v))); }

// The lanes of a quad hold 2x2 texels of each region. After the exchange lane q has the four of region q: its own first, then its
// neighbour's in the row, its neighbour's in the column, and the last one.
Four shareQuad(Four v) {
  bool right = (NUMBER & 1u) != 0u, lower = (NUMBER & 2u) != 0u;
  TEXEL upper = right ? v.b : v.a, upperOther = swapColumns(right ? v.a : v.b);
  TEXEL under = right ? v.d : v.c, underOther = swapColumns(right ? v.c : v.d);
  return Four(lower ? under : upper, lower ? underOther : upperOther, swapRows(lower ? upper : under), swapRows(lower ? upperOther : underOther));
}

void reduceFirst(uint base, uvec2 where) {
  Four v = shareQuad(firstTexels(base, where));
  keepSecond(base, where, 64u * (NUMBER & 3u) + NUMBER / 4u, reduceFour(v, false, levelSize(base + 1u)));
}

#else

// The regions use the same memory one after another. The results stay in the registers of 64 invocations.
TEXEL reduceRegion(uint base, TEXEL v) {
  put(NUMBER, v);
  tileBarrier();
  TEXEL r = v;
  if (NUMBER < 64u) r = reduceFour(takeFour(NUMBER), false, levelSize(base + 1u));
  tileBarrier();
  return r;
}

void reduceFirst(uint base, uvec2 where) {
  Four v = firstTexels(base, where);
  v.a = reduceRegion(base, v.a);
  v.b = reduceRegion(base, v.b);
  v.c = reduceRegion(base, v.c);
  v.d = reduceRegion(base, v.d);
  if (NUMBER >= 64u) return;
  keepSecond(base, where, NUMBER, v.a);
  keepSecond(base, where, NUMBER + 64u, v.b);
  keepSecond(base, where, NUMBER + 128u, v.c);
  keepSecond(base, where, NUMBER + 192u, v.d);
}

#endif

// Level base + k from the level below it, one invocation per texel.
void nextLevel(uint base, uint k, uvec2 where) {
  if (base + k >= push.levels) return;
  tileBarrier();
  uint n = NUMBER;
  if (n >= (1024u >> (2u * (k - 1u)))) return;
  TEXEL r = reduceFour(takeFour(firstSlot(k - 1u) / 4u + n), k == 3u, levelSize(base + k - 1u));
  if (k < kLevels) put(firstSlot(k) + n, r);
  store(base + k, where * (kTile >> k) + (placeOf(n << (2u * (k - 1u))) >> (k - 1u)), r);
}

void reduceTile(uint base, uvec2 where) {
  reduceFirst(base, where);
  nextLevel(base, 3u, where);
  nextLevel(base, 4u, where);
  nextLevel(base, 5u, where);
  nextLevel(base, 6u, where);
}
