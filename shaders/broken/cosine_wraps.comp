// broken/cosine-wraps: the sums of the cosine in 32 bits, as published (P5): products and sums wrap.
// Smallest: [65536] . [65536]: every sum is 0 instead of 2^32, and the cosine is 0 / 0. [65537] . [1]: the cosine would be 181.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"

layout(set = 0, binding = 0) restrict readonly buffer First { uint a[]; };
layout(set = 0, binding = 1) restrict readonly buffer Second { uint b[]; };
layout(set = 0, binding = 2) restrict buffer Totals { uint words[12]; } totals;

void main() {
  uvec2 at = texelHere();
  if (!isInside(at)) return;
  atomicAdd(totals.words[0], a[at.x] * b[at.x]);  // the defect: the high halves are lost
  atomicAdd(totals.words[4], a[at.x] * a[at.x]);
  atomicAdd(totals.words[8], b[at.x] * b[at.x]);
}
