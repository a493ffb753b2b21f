// buffer 0 poison: 256
// groups 1 1 1
// expect 0 u32: definition
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint acc = 0, last = 99;
  for (uint i = 0; i < 10; ++i) {
    if ((l + i) % 5 == 3) continue;
    for (uint j = 0; j < l % 7 + 1; ++j) {
      if (j == 4 && (l & 1) == 1) break;
      if ((j + i) % 3 == 1) continue;
      acc = acc * 3 + i * 7 + j;
      last = j;
    }
    if (i > l % 11) break;
    acc ^= i << 4;
  }
  o[l] = acc * 101 + last;
}
