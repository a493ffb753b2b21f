// buffer 0 poison: 512
// expect 0 u32: definition
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uvec2 o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint a = l, b = l * 3 + 1, c = 7;
  double d = l, e = 0.5;
  for (uint i = 0; i < 5 + (l & 3); ++i) {
    uint t = a; a = b; b = c; c = t + i;
    double u = d; d = e; e = u;
    if ((c & 1) == 1) { uint s = a; a = b; b = s; }
  }
  uint p = 1, q = 2;
  for (uint i = 0; i < 7; ++i) { uint t = p; p = q; q = t; }
  o[l] = uvec2(a * 65537 + b * 257 + c + p * 11, uint(d * 2) + uint(e * 2) * 1000 + q);
}
