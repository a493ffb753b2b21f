// Stage 0 of cascade.glsl where it is regular: sides that are halved kRegular times and stay 1 or more. Then a tile has the same extent on every
// level, known when the pipeline is made, whatever its place: texels that lie beyond the picture are made from what the edge has, are never
// used by one that does not, and are not stored.
const uint kFirstTile = 6u;  // log2 of a tile's texels a side
layout(constant_id = 10) const uint kRegular = 0u;  // the levels it makes; 0: no tile is regular
// The last kRegular bits of level 0's sides, of which bit l says that level l is odd; without borders no tile takes more there.
const uint kLastBits = kBorders ? (1u << kRegular) - 1u : 0u;
const uint kOddX = kSizeX & kLastBits, kOddY = kSizeY & kLastBits;

// Without borders the last tile of an axis that is odd on some level is another.
bool isRegular(uvec2 tile) {
  if (kRegular == 0u) return false;
  bvec2 last = equal(tile + 1u, gl_NumWorkGroups.xy), odd = notEqual(baseSize() & ((1u << kRegular) - 1u), uvec2(0u));
  return kBorders || !((last.x && odd.x) || (last.y && odd.y));
}

uvec2 extentAt(uint level) { return (uvec2(1u << kFirstTile) + uvec2(kOddX, kOddY)) >> level; }
bvec2 oddAt(uint level) { return notEqual((uvec2(kOddX, kOddY) >> level) & 1u, uvec2(0u)); }

Span regularSpan(uint level, uvec2 tile) {
  uvec2 first = tile << (kFirstTile - level), size = levelSize(level);
  uvec2 own = mix(first + ((1u << kFirstTile) >> level), size, equal(tile + 1u, gl_NumWorkGroups.xy));
  return Span(first, first + extentAt(level), own);
}

// Texel i of an extent. In the plain one 32 neighbours are 16x2, which a GPU stores better than a row.
uvec2 placeOf(uint i, uvec2 extent) {
  if (extent == uvec2(32u)) return uvec2((i & 15u) | (i >> 1 & 16u), (i >> 4 & 1u) | (i >> 5 & 30u));
  return uvec2(i % extent.x, i / extent.x);
}

void keepOwn(Span here, uint level, uint to, uvec2 place, uint word) {
  waiting[to + place.y * extentAt(level).x + place.x] = word;
  storeOwn(here, level, here.first + place, word);
}

void regularQuads(uvec2 tile) {
  Span here = regularSpan(1u, tile);
  uvec2 extent = extentAt(1u);
  uint texels = extent.x * extent.y, words[8];
#define ITEM(q) (gl_LocalInvocationIndex + (q) * kInvocations)
#define READ_QUAD(q) \
  if ((q) * kInvocations < texels) words[q] = quadAt(0u, here.first + placeOf(ITEM(q), extent));
#define KEEP_QUAD(q) \
  if ((q) * kInvocations < texels && ITEM(q) < texels) keepOwn(here, 1u, 0u, placeOf(ITEM(q), extent), words[q]);
  REPEAT_8(READ_QUAD, 0)
  REPEAT_8(KEEP_QUAD, 0)
}

