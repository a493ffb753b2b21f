// pyramid/mean2x2/multipass: one level from the level below it, one invocation per texel, with z as the layer. A barrier between dispatches
// orders the levels.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0, r32ui) uniform readonly restrict uimage2DArray below;
layout(set = 0, binding = 1, r32ui) uniform writeonly restrict uimage2DArray target;
layout(push_constant) uniform Push {
  uvec2 size;  // of the level below
  uint reduction;
} push;

#define REDUCTION push.reduction
#include "spd_codes.glsl"

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(at, max(push.size / 2u, uvec2(1u))))) return;
  ivec4 p = ivec4(min(2u * at, push.size - 1u), min(2u * at + 1u, push.size - 1u));
  int l = int(gl_GlobalInvocationID.z);
  uint r = reduceCodes(imageLoad(below, ivec3(p.xy, l)).x, imageLoad(below, ivec3(p.zy, l)).x, imageLoad(below, ivec3(p.xw, l)).x,
                       imageLoad(below, ivec3(p.zw, l)).x);
  imageStore(target, ivec3(at, l), uvec4(r));
}
