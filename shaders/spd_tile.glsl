// AMD's single-pass pyramid: 256 invocations reduce a tile of 64x64 to six levels, through 16x16 texels of workgroup memory; the last
// workgroup of a layer continues from level 6 (spd.glsl). The including file gives
//
//   TEXEL              a texel on its way up; KEPT, how it waits in workgroup memory and passes between lanes; keep(v), kept(k) make one of
//                      the other
//   baseTexel(at, l)   texel `at` of the level above the base, layer l, from the base level's texels below it
//   lowerTexel(...)    the same from level `base` of the pyramid
//   reduceTexels(a, b, c, d)
//   storeTexel(level, at, layer, v)
//   QUADS              whether 2x2 texels meet by quad operations, or in workgroup memory alone
//   NUMBER             of an invocation, 0 to 255; with QUADS each quad holds four consecutive ones
//
// An invocation's number i gives its place in 16x16, so that four consecutive invocations hold 2x2 texels, 16 hold 4x4, and so on:
// x has bits 0, 3, 4, 6 of i, y has bits 1, 2, 5, 7.
//
// Workgroup memory: texel (x, y) of level k (3 to 6) lies where its first texel of level 2 did, so an invocation overwrites only what it
// alone has read: one barrier a level. What orders what: spd.glsl.
#include "spd.glsl"

const uint kLevels = 6u, kTile = 64u;

layout(local_size_x = 256) in;

shared KEPT tile[16][16];

uvec2 placeOf(uint i) {
  return uvec2((i & 1u) | ((i >> 2) & 6u) | ((i >> 3) & 8u), ((i >> 1) & 3u) | ((i >> 3) & 4u) | ((i >> 4) & 8u));
}

void store(uint level, uvec2 at, TEXEL v) {
  if (level < push.levels && all(lessThan(at, levelSize(level)))) storeTexel(level, at, gl_WorkGroupID.z, v);
}

// Region q of four: its offset in steps of n.
uvec2 regionAt(uint q, uint n) { return n * uvec2(q & 1u, q >> 1); }

TEXEL firstTexel(uint base, uvec2 at) {
  return base == 0u ? baseTexel(at, gl_WorkGroupID.z) : lowerTexel(base, at, gl_WorkGroupID.z);
}

// An invocation's four texels of level base + 1, 16 apart; all reads before the first store. Written out: they stay in registers.
struct Four {
  TEXEL a, b, c, d;
};

Four firstTexels(uint base, uvec2 at) {
  return Four(firstTexel(base, at), firstTexel(base, at + regionAt(1u, 16u)), firstTexel(base, at + regionAt(2u, 16u)),
              firstTexel(base, at + regionAt(3u, 16u)));
}

#ifdef QUADS

// The quad's four texels as one; an axis of 1 has no second. For the quad's first lane.
TEXEL reduceQuad(TEXEL v, uvec2 size) {
  KEPT k = keep(v);
  TEXEL right = kept(subgroupQuadSwapHorizontal(k)), lower = kept(subgroupQuadSwapVertical(k)), both = kept(subgroupQuadSwapDiagonal(k));
  if (size.x == 1u) {
    right = v;
    both = lower;
  }
  if (size.y == 1u) {
    lower = v;
    both = right;
  }
  return reduceTexels(v, right, lower, both);
}

void reduceRegion(uint base, uvec2 where, uint q, TEXEL v) {
  uint i = NUMBER;
  uvec2 place = placeOf(i), half2 = place / 2u + regionAt(q, 8u);
  store(base + 1u, 32u * where + place + regionAt(q, 16u), v);
  TEXEL r = reduceQuad(v, levelSize(base + 1u));
  if ((i & 3u) != 0u) return;
  tile[half2.y][half2.x] = keep(r);
  store(base + 2u, 16u * where + half2, r);
}

void reduceFirst(uint base, uvec2 where) {
  Four v = firstTexels(base, 32u * where + placeOf(NUMBER));
  reduceRegion(base, where, 0u, v.a);
  reduceRegion(base, where, 1u, v.b);
  reduceRegion(base, where, 2u, v.c);
  reduceRegion(base, where, 3u, v.d);
}

// Level base + k from the level below it.
void reduceNext(uint base, uint k, uvec2 where) {
  uint i = NUMBER, side = 64u >> (k - 1u), apart = 1u << (k - 3u);
  if (i >= side * side) return;
  uvec2 place = placeOf(i), from = apart * place;
  TEXEL r = reduceQuad(kept(tile[from.y][from.x]), levelSize(base + k - 1u));
  if ((i & 3u) != 0u) return;
  tile[from.y][from.x] = keep(r);
  store(base + k, where * (side / 2u) + place / 2u, r);
}

#else

// The 2x2 texels at `from`, which lie `apart`, as one; an axis of 1 has no second.
TEXEL reduceSquare(uvec2 from, uint apart, uvec2 size) {
  uvec2 next = from + apart * uvec2(greaterThan(size, uvec2(1u)));
  return reduceTexels(kept(tile[from.y][from.x]), kept(tile[from.y][next.x]), kept(tile[next.y][from.x]), kept(tile[next.y][next.x]));
}

// One region after another meets in the same memory; what becomes of it waits in the registers of 64 invocations.
TEXEL reduceRegion(uint base, uvec2 where, uint q, TEXEL v) {
  uvec2 place = placeOf(NUMBER);
  store(base + 1u, 32u * where + place + regionAt(q, 16u), v);
  tile[place.y][place.x] = keep(v);
  tileBarrier();
  TEXEL r = v;
  if (NUMBER < 64u) r = reduceSquare(2u * place, 1u, levelSize(base + 1u));
  tileBarrier();
  return r;
}

void keepRegion(uint base, uvec2 where, uint q, TEXEL r) {
  uvec2 to = placeOf(NUMBER) + regionAt(q, 8u);
  tile[to.y][to.x] = keep(r);
  store(base + 2u, 16u * where + to, r);
}

void reduceFirst(uint base, uvec2 where) {
  Four v = firstTexels(base, 32u * where + placeOf(NUMBER));
  v.a = reduceRegion(base, where, 0u, v.a);
  v.b = reduceRegion(base, where, 1u, v.b);
  v.c = reduceRegion(base, where, 2u, v.c);
  v.d = reduceRegion(base, where, 3u, v.d);
  if (NUMBER >= 64u) return;
  keepRegion(base, where, 0u, v.a);
  keepRegion(base, where, 1u, v.b);
  keepRegion(base, where, 2u, v.c);
  keepRegion(base, where, 3u, v.d);
}

void reduceNext(uint base, uint k, uvec2 where) {
  uint i = NUMBER, side = 64u >> k, apart = 1u << (k - 3u);
  if (i >= side * side) return;
  uvec2 place = placeOf(i), from = 2u * apart * place;
  TEXEL r = reduceSquare(from, apart, levelSize(base + k - 1u));
  tile[from.y][from.x] = keep(r);
  store(base + k, where * side + place, r);
}

#endif

void nextLevel(uint base, uint k, uvec2 where) {
  tileBarrier();
  reduceNext(base, k, where);
}

void reduceTile(uint base, uvec2 where) {
  reduceFirst(base, where);
  nextLevel(base, 3u, where);
  nextLevel(base, 4u, where);
  nextLevel(base, 5u, where);
  nextLevel(base, 6u, where);
}
