// The horizontal pass of box-blur/double/scan-slide: a workgroup makes a tile of a row from prefix sums in workgroup memory. Neighbouring
// invocations read each texel once, and those at the ends of a tile twice. A window's sum is the difference of two prefix sums
// (box_blur_words.glsl). Each invocation adds up five texels in a row; the odd stride keeps them in different banks. Workgroup memory first
// holds the texels' words, then their sums in the same place: 10 KB. Less is faster: an NVIDIA GPU then keeps more workgroups.
//
// Barriers: the texels are in memory before invocations add them up, the subgroups' totals before they are read, and the prefix sums before
// differences are taken. Invocations are numbered by subgroup and lane, whatever their local index. The workgroup's size is a multiple of
// every subgroup size, so every subgroup is full.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

const int kInvocations = 256;
const int kRun = 5;
const int kTile = 4 * kInvocations;  // with the 2 * 127 + 2 more for its windows: five per invocation
layout(local_size_x = kInvocations) in;

#define UNROLL 5
#include "box_blur_words.glsl"
#include "repeat.glsl"

shared uvec2 prefix[kRun * kInvocations];
shared uvec2 totals[kInvocations];

// The sum over this invocation's texels and those of all invocations before it.
uvec2 scanOf(uvec2 sum) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    uvec2 before = subgroupShuffleUp(sum, distance);
    if (gl_SubgroupInvocationID >= distance) sum += before;
  }
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) totals[gl_SubgroupID] = sum;
  barrier();
  for (uint s = 0u; s < gl_SubgroupID; ++s) sum += totals[s];
  return sum;
}

void main() {
  int me = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
  int line = int(gl_WorkGroupID.y), start = int(gl_WorkGroupID.x) * kTile;
  int window = 2 * push.radius + 1, count = kTile + window, first = start - push.radius - 1;
  uint taken[kRun];
#define PLACE(t) (me + (t) * kInvocations)
#define TAKE(t) taken[t] = PLACE(t) < count ? readRow(first + PLACE(t), line) : 0u;
#define KEEP(t) prefix[PLACE(t)].x = taken[t];
  EACH(TAKE)
  EACH(KEEP)
  barrier();
  int begin = kRun * me;
  uvec2 sum = uvec2(0u), sums[kRun];
#define ADD(t)                            \
  sum += pairsOf(prefix[begin + t].x); \
  sums[t] = sum;
  EACH(ADD)
  uvec2 before = scanOf(sum) - sum;
#define STORE(t) prefix[begin + t] = before + sums[t];
  EACH(STORE)
  barrier();
  for (int i = me; i < min(kTile, push.size.x - start); i += kInvocations)
    imageStore(target, ivec2(start + i, line), uvec4(meansOf(prefix[i + window] - prefix[i])));
}
