// pyramid/mean2x2-float/spd-linear-shuffles-f16: AMD's tile of 64x64 and 256 invocations, means in halves, with as few steps as possible
// between the loads and the last level. One layer. Each size is a pipeline, so no extent is computed. Subgroups of 16 lanes or more.
//
//   tile      An invocation samples four texels of level 1, 16 apart. Lanes exchange them to make levels 2 and 3. Level 3 goes to workgroup
//             memory; after the only barrier subgroup 0 makes level 4 from it, and 5 and 6 by exchanges.
//   hand-over Level 6 also goes to a buffer, four texels of a row in a word each, which is nearer than a picture. The invocation that wrote
//             it counts before levels 1 to 5 are stored, so it waits for none of them.
//   tail      The last workgroup makes 4x4 texels of level 6 to levels 7 and 8 in registers, 9 and 10 by exchanges, 11 and 12 after a
//             barrier. Where 32 lanes have all of level 7, subgroup 0 is alone from the counter on, and the others end.
//
// A texel is two words of two halves each, codes 0 to 255: x holds channels 0 and 2, y 1 and 3. So a word of codes becomes halves by a mask
// and a sum, and halves become a word by a sum and a mask. spd.glsl explains how invocations are ordered.
#version 460
#pragma use_vulkan_memory_model
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 256) in;
layout(constant_id = 10) const uint kWidth = 1u;
layout(constant_id = 11) const uint kHeight = 1u;
layout(constant_id = 12) const uint kLevels = 1u;
layout(constant_id = 13) const uint kGroups = 1u;
layout(set = 0, binding = 0) uniform sampler2DArray source;
layout(set = 0, binding = 1, r32ui) uniform nonprivate uimage2DArray levels[13];
layout(set = 0, binding = 2) restrict buffer Counters { uint finished[]; } counters;
layout(set = 0, binding = 3) nonprivate buffer Rows { uvec4 row[]; } rows;  // level 6: each row starts with a new element

#define H(k) unpackFloat2x16(k)
#define K(h) packFloat2x16(h)

uvec2 sumOf(uvec2 a, uvec2 b) { return uvec2(K(H(a.x) + H(b.x)), K(H(a.y) + H(b.y))); }
uvec2 quarter(uvec2 s) { return uvec2(K(H(s.x) * f16vec2(0.25)), K(H(s.y) * f16vec2(0.25))); }
uvec2 meanOf(uvec2 a, uvec2 b, uvec2 c, uvec2 d) { return quarter(sumOf(sumOf(a, b), sumOf(c, d))); }

// floor(v + 1/2). The sum lies between 256 and 512: the last 2 bits of a half are the fraction.
uint wordOf(uvec2 v) {
  uint even = K(H(v.x) + f16vec2(256.5)), odd = K(H(v.y) + f16vec2(256.5));
  return ((even >> 2) & 0x00ff00ffu) | ((odd << 6) & 0xff00ff00u);
}

// 0x6400 plus a code is the half 1024 + code.
uvec2 codesOf(uint w) {
  uint even = w & 0x00ff00ffu, odd = (w >> 8) & 0x00ff00ffu;
  return uvec2(K(H(even | 0x64006400u) - f16vec2(1024.0)), K(H(odd | 0x64006400u) - f16vec2(1024.0)));
}

uvec2 levelSize(uint level) { return max(uvec2(kWidth, kHeight) >> level, uvec2(1u)); }
uint number() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

void store(uint level, uvec2 at, uvec2 v) {
  if (level < kLevels && all(lessThan(at, levelSize(level)))) imageStore(levels[level], ivec3(at, 0), uvec4(wordOf(v)));
}

// The mean of 2x2 texels of a level of `size`. An axis of 1 has no second texel.
uvec2 reduceFour(uvec2 a, uvec2 b, uvec2 c, uvec2 d, uvec2 size) {
  if (size.x == 1u) {
    b = a;
    d = c;
  }
  if (size.y == 1u) {
    c = a;
    d = b;
  }
  return meanOf(a, b, c, d);
}

// The same of lanes whose numbers differ in one bit along x and in one along y; all four get it.
uvec2 reduceLanes(uvec2 v, uint alongX, uint alongY, uvec2 size) {
  uvec2 beside = subgroupShuffleXor(v, alongX);
  v = sumOf(v, size.x == 1u ? v : beside);
  uvec2 below = subgroupShuffleXor(v, alongY);
  return quarter(sumOf(v, size.y == 1u ? v : below));
}

