// broken/pyramid-one-axis: one workgroup per texel, all along x. The result is right, but the dispatch needs more than the 65535 workgroups
// per axis that every device supports (N5). Smallest: 512x512, whose first level has 65536 texels.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 1) in;

#include "pyramid_exact.glsl"

void main() {
  uint across = push.size.x / 2u;
  uvec2 at = uvec2(gl_WorkGroupID.x % across, gl_WorkGroupID.x / across), b = 2u * at;
  STORE(1, at, reduceQuad(readBase(b), readBase(b + uvec2(1u, 0u)), readBase(b + uvec2(0u, 1u)), readBase(b + uvec2(1u, 1u))));
}
