// photo/fingerprint/global: one invocation per texel, and one atomic per texel on the histogram itself.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"
#include "fingerprint.glsl"

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1) restrict buffer Histogram { uint counts[kBuckets]; } histogram;

void main() {
  uvec2 at = texelHere();
  if (isInside(at)) atomicAdd(histogram.counts[bucketOf(imageLoad(source, ivec2(at)), at, push.size)], 1u);
}
