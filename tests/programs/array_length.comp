// buffer 0 u32: 1 2 3 4 5 6 7 8 9 10 11
// buffer 1 poison: 32
// buffer 2 poison: 12
// -- the lengths of arrays that have none in their types: 11 words less the first; 8; 12 bytes of 16 each;
// -- then 2 + ... + 11, and the first word
// expect 1 u32: 10 8 0 65 1 0 0 0
#version 460
layout(local_size_x = 1) in;
struct P { uint a; uvec2 b; };
layout(binding = 0) buffer A { uint h; uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
layout(binding = 2) buffer C { uvec4 big[]; };
void main() {
  o[0] = a.length(); o[1] = o.length(); o[2] = big.length();
  uint sum = 0;
  for (int i = 0; i < a.length(); ++i) sum += a[i];
  o[3] = sum; o[4] = h; o[5] = 0; o[6] = 0; o[7] = 0;
}
