// A pyramid of any size in two dispatches, whose texels may take three texels of an axis: tiles with borders, then a cascade of tiles.
//
// The plan cuts the levels into stages (push.stages). A tile of a stage makes the stage's levels above its part of the base level. What it
// needs of each level is known in advance (spanOf): it makes for itself the rows and columns beyond its own that its windows reach, and
// stores only its own. The first dispatch (kFirst) is stage 0, the second stage 1: a workgroup a tile. A tile of a later stage is made by
// the workgroup that finishes the last of the tiles below it: each has a counter, to which every tile of the stage below that it reads adds
// 1 (countTile). Nobody waits for another.
//
// Accesses of different invocations are ordered by these edges and no others (Vulkan's memory model; the pictures are not coherent):
//
//   a  a tile's texels of its highest level -> the maker of the tile above: edgeBarrier, then the atomic of the counting invocation, which
//      releases at device scope, with images in its semantics. Who counts last acquires by a memory barrier, with buffers (the counter) and
//      images. Another edgeBarrier passes that on to its workgroup, and the queue
//   b  inside a tile: tileBarrier, for workgroup memory, from those who wrote a level to those who read it. Two levels use two places, so
//      one barrier a level also orders the readers before the next writers
//
// The loop over a stage's levels, which has barriers, has no loop inside of it: there lavapipe 22.3.6 loses invocations after some levels.
//
// The including file says what a texel is. In workgroup memory and in the pictures it is a word:
//
//   wordAt(bits), bitsOf(word)      a word made of a picture's bits, and the reverse
//   reduceFour(a, b, c, d)          of 2x2 words, one
//   Side, sideAt(j, size)           the taps of texel j of the level above an axis of `size` texels: texels 2j on, `count` of them
//   sideAs(j, size, odd)            the same of an axis of more than one texel that is known to be odd, or even
//   Row, rowOf(a, b, c, side)       three words of a row, of which those count that the side has
//   texelOf(r, s, t, x, y)          three rows, of which those count that side y has; rows and columns may change places
//   rowOfLane(r, lane)              the row of another invocation of the subgroup
//   kBorders                        whether texels other than an axis' last take three
//   kCopies                         whether level 0 of the pyramid is made too, a copy of the source
layout(local_size_x = 256, local_size_x_id = 12) in;
const uint kInvocations = 256u;
const uint kGroup = gl_WorkGroupSize.x;  // the same, but where regularColumns begins a tile

struct Stage {
  uint base;      // the level it reads
  uint levels;    // that it makes
  uint side;      // log2 of a tile's texels a side on the highest of them
  uint counters;  // where those of its tiles begin
};

layout(push_constant) uniform Push {
  uvec2 size;    // of level 0
  uint count;    // of stages
  uint reduction;
  Stage stages[4];
} push;

layout(constant_id = 13) const bool kFirst = true;
// Where stage 0 has several tiles, the pipelines are made for one size of level 0 and its stages: levels and 256 times `side` of each, 0 for one
// that there is not. Then nothing of a tile's extents is computed, and its levels are written out. Else all are 0, and push constants say it.
layout(constant_id = 14) const uint kSizeX = 0u;
layout(constant_id = 15) const uint kSizeY = 0u;
layout(constant_id = 16) const uint kStage0 = 0u;
layout(constant_id = 17) const uint kStage1 = 0u;
layout(constant_id = 18) const uint kStage2 = 0u;
layout(constant_id = 19) const uint kStage3 = 0u;
const bool kKnown = kSizeX != 0u;

layout(set = 0, binding = 0) uniform usampler2D source;  // level 0; its edges are clamped
const uint kPictures = 15u;                              // levels of sides up to 16384
layout(set = 0, binding = 1, r32ui) uniform nonprivate uimage2D levels[kPictures];
layout(set = 0, binding = 2) restrict buffer Counters { uint finished[]; } counters;  // all 0 before and after

// Two levels of a tile: one has at most 48x48 texels where the next has 24x24 (the plan's limits).
const uint kWide = 2304u, kNarrow = 576u;
shared uint waiting[kWide + kNarrow];
// Tiles of later stages that this workgroup makes.
shared uint queue[16];
shared uint queued;

uvec2 baseSize() { return kKnown ? uvec2(kSizeX, kSizeY) : push.size; }
uvec2 levelSize(uint level) { return max(baseSize() >> level, uvec2(1u)); }

