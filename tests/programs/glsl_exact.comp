// buffer 0 f32: 0 -0.0 1 -1 0.5 -0.5 1.5 2.5 -2.5 1e30 -1e30 3.7 -3.7 0.1 100.25 8388609 16777216 1e-30 inf -inf 7 0.49999997 -1.5 255
// buffer 1 poison: 1440
// expect 1 f32: definition
// differs lavapipe-16 without avx512f: floor, ceil, trunc and roundEven go through integers (tests/gpu/lavapipe_rounding.h)
#version 460
layout(local_size_x = 24) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  float x = a[l], y = a[(l * 7 + 5) % 24];
  uint b = l * 15;
  o[b] = floor(x); o[b + 1] = ceil(x); o[b + 2] = trunc(x); o[b + 3] = roundEven(x); o[b + 4] = abs(x); o[b + 5] = sign(x);
  o[b + 6] = step(x, y); o[b + 7] = isnan(x) ? 1 : isinf(x) ? 2 : 3; o[b + 8] = float(x < y) + float(x <= y) * 2 + float(x == y) * 4 + float(x != y) * 8;
  o[b + 9] = uintBitsToFloat(floatBitsToUint(x) ^ 0x80000000u); o[b + 10] = isinf(x) ? 0 : ldexp(x, int(l) - 12);
  int e; float s = isinf(x) ? 0 : frexp(x, e); o[b + 11] = s; o[b + 12] = isinf(x) ? 0 : float(e);
  float w; float f = isinf(x) ? 0 : modf(abs(x), w); o[b + 13] = f; o[b + 14] = clamp(x, -1.0, 2.0);
}
