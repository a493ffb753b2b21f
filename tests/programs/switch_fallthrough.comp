// buffer 0 poison: 256
// expect 0 u32: definition
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint x = 1;
  for (int i = 0; i < 4; ++i) {
    switch (int(l % 8) - 2) {
      case 0: x += 10;
      case 1: x *= 3;
      case 2: x ^= 0x55; break;
      case -1: if (l > 30) break; x += 1000;
      case 3: x = x * 7 + 1; if ((x & 1) == 0) continue; x += 5; break;
      default: x += 2;
      case 5: x -= uint(i);
    }
    x += uint(i) << 3;
  }
  switch (l & 1u) { case 0u: o[l] = x; break; default: o[l] = x + 1u; }
}
