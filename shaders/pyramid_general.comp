// pyramid/energy and (with FLOATS) pyramid/energy-float, the general pipeline: 1 or 2 levels per dispatch, any size.
//
// One level: an invocation per texel. Two: a workgroup makes a tile of 8x8 texels of the second level. First it makes the texels of the
// first level that the tile needs, up to 17x17: each invocation three, one below the other. It writes them to workgroup memory, and after
// the barrier reduces them again. Where a side of the first level is odd, neighbouring tiles share a row or a column of it. Both make these
// texels, and the tile whose own 16x16 has them stores them. (The last tile also stores those beyond.) So every texel is stored once.
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

VALUE waitingAt(uvec2 at) { return kept(between[at.y * kSide + at.x]); }

void oneLevel() {
  uvec2 size = nextSize(push.size);
  uint texel = groupHere() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  uvec2 at = uvec2(texel % size.x, texel / size.x);
  if (at.y < size.y) STORE(1, at, texelAbove(at));
}

struct Tile {
  uvec2 corner, extent;  // its texels of the first level
  bvec2 isLast;
};

void firstTexel(Tile tile, uvec2 place, VALUE value) {
  if (place.y >= tile.extent.y) return;
  between[place.y * kSide + place.x] = keep(value);
  bvec2 own = lessThan(place, uvec2(2u * kTile));
  if ((own.x || tile.isLast.x) && (own.y || tile.isLast.y)) STORE(1, tile.corner + place, value);
}

void firstLevel(Tile tile) {
  uvec2 place = uvec2(gl_LocalInvocationIndex % kSide, 3u * (gl_LocalInvocationIndex / kSide));
  if (any(greaterThanEqual(place, tile.extent))) return;
  VALUE texels[3] = threeAbove(tile.corner + place);
  for (uint i = 0u; i < 3u; ++i) firstTexel(tile, place + uvec2(0u, i), texels[i]);
}

void main() {
  if (kLevels == 1u) {
    oneLevel();
    return;
  }
  uint group = groupHere();
  if (group >= push.tiles) return;  // all of the workgroup
  uvec2 first = nextSize(push.size), second = nextSize(first), tiles = (second + kTile - 1u) / kTile;
  uvec2 tile = uvec2(group % tiles.x, group / tiles.x);
  uvec2 begin = tile * kTile, count = min(second - begin, uvec2(kTile));
  Taps x = tapsAt(begin.x + count.x - 1u, first.x), y = tapsAt(begin.y + count.y - 1u, first.y);
  uvec2 corner = 2u * begin;
  firstLevel(Tile(corner, uvec2(x.first + x.count, y.first + y.count) - corner, equal(tile, tiles - 1u)));
  barrier();
  uvec2 place = uvec2(gl_LocalInvocationIndex % kTile, gl_LocalInvocationIndex / kTile), at = begin + place;
  if (all(lessThan(place, count))) STORE(2, at, reduceWindow(at, first, corner));
}
