// photo/fingerprint/workgroup: each workgroup counts its tile in 8 KiB of workgroup memory, then adds the counts above 0 to the histogram.
// An invocation takes kTexels texels below one another, a workgroup's height apart. The more it takes, the fewer global atomics are needed
// per texel.
// Barriers: the first orders the zeros before the counts, the second the counts before they are read. Both are on workgroup memory.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"
#include "fingerprint.glsl"

layout(constant_id = 3) const uint kTexels = 1u;

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1) restrict buffer Histogram { uint counts[kBuckets]; } histogram;

shared uint mine[kBuckets];

void main() {
  for (uint i = gl_LocalInvocationIndex; i < kBuckets; i += groupInvocations()) mine[i] = 0u;
  barrier();
  uvec2 at = push.origin + gl_WorkGroupID.xy * uvec2(gl_WorkGroupSize.x, gl_WorkGroupSize.y * kTexels) + gl_LocalInvocationID.xy;
  for (uint i = 0u; i < kTexels; ++i) {
    if (isInside(at)) atomicAdd(mine[bucketOf(imageLoad(source, ivec2(at)), at, push.size)], 1u);
    at.y += gl_WorkGroupSize.y;
  }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < kBuckets; i += groupInvocations())
    if (mine[i] != 0u) atomicAdd(histogram.counts[i], mine[i]);
}