uint stageCount() { return !kKnown ? push.count : kStage1 == 0u ? 1u : kStage2 == 0u ? 2u : kStage3 == 0u ? 3u : 4u; }

Stage stageAt(uint i) {
  if (!kKnown) return push.stages[i];
  uint known = i == 0u ? kStage0 : i == 1u ? kStage1 : i == 2u ? kStage2 : kStage3;
  uint base = (i > 0u ? kStage0 & 255u : 0u) + (i > 1u ? kStage1 & 255u : 0u) + (i > 2u ? kStage2 & 255u : 0u);
  return Stage(base, known & 255u, known >> 8, push.stages[i].counters);
}

const int kPlaces = gl_StorageSemanticsBuffer | gl_StorageSemanticsImage;

// Edge b.
void tileBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

// Edge a.
void edgeBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared | gl_StorageSemanticsImage,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

// Of one level: the texels from `first` on that a tile needs, up to `end`, and those that are its own, up to `own`. Along an axis whose sides
// are odd on the way up, each odd level adds one to what the next one takes; the bits of a side say which levels are odd.
struct Span {
  uvec2 first, end, own;
};

Span spanOf(Stage stage, uint above, uvec2 tile) {
  uint left = stage.levels - above;
  uvec2 top = levelSize(stage.base + stage.levels), size = levelSize(stage.base + above);
  uvec2 begin = tile << stage.side, end = min(begin + (1u << stage.side), top);
  uvec2 own = mix(end << left, size, equal(end, top));
  if (!kBorders) return Span(begin << left, own, own);
  return Span(begin << left, min((end << left) + (size & ((1u << left) - 1u)), size), own);
}

// i divided by n, for i below 2^20: the numerator is half a unit away from where a rounded division would give another.
uint quotient(uint i, uint n) { return uint((float(i) + 0.5) / float(n)); }

uint loadWord(uint level, uvec2 at) { return wordAt(imageLoad(levels[level], ivec2(at)).x); }

void storeOwn(Span span, uint level, uvec2 at, uint word) {
  if (all(lessThan(at, span.own))) imageStore(levels[level], ivec2(at), uvec4(bitsOf(word)));
}

// The words of 2x2 texels of level 0: (0, 1), (1, 1), (1, 0), (0, 0). Their corner is far from where another four would be selected.
uvec4 wordsAt(uvec4 bits) { return uvec4(wordAt(bits.x), wordAt(bits.y), wordAt(bits.z), wordAt(bits.w)); }
uvec4 gatherAt(uvec2 at) { return wordsAt(textureGather(source, vec2(2u * at + 1u) / vec2(baseSize()))); }

uint quadAt(uint level, uvec2 at) {
  if (level == 0u) {
    uvec4 w = gatherAt(at);
    return reduceFour(w.w, w.z, w.x, w.y);
  }
  return reduceFour(loadWord(level, 2u * at), loadWord(level, 2u * at + uvec2(1u, 0u)), loadWord(level, 2u * at + uvec2(0u, 1u)),
                    loadWord(level, 2u * at + 1u));
}

// Texel i of those that a span holds, row by row; beyond the last the last.
uvec2 placeIn(Span span, uint i) {
  uvec2 extent = span.end - span.first;
  i = min(i, extent.x * extent.y - 1u);
  uint y = quotient(i, extent.x);
  return uvec2(i - y * extent.x, y);
}

// Of stage 0: its own part of level 0, 64x64 texels at a time, 16 an invocation; neighbours take neighbours. All reads before the first store.
void copyBase(Span here) {
  uvec2 me = here.first + uvec2(gl_LocalInvocationIndex & 15u, gl_LocalInvocationIndex >> 4);
  for (uint y = 0u; here.first.y + y < here.own.y; y += 64u)
    for (uint x = 0u; here.first.x + x < here.own.x; x += 64u) {
      uint bits[16];
#define COPIED(q) (me + uvec2(x, y) + 16u * uvec2((q) & 3, (q) >> 2))
#define TAKE(q) bits[q] = texelFetch(source, ivec2(min(COPIED(q), baseSize() - 1u)), 0).x;
#define COPY(q) \
  if (all(lessThan(COPIED(q), here.own))) imageStore(levels[0], ivec2(COPIED(q)), uvec4(bits[q]));
      REPEAT_16(TAKE, 0)
      REPEAT_16(COPY, 0)
    }
}

