// broken/pyramid-filtered: the mean of 2x2 texels by one filtered sample at their corner (2x + 1) / size (N6). The quotient is rounded, so
// the sample may lie a little before the corner. A device that truncates weights to eight bits then takes 127/256 for 1/2.
// Smallest on such a device: 44 texels wide; 6 where the quotient is truncated as well.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "pyramid_exact.glsl"

layout(set = 0, binding = 3) uniform sampler2D base;  // linear, normalized coordinates

void main() {
  uvec2 at = uvec2(gl_GlobalInvocationID.x, gl_WorkGroupID.y);
  if (at.x >= push.size.x / 2u) return;
  precise vec2 corner = vec2(2u * at + 1u) / vec2(push.size);
  uvec4 sum = uvec4(4.0 * 255.0 * textureLod(base, corner, 0.0) + 0.5);
  STORE(1, at, packed((sum + 2u) >> 2));
}
