// photo/saturation-sums: for each m in 0..255 the sum of max - min over the texels whose max is m. The mean saturation is the sum of
// sums[m] / m divided by the number of texels. The host computes it as a fraction; nothing is rounded here.
// A workgroup's sums fit 32 bits (255 * 1024 at most). Barriers order them as in photo_fingerprint_workgroup.comp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"
#include "saturation.glsl"
#include "sums.glsl"

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;

shared uint mine[256];

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 256u; i += groupInvocations()) mine[i] = 0u;
  barrier();
  uvec2 at = texelHere();
  if (isInside(at)) {
    uvec2 part = saturationOf(imageLoad(source, ivec2(at)));
    atomicAdd(mine[part.y], part.x);
  }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 256u; i += groupInvocations())
    if (mine[i] != 0u) addToSum(i, mine[i]);
}
