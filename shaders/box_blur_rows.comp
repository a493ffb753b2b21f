// The horizontal pass of box-blur/double/scan-slide: a group makes a tile of a row from prefix sums in workgroup memory, so that each texel
// is read once (at a tile's ends twice) by neighbouring invocations. A window's sum is the difference of two prefix sums.
// Two channels share a word, 16 bits each: prefix sums spill from the lower into the upper half and wrap, but the difference of two is right
// modulo 2^32, and a window's sums fit 16 bits for radii up to 128.
//
// Barriers: the texels are in memory before invocations add up runs of them; the subgroups' totals before they are read; the prefix sums
// before differences are taken. The order of invocations is that of subgroups and their lanes, whatever local index these have; the group's
// size is a multiple of every subgroup size, so none is partly filled.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require

const int kInvocations = 256;
const int kTile = 4 * kInvocations;
const int kMaxRadius = 128;
layout(local_size_x = kInvocations) in;

#include "box_blur.glsl"

shared uvec2 prefix[kTile + 2 * kMaxRadius + 1];
shared uvec2 totals[kInvocations];

// Replaces count elements by their prefix sums, each with its own element.
void scanTile(int me, int count) {
  int run = (count + kInvocations - 1) / kInvocations;
  int begin = min(me * run, count), end = min(begin + run, count);
  uvec2 sum = uvec2(0u);
  for (int i = begin; i < end; ++i) {
    sum += prefix[i];
    prefix[i] = sum;
  }
  uvec2 before = subgroupExclusiveAdd(sum);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) totals[gl_SubgroupID] = before + sum;
  barrier();
  for (uint s = 0u; s < gl_SubgroupID; ++s) before += totals[s];
  for (int i = begin; i < end; ++i) prefix[i] += before;
  barrier();
}

void main() {
  int me = int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
  int line = int(gl_WorkGroupID.y), start = int(gl_WorkGroupID.x) * kTile;
  int window = 2 * push.radius + 1, count = kTile + window;
  for (int i = me; i < count; i += kInvocations) {
    SUM texel = readTexel(line, start - push.radius - 1 + i);
    prefix[i] = texel.rg | texel.ba << 16;
  }
  barrier();
  scanTile(me, count);
  for (int i = me; i < min(kTile, lineLength() - start); i += kInvocations) {
    uvec2 sum = prefix[i + window] - prefix[i];
    writeMean(texelAt(line, start + i), uvec4(sum & 0xffffu, sum >> 16));
  }
}