#include "cascade_first.glsl"

// Level base + 1 where both sides of the base are even. All reads before the first store.
void firstByQuads(Stage stage, uvec2 tile) {
  Span here = spanOf(stage, 1u, tile);
  uvec2 extent = here.end - here.first;
  for (uint begin = 0u; begin < extent.x * extent.y; begin += UNROLL * kInvocations) {
    uint i = begin + gl_LocalInvocationIndex, words[UNROLL];
#define PLACE(q) placeIn(here, i + (q) * kInvocations)
#define READ(q) words[q] = quadAt(stage.base, here.first + PLACE(q));
#define KEEP(q)                                                   \
  if (i + (q) * kInvocations < extent.x * extent.y) {             \
    waiting[i + (q) * kInvocations] = words[q];                   \
    storeOwn(here, stage.base + 1u, here.first + PLACE(q), words[q]); \
  }
    EACH(READ)
    EACH(KEEP)
  }
}

// Level 1 from level 0, a run of a column an invocation. Texel q of it takes the upper and the lower row of quads q, and the upper one of
// quads q + 1: two columns on the left, the third on the right.
void firstByColumns(Stage stage, uvec2 tile) {
  Span here = spanOf(stage, 1u, tile);
  uvec2 extent = here.end - here.first, size = baseSize();
  uint items = extent.x * ((extent.y + UNROLL - 1u) / UNROLL);
  for (uint begin = 0u; begin < items; begin += kInvocations) {
    uint item = begin + gl_LocalInvocationIndex, run = quotient(min(item, items - 1u), extent.x);
    uvec2 place = uvec2(min(item, items - 1u) - run * extent.x, UNROLL * run), at = here.first + place;
    uvec4 left[UNROLL + 1], right[UNROLL + 1];
#define READ_ROWS(q)                           \
  left[q] = gatherAt(at + uvec2(0u, q)); \
  right[q] = gatherAt(at + uvec2(1u, q));
    EACH(READ_ROWS)
    READ_ROWS(UNROLL)
    Side x = sideAt(at.x, size.x);
    Row upper = rowOf(left[0].w, left[0].z, right[0].w, x);
#define MAKE(q)                                                                                     \
  {                                                                                                 \
    Row lower = rowOf(left[q].x, left[q].y, right[q].x, x);                                         \
    Row next = rowOf(left[q + 1].w, left[q + 1].z, right[q + 1].w, x);                              \
    if (item < items && place.y + q < extent.y) {                                                   \
      uint word = texelOf(upper, lower, next, x, sideAt(at.y + q, size.y));                         \
      waiting[(place.y + q) * extent.x + place.x] = word;                                           \
      storeOwn(here, 1u, at + uvec2(0u, q), word);                                                  \
    }                                                                                               \
    upper = next;                                                                                   \
  }
    EACH(MAKE)
  }
}

// The tile's part of the base level. All reads before the first word is kept.
void loadBase(Stage stage, uvec2 tile) {
  Span here = spanOf(stage, 0u, tile);
  uvec2 extent = here.end - here.first;
  for (uint begin = 0u; begin < extent.x * extent.y; begin += UNROLL * kInvocations) {
    uint i = begin + gl_LocalInvocationIndex, words[UNROLL];
#define LOAD(q) words[q] = loadWord(stage.base, here.first + PLACE(q));
#define LEAVE(q) \
  if (i + (q) * kInvocations < extent.x * extent.y) waiting[i + (q) * kInvocations] = words[q];
    EACH(LOAD)
    EACH(LEAVE)
  }
}

// A row of three words that waits from `from` on; beyond the last of the `pitch` words the last.
Row rowAt(uint from, uint pitch, uint x, Side side) {
  return rowOf(waiting[from + x], waiting[from + min(x + 1u, pitch - 1u)], waiting[from + min(x + 2u, pitch - 1u)], side);
}

