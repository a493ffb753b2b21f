// buffer 0 poison: 1024
// expect 0 u32: definition
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uvec4 o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint i = 0, uniformly = 1, before = 5, half_ = 0;
  while (true) {
    uniformly = uniformly * 2 + 1;
    before = i;
    if (i >= l % 9) break;
    half_ = uniformly >> 1;
    ++i;
  }
  uint k = 0, t = uniformly;
  do {
    t = t * 5 + k;
    ++k;
    if ((t & 7) == 1) break;
  } while (k < 6 + (l & 3));
  o[l] = uvec4(i, uniformly, before * 1000 + half_, t ^ k);
}
