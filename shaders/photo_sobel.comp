// photo/sobel: the magnitude of the Sobel gradient of a texel's luma, and two sums for its mean and variance: sum 0 is of the magnitudes,
// sum 1 of their squares.
// All in integers. The device's square root is only a first guess, which an exact comparison corrects. (It may be off by 2 ulp. Arguments
// are below 2^21, so it is off by less than 1.) A workgroup's sums fit 32 bits: 1443^2 * 1024 < 2^31.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"
#include "sums.glsl"

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 2, r16ui) uniform writeonly restrict uimage2D target;

shared uint mine[2];

int lumaAt(ivec2 at) {
  uvec4 texel = imageLoad(source, clamp(at, ivec2(0), ivec2(push.size) - 1));
  return int((299u * texel.r + 587u * texel.g + 114u * texel.b + 500u) / 1000u);
}

// The integer nearest to the square root. The root of an integer is never halfway between two.
uint roundedRoot(uint n) {
  uint root = uint(sqrt(float(n)));
  if (root * root > n) --root;
  if ((root + 1u) * (root + 1u) <= n) ++root;
  return n - root * root > root ? root + 1u : root;
}

uint magnitudeAt(ivec2 at) {
  int a = lumaAt(at + ivec2(-1, -1)), b = lumaAt(at + ivec2(0, -1)), c = lumaAt(at + ivec2(1, -1));
  int d = lumaAt(at + ivec2(-1, 0)), f = lumaAt(at + ivec2(1, 0));
  int g = lumaAt(at + ivec2(-1, 1)), h = lumaAt(at + ivec2(0, 1)), i = lumaAt(at + ivec2(1, 1));
  int right = c + 2 * f + i - (a + 2 * d + g), down = g + 2 * h + i - (a + 2 * b + c);
  return roundedRoot(uint(right * right + down * down));
}

void main() {
  if (gl_LocalInvocationIndex == 0u) mine[0] = mine[1] = 0u;  // the workgroup in a corner may have only one invocation
  barrier();
  uvec2 at = texelHere();
  if (isInside(at)) {
    uint magnitude = magnitudeAt(ivec2(at));
    imageStore(target, ivec2(at), uvec4(magnitude));
    atomicAdd(mine[0], magnitude);
    atomicAdd(mine[1], magnitude * magnitude);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) {
    addToSum(0u, mine[0]);
    addToSum(1u, mine[1]);
  }
}