// Level base + above, from the level below it, which waits from `from` on; it is kept from `to` on. It has at most kNarrow texels, and in
// one row at most 512 (the plan), so no loop is needed: `item` is a run of `count` texels of a column, 1 or 2.
void nextRun(Stage stage, uint above, uvec2 tile, uint from, uint to, uint item, uint count) {
  Span below = spanOf(stage, above - 1u, tile), here = spanOf(stage, above, tile);
  uvec2 size = levelSize(stage.base + above - 1u), extent = here.end - here.first, held = below.end - below.first;
  if (item >= extent.x * ((extent.y + count - 1u) / count)) return;
  uint run = quotient(item, extent.x);
  uvec2 place = uvec2(item - run * extent.x, count * run), at = here.first + place;
  Side x = sideAt(at.x, size.x);
  uint column = x.first - below.first.x, row = 2u * place.y, last = held.y - 1u;
#define ROW_AT(q) rowAt(from + min(row + (q), last) * held.x, held.x, column, x)
  Row next = ROW_AT(2u);
  uint word = texelOf(ROW_AT(0u), ROW_AT(1u), next, x, sideAt(at.y, size.y));
  waiting[to + place.y * extent.x + place.x] = word;
  storeOwn(here, stage.base + above, at, word);
  if (count < 2u || place.y + 1u >= extent.y) return;
  word = texelOf(next, ROW_AT(3u), ROW_AT(4u), x, sideAt(at.y + 1u, size.y));
  waiting[to + (place.y + 1u) * extent.x + place.x] = word;
  storeOwn(here, stage.base + above, at + uvec2(0u, 1u), word);
}

void nextLevel(Stage stage, uint above, uvec2 tile, uint from, uint to) {
  Span here = spanOf(stage, above, tile);
  uvec2 extent = here.end - here.first;
  uint count = extent.x * extent.y > kInvocations ? 2u : 1u;
  nextRun(stage, above, tile, from, to, gl_LocalInvocationIndex, count);
  if (count == 2u) nextRun(stage, above, tile, from, to, gl_LocalInvocationIndex + kInvocations, 2u);
}

// The same where both sides of the level below are even: texel i of it.
void nextQuad(Stage stage, uint above, uvec2 tile, uint from, uint to, uint i) {
  Span below = spanOf(stage, above - 1u, tile), here = spanOf(stage, above, tile);
  uvec2 extent = here.end - here.first;
  if (i >= extent.x * extent.y) return;
  uint pitch = below.end.x - below.first.x;
  uvec2 place = placeIn(here, i);
  uint corner = from + 2u * (place.y * pitch + place.x);
  uint word = reduceFour(waiting[corner], waiting[corner + 1u], waiting[corner + pitch], waiting[corner + pitch + 1u]);
  waiting[to + i] = word;
  storeOwn(here, stage.base + above, here.first + place, word);
}

void nextByQuads(Stage stage, uint above, uvec2 tile, uint from, uint to) {
  nextQuad(stage, above, tile, from, to, gl_LocalInvocationIndex);
  nextQuad(stage, above, tile, from, to, gl_LocalInvocationIndex + kInvocations);
  nextQuad(stage, above, tile, from, to, gl_LocalInvocationIndex + 2u * kInvocations);
}

bool isEven(uint level) { return all(equal(levelSize(level) & 1u, uvec2(0u))); }

// Level base + above, from the level below it.
void makeNext(Stage stage, uint above, uvec2 tile, uint from, uint to) {
  tileBarrier();
  if (isEven(stage.base + above - 1u))
    nextByQuads(stage, above, tile, from, to);
  else
    nextLevel(stage, above, tile, from, to);
}

// The first level of a tile in workgroup memory, from 0 on. Returns what is made next.
uint beginTile(Stage stage, uvec2 tile) {
  if (kCopies && stage.base == 0u) copyBase(spanOf(stage, 0u, tile));
  if (stage.levels == 0u) return 1u;
  if (isEven(stage.base)) {
    firstByQuads(stage, tile);
  } else if (stage.base == 0u) {
    firstByColumns(stage, tile);
  } else {
    loadBase(stage, tile);
    return 1u;
  }
  return 2u;
}

void nextLevels(Stage stage, uint above, uvec2 tile, uint from) {
  for (; above <= stage.levels; ++above) {
    makeNext(stage, above, tile, from, kWide - from);
    from = kWide - from;
  }
}

void makeTile(Stage stage, uvec2 tile) { nextLevels(stage, beginTile(stage, tile), tile, 0u); }

