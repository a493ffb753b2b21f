// photo/saturation: (max - min) / max of a texel, 0 for black, as the correctly rounded 32-bit float. No floats are divided, because
// devices differ there. An integer division gives the quotient's 24 bits, its last bit is rounded to even, and the float is put together
// from its bits.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "photo.glsl"
#include "saturation.glsl"

layout(set = 0, binding = 0, rgba8ui) uniform readonly restrict uimage2D source;
layout(set = 0, binding = 1, r32f) uniform writeonly restrict image2D target;

// n / d rounded to nearest, ties to even, for 0 < n <= d <= 255. The shift brings the quotient into [2^23, 2^24). n << shift stays below
// d * 2^24, so it fits 32 bits. A quotient that rounds up to 2^24 carries into the exponent, which is right.
float quotient(uint n, uint d) {
  int apart = findMSB(d) - findMSB(n);
  if ((n << apart) < d) ++apart;
  uint scaled = n << (23 + apart);
  uint q = scaled / d;
  uint rest = 2u * (scaled - q * d);
  if (rest > d || (rest == d && (q & 1u) != 0u)) ++q;
  return uintBitsToFloat((uint(126 - apart) << 23) + q);
}

void main() {
  uvec2 at = texelHere();
  if (!isInside(at)) return;
  uvec2 part = saturationOf(imageLoad(source, ivec2(at)));
  imageStore(target, ivec2(at), vec4(part.x == 0u ? 0.0 : quotient(part.x, part.y)));
}
