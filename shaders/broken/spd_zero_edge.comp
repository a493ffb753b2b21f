// broken/spd-zero-edge (A1): makes one level from the level below it. Texels outside read as zero, so an axis of 1 loses half its value.
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
#include "../spd_codes.glsl"

uint codeAt(uvec2 at) { return all(lessThan(at, push.size)) ? imageLoad(below, ivec3(at, gl_GlobalInvocationID.z)).x : 0u; }

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(at, max(push.size / 2u, uvec2(1u))))) return;
  uint r = reduceCodes(codeAt(2u * at), codeAt(2u * at + uvec2(1u, 0u)), codeAt(2u * at + uvec2(0u, 1u)), codeAt(2u * at + 1u));
  imageStore(target, ivec3(at, gl_GlobalInvocationID.z), uvec4(r));
}