// A run of six texels of a column an invocation: it adds up the first two columns of each window. The third is the first of the next column, and
// comes from the next lane. So lanes have columns side by side, one more behind the last of a row, and the last lane of a subgroup makes nothing:
// the next subgroup begins with its column. Where subgroups are not all full, nobody knows which invocations are in which, so each makes a
// part of its own, by its first lanes: that those are the active ones is assumed, and Vulkan does not promise it. Full ones make as many
// turns, because lavapipe 22.3.6 stops those that make more. The reads have one coordinate and constant offsets.
void regularColumns(uvec2 tile) {
  Span here = regularSpan(1u, tile);
  uvec2 extent = extentAt(1u);
  bvec2 odd = oddAt(0u);
  uint third = odd.x ? 1u : 0u, columns = extent.x + third, items = columns * ((extent.y + 5u) / 6u);
  uint lanes = gl_SubgroupSize, first = gl_SubgroupID * (lanes - third), end = items, length = items;
  uint step = kGroup - third * gl_NumSubgroups;
  if (kGroup % gl_SubgroupSize != 0u) {
    uint part = (items + gl_NumSubgroups - 1u) / gl_NumSubgroups;
    lanes = subgroupBallotBitCount(subgroupBallot(true)), step = lanes - third;
    first = gl_SubgroupID * part, end = min(items, first + part), length = part;
  }
  uint next = min(gl_SubgroupInvocationID + 1u, lanes - 1u);
  for (uint begin = 0u; begin < length; begin += step) {
    uint item = first + begin + gl_SubgroupInvocationID;
    uvec2 place = uvec2(item % columns, 6u * (item / columns)), at = here.first + place;
    bool makes = gl_SubgroupInvocationID + third < lanes && item < end && place.x < extent.x;
    vec2 middle = vec2(2u * at + uvec2(1u, 7u)) / vec2(baseSize());
    uvec4 quads[7];
#define READ_RUN(q) quads[q] = wordsAt(textureGatherOffset(source, middle, ivec2(0, 2 * (q) - 6)));
    REPEAT_6(READ_RUN, 0)
    if (odd.y) READ_RUN(6)
    Side x = sideAs(at.x, baseSize().x, odd.x);
#define MAKE_RUN(q)                                                                                         \
  {                                                                                                         \
    uvec4 quad = quads[q], below = odd.y ? quads[q + 1] : quad;                                             \
    Side y = sideAs(at.y + q, baseSize().y, odd.y);                                                         \
    Row left = rowOf(quad.w, quad.x, below.w, y), right = rowOf(quad.z, quad.y, below.z, y);                \
    uint word = texelOf(left, right, odd.x ? rowOfLane(left, next) : right, y, x);                          \
    if (makes && place.y + q < extent.y) keepOwn(here, 1u, 0u, place + uvec2(0u, q), word);                 \
  }
    REPEAT_6(MAKE_RUN, 0)
  }
}

// A row of the level below, which waits from `from` on.
Row regularRow(uint from, Side side, bool odd) {
  return rowOf(waiting[from], waiting[from + 1u], odd ? waiting[from + 2u] : 0u, side);
}

// Texel `place` of a level from 2x2 that wait from `corner` on.
void regularQuad(Span here, uint level, uint corner, uint to, uvec2 place) {
  uint pitch = extentAt(level - 1u).x;
  keepOwn(here, level, to, place, reduceFour(waiting[corner], waiting[corner + 1u], waiting[corner + pitch], waiting[corner + pitch + 1u]));
}

// `count` texels of a column, from `place` on.
void regularRun(Span here, uint level, uint corner, uint to, uvec2 place, uint count) {
  uvec2 size = levelSize(level - 1u);
  bvec2 odd = oddAt(level - 1u);
  uint pitch = extentAt(level - 1u).x;
  Side x = sideAs(here.first.x + place.x, size.x, odd.x);
  Row upper = regularRow(corner, x, odd.x);
  for (uint q = 0u; q < count; ++q) {
    if (!odd.y) upper = regularRow(corner, x, odd.x);
    Row lower = regularRow(corner + pitch, x, odd.x), next = lower;
    if (odd.y) next = regularRow(corner + 2u * pitch, x, odd.x);
    if (place.y < extentAt(level).y)
      keepOwn(here, level, to, place, texelOf(upper, lower, next, x, sideAs(here.first.y + place.y, size.y, odd.y)));
    upper = next;
    corner += 2u * pitch;
    ++place.y;
  }
}

// Level `level` from the one below it. Two texels of a column an invocation, where there are more than invocations.
void regularNext(uint level, uvec2 tile, uint from, uint to) {
  Span here = regularSpan(level, tile);
  uvec2 extent = extentAt(level);
  bool quads = !any(oddAt(level - 1u));
  uint count = !quads && extent.x * extent.y > kGroup ? 2u : 1u, items = extent.x * ((extent.y + count - 1u) / count);
  for (uint begin = 0u; begin < items; begin += kGroup) {
    uint item = begin + gl_LocalInvocationIndex;
    uvec2 place = uvec2(item % extent.x, count * (item / extent.x));
    uint corner = from + 2u * (place.y * extentAt(level - 1u).x + place.x);
    if (item < items) {
      if (quads)
        regularQuad(here, level, corner, to, place);
      else
        regularRun(here, level, corner, to, place, count);
    }
  }
}

#define NEXT(level, from, to)              \
  if (kRegular >= level) {                 \
    tileBarrier();                         \
    regularNext(level, tile, from, to);    \
  }

void makeRegular(uvec2 tile) {
  if (kCopies) copyBase(regularSpan(0u, tile));
  if (any(oddAt(0u)))
    regularColumns(tile);
  else
    regularQuads(tile);
  NEXT(2u, 0u, kWide)
  NEXT(3u, kWide, 0u)
  NEXT(4u, 0u, kWide)
  NEXT(5u, kWide, 0u)
  NEXT(6u, 0u, kWide)
}