// The same of a stage that is known: up to six levels are written out, which is as many as a tile makes that is not very narrow.
void makeKnown(Stage stage, uvec2 tile) {
  uint above = beginTile(stage, tile), from = 0u;
#define WRITTEN_OUT(n)                               \
  if (above <= n && n <= stage.levels) {             \
    makeNext(stage, n, tile, from, kWide - from); \
    from = kWide - from;                             \
  }
  WRITTEN_OUT(1u) WRITTEN_OUT(2u) WRITTEN_OUT(3u) WRITTEN_OUT(4u) WRITTEN_OUT(5u) WRITTEN_OUT(6u)
  nextLevels(stage, 7u, tile, from);
}

// Counts a tile of a stage at one of the four tiles of the next one that may read it.
void countAt(Stage stage, Stage next, uint number, uvec2 tile, uvec2 back) {
  uint scale = next.side + next.levels;
  uvec2 first = tile << stage.side, tiles = ((levelSize(next.base + next.levels) - 1u) >> next.side) + 1u;
  uvec2 above = min(first >> scale, tiles - 1u);
  if (any(greaterThan(back, above))) return;
  above -= back;
  Span span = spanOf(next, 0u, above);
  if (any(greaterThanEqual(first, span.end))) return;
  uvec2 below = ((span.end - 1u) >> stage.side) - (span.first >> stage.side) + 1u;
  uint counter = next.counters + above.y * tiles.x + above.x;
  uint before = atomicAdd(counters.finished[counter], 1u, gl_ScopeDevice, kPlaces, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  if (before + 1u != below.x * below.y) return;
  memoryBarrier(gl_ScopeDevice, kPlaces, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  // Nobody else comes: the next dispatch finds 0, ordered by the barrier between dispatches.
  atomicStore(counters.finished[counter], 0u, gl_ScopeDevice, 0, 0);
  queue[atomicAdd(queued, 1u, gl_ScopeWorkgroup, 0, 0)] = number << 28 | above.y << 14 | above.x;
}

// Counts a tile at all that read it, when all its texels are stored.
void countTile(Stage stage, Stage next, uint number, uvec2 tile) {
  edgeBarrier();
  uvec2 back = uvec2(gl_LocalInvocationIndex & 1u, gl_LocalInvocationIndex >> 1);
  if (gl_LocalInvocationIndex < 4u) countAt(stage, next, number, tile, back);
}

// Whether this workgroup is the last of all to finish a tile of stage 1: true in all its invocations or in none. Edge a.
bool isLast() {
  edgeBarrier();
  if (gl_LocalInvocationIndex == 0u) {
    uint counter = push.stages[2].counters;
    uint before = atomicAdd(counters.finished[counter], 1u, gl_ScopeDevice, kPlaces, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    queued = before + 1u == gl_NumWorkGroups.x * gl_NumWorkGroups.y ? 1u : 0u;
    if (queued == 1u) {
      memoryBarrier(gl_ScopeDevice, kPlaces, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
      atomicStore(counters.finished[counter], 0u, gl_ScopeDevice, 0, 0);  // as in countAt
    }
  }
  tileBarrier();
  if (queued == 0u) return false;
  edgeBarrier();
  return true;
}

// Stage 1, and the tiles of later stages of which this workgroup finishes the last tile below.
void makeStages(uvec2 tile) {
  if (gl_LocalInvocationIndex == 0u) queued = 0u;
  uint number = 1u;
  for (uint made = 0u;; ++made) {
    makeTile(stageAt(number), tile);
    if (number + 1u == stageCount()) return;
    countTile(stageAt(number), stageAt(number + 1u), number + 1u, tile);
    tileBarrier();
    if (made == queued) return;
    edgeBarrier();
    uint entry = queue[made];
    number = entry >> 28;
    tile = uvec2(entry, entry >> 14) & 0x3fffu;
  }
}

// Of three stages the last is one tile (the plan: all levels, or at most four).
void main() {
  uvec2 tile = gl_WorkGroupID.xy;
  if (kFirst) {
    if (isRegular(tile))
      makeRegular(tile);
    else
      makeTile(stageAt(0u), tile);
    return;
  }
  if (stageCount() > 3u) {
    makeStages(tile);
    return;
  }
  makeKnown(stageAt(1u), tile);
  if (stageCount() == 3u && isLast()) makeKnown(stageAt(2u), uvec2(0u));
}
