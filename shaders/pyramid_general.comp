// pyramid/energy and pyramid/energy-float (with FLOATS): the general pipeline, 1 or 2 levels a dispatch, any size.
//
// One level: an invocation a texel. Two: a group makes a tile of 8x8 texels of the second level. It makes the texels of the first level
// that the tile needs, up to 17x17, leaves them in workgroup memory, and after the barrier reduces them again. Neighbouring tiles share
// a row and a column of the first level where its side is odd; both make them, and the one whose own 16x16 they lie in writes them (the
// last tile also what lies beyond). So every texel is written once.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 128) in;

#ifdef FLOATS
#include "pyramid_float.glsl"
#else
#include "pyramid_exact.glsl"
#endif
#include "pyramid_window.glsl"

const uint kTile = 8u;
const uint kSide = 2u * kTile + 1u;

shared WAITING between[kSide * kSide];
uvec2 corner;  // of what `between` holds, on the first level

VALUE tap(uvec2 at, bool waiting) {
  if (!waiting) return readBase(at);
  uvec2 place = at - corner;
  return kept(between[place.y * kSide + place.x]);
}

void oneLevel() {
  uvec2 size = nextSize(push.size);
  uint texel = groupHere() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  uvec2 at = uvec2(texel % size.x, texel / size.x);
  if (at.y < size.y) STORE(1, at, reduceWindow(at, push.size, false));
}

// The texels of a tile's first level: `extent` of them from `corner` on.
void firstLevel(uvec2 extent, bvec2 isLast) {
  for (uint i = gl_LocalInvocationIndex; i < extent.x * extent.y; i += gl_WorkGroupSize.x) {
    uvec2 place = uvec2(i % extent.x, i / extent.x);
    VALUE value = reduceWindow(corner + place, push.size, false);
    between[place.y * kSide + place.x] = keep(value);
    bvec2 own = lessThan(place, uvec2(2u * kTile));
    if ((own.x || isLast.x) && (own.y || isLast.y)) STORE(1, corner + place, value);
  }
}

void main() {
  if (kLevels == 1u) {
    oneLevel();
    return;
  }
  uint group = groupHere();
  if (group >= push.tiles) return;  // the whole group
  uvec2 first = nextSize(push.size), second = nextSize(first), tiles = (second + kTile - 1u) / kTile;
  uvec2 tile = uvec2(group % tiles.x, group / tiles.x);
  uvec2 begin = tile * kTile, count = min(second - begin, uvec2(kTile));
  Taps x = tapsAt(begin.x + count.x - 1u, first.x), y = tapsAt(begin.y + count.y - 1u, first.y);
  corner = uvec2(tapsAt(begin.x, first.x).first, tapsAt(begin.y, first.y).first);
  firstLevel(uvec2(x.first + x.count, y.first + y.count) - corner, equal(tile, tiles - 1u));
  barrier();
  uint i = gl_LocalInvocationIndex;
  uvec2 at = begin + uvec2(i % count.x, i / count.x);
  if (i < count.x * count.y) STORE(2, at, reduceWindow(at, first, true));
}