// The lanes of a quad hold 2x2 texels of each of four regions; after it lane q has the mean of the four of region q.
uvec2 quadMean(uvec2 a, uvec2 b, uvec2 c, uvec2 d, uvec2 size) {
  bool right = (number() & 1u) != 0u, lower = (number() & 2u) != 0u;
  uvec2 upper = right ? b : a, upperOther = subgroupShuffleXor(right ? a : b, 1u);
  uvec2 under = right ? d : c, underOther = subgroupShuffleXor(right ? c : d, 1u);
  // Of each row of the quad a sum: of the lane's region, and of the region that the lane in the other row has.
  uvec2 mine = lower ? under : upper, sent = lower ? upper : under;
  mine = sumOf(mine, size.x == 1u ? mine : (lower ? underOther : upperOther));
  sent = sumOf(sent, size.x == 1u ? sent : (lower ? upperOther : underOther));
  uvec2 other = subgroupShuffleXor(sent, 2u);
  return quarter(sumOf(mine, size.y == 1u ? mine : other));
}

uvec2 baseTexel(uvec2 at) {
  vec4 v = 255.0 * textureLod(source, vec3(vec2(2u * at + 1u) / vec2(kWidth, kHeight), 0.0), 0.0);
  return uvec2(K(f16vec2(v.xz)), K(f16vec2(v.yw)));
}

// 64 texels of level 3, or 16 of level 10, numbered so that four consecutive ones are 2x2 texels.
shared uvec4 low[16], high[16];
shared bool last;

void put(uint slot, uvec2 v) {
  low[slot / 4u][slot & 3u] = v.x;
  high[slot / 4u][slot & 3u] = v.y;
}

uvec2 takeFour(uint quad, uvec2 size) {
  uvec4 l = low[quad], h = high[quad];
  return reduceFour(uvec2(l.x, h.x), uvec2(l.y, h.y), uvec2(l.z, h.z), uvec2(l.w, h.w), size);
}

void tileBarrier() { controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease); }

// Where texel n of level 1 lies in its region of 16x16: bits 6 4 3 0 are x, 7 5 2 1 y, as in spd_tile.glsl.
uvec2 placeOf(uint n) { return uvec2((n & 1u) | ((n >> 2) & 6u) | ((n >> 3) & 8u), ((n >> 1) & 3u) | ((n >> 3) & 4u) | ((n >> 4) & 8u)); }

// Where texel n of level 8 lies in a tile of 16x16: even bits are x, odd ones y.
uvec2 mortonOf(uint n) {
  n = (n & 0x99u) | ((n & 0x22u) << 1) | ((n & 0x44u) >> 1);
  return uvec2((n & 3u) | ((n >> 2) & 12u), ((n >> 2) & 3u) | ((n >> 4) & 12u));
}

// Four texels of level 6 beside one another, from (4x, y) on. Those beyond the level are not used.
uvec4 rowAt(uint x, uint y) {
  uvec2 size = levelSize(6u);
  uint wide = (size.x + 3u) / 4u;
  uvec4 r = rows.row[min(y, size.y - 1u) * wide + min(x, wide - 1u)];
  return size.x == 1u ? r.xxxx : r;
}

uvec2 meanOfWords(uint a, uint b, uint c, uint d) { return meanOf(codesOf(a), codesOf(b), codesOf(c), codesOf(d)); }

// Levels 7 to 10 of what invocation n has of tile `where` of level 6; level 10 is returned.
uvec2 lowerLevels(uvec2 where, uint n) {
  uvec2 at = 16u * where + mortonOf(n);
  uvec4 p = rowAt(at.x, 4u * at.y), q = rowAt(at.x, 4u * at.y + 1u), r = rowAt(at.x, 4u * at.y + 2u), s = rowAt(at.x, 4u * at.y + 3u);
  uvec2 a = meanOfWords(p.x, p.y, q.x, q.y), b = meanOfWords(p.z, p.w, q.z, q.w);
  uvec2 c = meanOfWords(r.x, r.y, s.x, s.y), d = meanOfWords(r.z, r.w, s.z, s.w);
  store(7u, 2u * at, a);
  store(7u, 2u * at + uvec2(1u, 0u), b);
  store(7u, 2u * at + uvec2(0u, 1u), c);
  store(7u, 2u * at + 1u, d);
  uvec2 v = reduceFour(a, b, c, d, levelSize(7u));
  store(8u, at, v);
  v = reduceLanes(v, 1u, 2u, levelSize(8u));
  if ((n & 3u) == 0u) store(9u, at / 2u, v);
  v = reduceLanes(v, 4u, 8u, levelSize(9u));
  if ((n & 15u) == 0u) store(10u, at / 4u, v);
  return v;
}

