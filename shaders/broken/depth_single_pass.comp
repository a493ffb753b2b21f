// broken/depth-*: a depth pyramid in one dispatch, with tiles of 64x64. One invocation makes the levels beyond 6. Each has one defect:
//
//   overwrite  S1: level k is written to the corner of workgroup memory where others still read level k - 1, with no barrier between
//   vanished   S3, S4: a level's size is size >> level, which may be 0: an axis of 1 is never written, but is read above level 6
//   beyond     S5: levels 1 to 6 are written even where the pyramid does not have them
//   relaxed    S7: the counter's atomic is relaxed, and the barriers order only workgroup memory
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

#include "../spd.glsl"
#include "../depth.glsl"

const uint kOverwrite = 1u, kVanished = 2u, kBeyond = 3u, kRelaxed = 4u;
layout(constant_id = 4) const uint kDefect = kOverwrite;

layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0) uniform usampler2D source;  // the depths as bits
const uint kPictures = 15u;  // enough for sides up to 16384
layout(set = 0, binding = 1, r32f) uniform nonprivate image2D levels[kPictures];
shared int tile[32][32];

void store(uint level, uvec2 at, int key) {
  uvec2 end = kDefect == kVanished ? push.size >> level : levelSize(level);
  bool exists = level < push.levels || kDefect == kBeyond;
  if (exists && all(lessThan(at, end))) imageStore(levels[level], ivec2(at), vec4(depthOf(key)));
}

int copied(uvec2 at) {
  int key = keyOfBits(texelFetch(source, ivec2(min(at, push.size - 1u)), 0).x);
  store(0u, at, key);
  return key;
}

void makeFirst(uvec2 at, uvec2 to) {
  int key = max(max(copied(2u * at), copied(2u * at + uvec2(1u, 0u))), max(copied(2u * at + uvec2(0u, 1u)), copied(2u * at + 1u)));
  tile[to.y][to.x] = key;
  store(1u, at, key);
}

void makeNext(uint k, uvec2 here) {
  uint apart = kDefect == kOverwrite ? 1u : 1u << (k - 2u);
  uvec2 from = 2u * apart * here, next = from + apart * uvec2(greaterThan(levelSize(k - 1u), uvec2(1u)));
  int key = max(max(tile[from.y][from.x], tile[from.y][next.x]), max(tile[next.y][from.x], tile[next.y][next.x]));
  uvec2 to = kDefect == kOverwrite ? here : from;
  tile[to.y][to.x] = key;
  store(k, gl_WorkGroupID.xy * (64u >> k) + here, key);
}

bool isLastRelaxed() {
  barrier();
  if (gl_LocalInvocationIndex == 0u) last = atomicAdd(counters.finished[0], 1u) + 1u == push.groups;
  barrier();
  return last;
}

int levelKey(uint level, uvec2 at) {
  return keyOf(imageLoad(levels[level], ivec2(min(at, levelSize(level) - 1u))).x);
}

// One invocation makes level l above 6.
void makeRest(uint l) {
  uvec2 end = levelSize(l);
  if (l >= push.levels) return;
  for (uint y = 0u; y < end.y; ++y)
    for (uint x = 0u; x < end.x; ++x) {
      uvec2 from = 2u * uvec2(x, y);
      int key = max(levelKey(l - 1u, from), levelKey(l - 1u, from + uvec2(1u, 0u)));
      key = max(key, max(levelKey(l - 1u, from + uvec2(0u, 1u)), levelKey(l - 1u, from + 1u)));
      imageStore(levels[l], ivec2(x, y), vec4(depthOf(key)));
    }
}

void makeLevel(uint k) {
  barrier();
  uvec2 here = gl_LocalInvocationID.xy;
  if (all(lessThan(here, uvec2(64u >> k)))) makeNext(k, here);
}

void main() {
  uvec2 here = gl_LocalInvocationID.xy;
  for (uint j = 0u; j < 2u; ++j)
    for (uint i = 0u; i < 2u; ++i) makeFirst(32u * gl_WorkGroupID.xy + 2u * here + uvec2(i, j), 2u * here + uvec2(i, j));
  makeLevel(2u);
  makeLevel(3u);
  makeLevel(4u);
  makeLevel(5u);
  makeLevel(6u);
  if (push.levels <= 7u) return;
  bool isLast = kDefect == kRelaxed ? isLastRelaxed() : isLastWorkgroup(gl_LocalInvocationIndex == 0u);
  if (!isLast || gl_LocalInvocationIndex != 0u) return;
  makeRest(7u);
  makeRest(8u);
}
