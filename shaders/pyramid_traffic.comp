// pyramid/traffic: the speed of light of a pyramid. Every base texel is read once, every texel of every level written once, none read back:
// no invocation waits for another. What is written is no pyramid: level 1 the greatest of what a texel covers, the levels above picked from
// it. kCopies: level 0 is written too, from a picture of its own.
//
// A group has a tile of 64x64 texels of the base; an invocation makes four texels of level 1, 16 apart, from a read of four texels each.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const bool kCopies = false;
layout(set = 0, binding = 0, r32ui) uniform writeonly restrict uimage2D levels[16];
layout(set = 0, binding = 1) uniform usampler2D source;  // its edges are clamped
layout(push_constant) uniform Push {
  uvec2 size;  // of the base
  uint count;  // of levels
} push;

#define REDUCTION kGreatest
#include "spd_codes.glsl"
#define UNROLL 16
#include "repeat.glsl"

// Four texels around a place in the middle between them, far from where another four would be chosen.
uint greatestAt(uvec2 at) {
  uvec4 taps = textureGather(source, vec2(at + 1u) / vec2(push.size));
  return reduceCodes(taps.x, taps.y, taps.z, taps.w);
}

// Where texel `at` of level 1 covers three texels of an axis, they are two and two.
uint firstTexel(uvec2 at) {
  uint best = greatestAt(2u * at);
  uvec2 more = uvec2(equal(2u * at + 3u, push.size));
  if (more.x != 0u) best = reduceCodes(best, best, best, greatestAt(2u * at + uvec2(1u, 0u)));
  if (more.y != 0u) best = reduceCodes(best, best, best, greatestAt(2u * at + uvec2(0u, 1u)));
  if (more == uvec2(1u)) best = reduceCodes(best, best, best, greatestAt(2u * at + 1u));
  return best;
}

// Level l above the first, if texel `at` of that is the one it has; the levels above that have no other.
// A constant each: SwiftShader crashes where the index of a picture comes from a loop that no invocation enters.
#define WRITE(l)                                                                                                       \
  if ((l) >= push.count || ((at.x | at.y) & ((1u << ((l) - 1u)) - 1u)) != 0u) return;                                   \
  if (all(lessThan(at >> ((l) - 1u), max(push.size >> (l), uvec2(1u))))) imageStore(levels[l], ivec2(at >> ((l) - 1u)), uvec4(best));

void write(uvec2 at, uint best) {
  WRITE(1) WRITE(2) WRITE(3) WRITE(4) WRITE(5) WRITE(6) WRITE(7) WRITE(8)
  WRITE(9) WRITE(10) WRITE(11) WRITE(12) WRITE(13) WRITE(14)
}

// Of the base, 16 texels an invocation; all reads before the first store.
void copyTile(uvec2 begin) {
  uint words[UNROLL];
#define PLACE(q) (begin + 16u * uvec2((q) & 3, (q) >> 2))
#define READ(q) words[q] = texelFetch(source, ivec2(min(PLACE(q), push.size - 1u)), 0).x;
#define COPY(q) \
  if (all(lessThan(PLACE(q), push.size))) imageStore(levels[0], ivec2(PLACE(q)), uvec4(words[q]));
  EACH(READ)
  EACH(COPY)
}

void main() {
  uvec2 begin = 32u * gl_WorkGroupID.xy + gl_LocalInvocationID.xy;
  if (kCopies) copyTile(64u * gl_WorkGroupID.xy + gl_LocalInvocationID.xy);
  if (push.count < 2u) return;
  const uvec2 kRight = uvec2(16u, 0u), kBelow = uvec2(0u, 16u);
  uint a = firstTexel(begin), b = firstTexel(begin + kRight), c = firstTexel(begin + kBelow), d = firstTexel(begin + 16u);
  write(begin, a);
  write(begin + kRight, b);
  write(begin + kBelow, c);
  write(begin + 16u, d);
}
