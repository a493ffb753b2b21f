// The horizontal pass of box-blur/double/scan-slide: a group makes a tile of a row from prefix sums in workgroup memory, so that each texel
// is read once (at a tile's ends twice) by neighbouring invocations. A window's sum is the difference of two prefix sums (box_blur_words.glsl).
// Each invocation adds up a run of five texels; an odd stride keeps the banks apart. Workgroup memory is the texels' words first, then their
// sums in the same places: 10 KB, and less is faster, because it decides how many groups an NVIDIA GPU keeps at a time.
//
// Barriers: the texels are in memory before invocations add up runs of them; the subgroups' totals before they are read; the prefix sums
// before differences are taken. The order of invocations is that of subgroups and their lanes, whatever local index these have; the group's
// size is a multiple of every subgroup size, so none is partly filled.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

const int kInvocations = 256;
const int kRun = 5;
const int kTile = 4 * kInvocations;  // and 2 * 127 + 2 texels for its windows: five an invocation
layout(local_size_x = kInvocations) in;

#define UNROLL 5
#include "box_blur_words.glsl"
#include "repeat.glsl"

shared uvec2 prefix[kRun * kInvocations];
shared uvec2 totals[kInvocations];

// The sum of all runs up to this invocation's.
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
