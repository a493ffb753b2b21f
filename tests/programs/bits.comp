// buffer 0 u32: 0 1 0x80000000 0xffffffff 0x12345678 0xf0f0f0f0 255 0x7fffffff
// buffer 1 poison: 640
// expect 1 u32: definition
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint x = a[l], y = a[(l + 3) % 8];
  uint b = l * 20;
  uint carry, hi, lo; int shi, slo;
  o[b] = bitCount(x); o[b + 1] = bitfieldReverse(x); o[b + 2] = findLSB(x); o[b + 3] = findMSB(x); o[b + 4] = findMSB(int(x));
  o[b + 5] = bitfieldExtract(x, int(l), 7); o[b + 6] = bitfieldExtract(int(x), int(l), 7); o[b + 7] = bitfieldInsert(x, y, int(l) * 2, 9);
  o[b + 8] = uaddCarry(x, y, carry); o[b + 9] = carry; o[b + 10] = usubBorrow(x, y, carry); o[b + 11] = carry;
  umulExtended(x, y, hi, lo); o[b + 12] = hi; o[b + 13] = lo; imulExtended(int(x), int(y), shi, slo); o[b + 14] = shi; o[b + 15] = slo;
  o[b + 16] = uint(int(x) >> l); o[b + 17] = x << l; o[b + 18] = uint(min(int(x), int(y))) ^ max(x, y); o[b + 19] = uint(clamp(int(x), -5, 9)) + clamp(x, 5u, 9u);
}
