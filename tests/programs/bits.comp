// buffer 0 u32: 0 1 0x80000000 0xffffffff 0x12345678 0xf0f0f0f0 255 0x7fffffff
// buffer 1 poison: 640
// expect 1 u32: 0 0 3*4294967295 0 0 511 4294967295 0 1 1 7*0 5 1 2147483648 5*0 481 305419897 0 3989547401 1 0 305419896 0 305419896 0 2 305419897 6 1 1 31 31 30 0 0 2147487488 1894838512 1 2400128784 1 2021161080 0 126322568 0 3758096384 0 1894838512 4 32 4294967295 0 31 4294967295 127 4294967295 4294950911 254 1 4294967040 0 254 4294967041 4294967295 4294967041 4294967295 4294967288 0 8 13 510274632 3 28 28 103 4294967271 305528696 2452903543 0 2452903545 1 152709947 3989547400 152709947 3989547400 19088743 591751040 1842063751 18 16 252645135 4 31 27 7 7 4042260720 4042322160 0 4042322160 5*0 4287072135 505290240 0 4 8 4278190080 0 7 7 3 3 4351 256 0 254 0 0 255 0 255 3 16320 254 18 31 4294967294 0 30 30 127 4294967295 2139111423 4294967295 0 4294967295 1 1073741823 2147483648 3221225472 2147483648 16777215 4294967168 0 18
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
