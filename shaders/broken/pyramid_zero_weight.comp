// broken/pyramid-zero-weight: a level in floats where two taps are reduced as three, the last with weight 0 (N7). Codes of 255 are read as
// infinite light, as in a picture of high dynamic range. 0 times infinity is NaN, and is stored as 0.
// Smallest: 2x1 of 255: 0 instead of 255.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "pyramid_exact.glsl"

vec4 lightAt(uvec2 at) {
  uvec4 codes = unpacked(readBase(min(at, push.size - 1u)));
  return mix(vec4(codes) / 255.0, vec4(uintBitsToFloat(0x7f800000u)), equal(codes, uvec4(255u)));
}

void main() {
  uint x = gl_GlobalInvocationID.x, size = push.size.x, n = size / 2u;
  if (x >= n) return;
  bool odd = (size & 1u) != 0u;
  float unit = 1.0 / float(size);
  vec3 weight = odd ? unit * vec3(n - x, n, x + 1u) : vec3(0.5, 0.5, 0.0);
  precise vec4 mean = weight.x * lightAt(uvec2(2u * x, 0u)) + weight.y * lightAt(uvec2(2u * x + 1u, 0u)) + weight.z * lightAt(uvec2(2u * x + 1u + uint(odd), 0u));
  STORE(1, uvec2(x, 0u), packed(uvec4(clamp(mean, 0.0, 1.0) * 255.0 + 0.5)));
}
