// broken/spd-one-tile, -barrier, -relaxed: AMD's single pass, each with one defect of the last workgroup:
//
//   one tile  A2: it takes 64x64 texels of level 6 and leaves the rest, but pictures with sides above 4096 have more
//   barrier   A3: the barriers order only workgroup memory, not the pictures: edge b of spd.glsl is missing
//   relaxed   A4: the counter's atomic orders nothing: edge a is missing
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require

#define NUMBER gl_LocalInvocationIndex
#include "../spd_exact.glsl"

const uint kOneTile = 1u, kBarrier = 2u, kRelaxed = 3u;
layout(constant_id = 4) const uint kDefect = kOneTile;

void groupBarrier() {
  if (kDefect == kBarrier)
    tileBarrier();
  else
    tailBarrier();
}

bool isLast() {
  if (kDefect == kOneTile) return isLastWorkgroup(NUMBER == 0u);
  groupBarrier();
  if (gl_LocalInvocationIndex == 0u) {
    uint before = kDefect == kRelaxed ? atomicAdd(counters.finished[0], 1u)
                                      : atomicAdd(counters.finished[0], 1u, gl_ScopeDevice,
                                                  gl_StorageSemanticsBuffer | gl_StorageSemanticsImage, kEdge);
    last = before + 1u == push.groups;
  }
  groupBarrier();
  return last;
}

void main() {
  reduceTile(0u, gl_WorkGroupID.xy);
  if (push.levels > 7u && isLast()) reduceTile(6u, uvec2(0u));
}