void lowerTile(uvec2 where) {
  uvec2 v = lowerLevels(where, number());
  if (kLevels <= 11u) return;
  if ((number() & 15u) == 0u) put(number() / 16u, v);
  tileBarrier();
  if (gl_SubgroupID == 0u) {
    uint n = gl_SubgroupInvocationID & 3u;
    v = takeFour(n, levelSize(10u));
    if (gl_SubgroupInvocationID < 4u) store(11u, 2u * where + uvec2(n & 1u, n >> 1), v);
    v = reduceLanes(v, 1u, 2u, levelSize(11u));
    if (gl_SubgroupInvocationID == 0u) store(12u, where, v);
  }
  tileBarrier();
}

const int kPlaces = gl_StorageSemanticsBuffer | gl_StorageSemanticsImage;
const int kEdge = gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible;

// Levels 4 to 6 of a tile, by subgroup 0. Invocation 0 returns how many workgroups had counted before this one.
uint topOfTile(uvec2 tile) {
  uint n = gl_SubgroupInvocationID & 15u, before = 0u;
  uvec2 four = takeFour(n, levelSize(3u)), size = levelSize(6u);
  uvec2 five = reduceLanes(four, 1u, 2u, levelSize(4u));
  uvec2 six = reduceLanes(five, 4u, 8u, levelSize(5u));
  if (gl_SubgroupInvocationID == 0u) {
    store(6u, tile, six);
    if (all(lessThan(tile, size))) rows.row[tile.y * ((size.x + 3u) / 4u) + tile.x / 4u][tile.x & 3u] = wordOf(six);
    if (kLevels > 7u) before = atomicAdd(counters.finished[0], 1u, gl_ScopeDevice, kPlaces, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  }
  if (gl_SubgroupInvocationID < 16u) store(4u, 4u * tile + mortonOf(n), four);
  if (gl_SubgroupInvocationID < 16u && (n & 3u) == 0u) store(5u, 2u * tile + mortonOf(n) / 2u, five);
  return before;
}

void main() {
  uvec2 tile = gl_WorkGroupID.xy, at = placeOf(number()), region = uvec2(number() & 1u, (number() >> 1) & 1u);
  uvec2 one = 32u * tile + at;
  uvec2 a = baseTexel(one), b = baseTexel(one + uvec2(16u, 0u)), c = baseTexel(one + uvec2(0u, 16u)), d = baseTexel(one + 16u);
  uvec2 two = quadMean(a, b, c, d, levelSize(1u));
  uvec2 three = reduceLanes(two, 8u, 4u, levelSize(2u));
  bool hasThree = (number() & 12u) == 0u;
  if (hasThree) put(16u * (number() & 3u) + number() / 16u, three);
  tileBarrier();
  uint before = 0u;
  if (gl_SubgroupID == 0u) before = topOfTile(tile);
  store(1u, one, a);
  store(1u, one + uvec2(16u, 0u), b);
  store(1u, one + uvec2(0u, 16u), c);
  store(1u, one + 16u, d);
  store(2u, 16u * tile + 8u * region + at / 2u, two);
  if (hasThree) store(3u, 8u * tile + 4u * region + at / 4u, three);

  bool alone = kLevels <= 11u && levelSize(7u).y <= 8u && gl_SubgroupSize >= 32u;
  if (kLevels <= 7u || (alone && gl_SubgroupID != 0u)) return;
  bool isLast = number() == 0u && before + 1u == kGroups;
  if (isLast) {
    memoryBarrier(gl_ScopeDevice, kPlaces, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    atomicStore(counters.finished[0], 0u, gl_ScopeDevice, 0, 0);
  }
  if (alone) {
    if (!subgroupBroadcastFirst(isLast)) return;
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, kPlaces, kEdge);
    lowerLevels(uvec2(0u), gl_SubgroupInvocationID);
    return;
  }
  if (number() == 0u) last = isLast;
  tileBarrier();
  if (!last) return;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | kPlaces, kEdge);
  uvec2 tiles = (levelSize(6u) + 63u) / 64u;
  for (uint t = 0u; t < tiles.x * tiles.y; ++t) lowerTile(uvec2(t % tiles.x, t / tiles.x));
}
