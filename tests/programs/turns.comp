// -- the xor of one value turned in several ways, which the interpreter executes as one operation, and others
// buffer 0 u32: 0x80000001 0x12345678 0xbadf00d 0xdeadbeef
// buffer 1 u32: 0x1 0xff00ff 0xffffffff 0x7
// buffer 2 poison: 160
// -- of each invocation: three rotations; two and a shift to the right; a shift to the left and two; the value
// -- and two; two rotations; a rotation and a shift; then others: the value and one; two values; one more value; an
// -- xor that two use
// expect 2 u32: 0x63000c0 0x13006000 0xc0000218 0x80030301 0xc00030
// expect 2 u32: 0xe 0x80000181 0x1820 4 0x48000000
// expect 2 u32: 0x3561abda 0xe7fce6ee 0x42f3bcbd 0xd6688234 0x7a83d529
// expect 2 u32: 0x91a2b3c0 0x26622e6a 0xf7b220e7 0x6c46f5ef 0x93775b30
// expect 2 u32: 0xe377c4fb 0x6761a70a 0x64e9e2d6 0xb057fd41 0x733bd759
// expect 2 u32: 0x5d6f8068 0xa65dfd06 0xcb832c07 0xc613dfd1 0x2d079d8
// expect 2 u32: 0x345e14a3 0xabd31b0b 0x5ef0ef8a 0xf80fdc09 0xa2588b24
// expect 2 u32: 0xf56df77d 0x73135131 0x708147dd 0xc7ed8667 0x6558f5c8
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer X { uint xs[]; };
layout(binding = 1) buffer Y { uint ys[]; };
layout(binding = 2) buffer O { uint o[]; };
uint left(uint x, int n) { return x << n | x >> 32 - n; }
uint right(uint x, int n) { return x >> n | x << 32 - n; }
void main() {
  uint i = gl_LocalInvocationIndex, x = xs[i], y = ys[i], at = 10 * i;
  uint two = right(x, 2) ^ right(x, 13);
  o[at] = right(x, 6) ^ right(x, 11) ^ right(x, 25);
  o[at + 1] = right(x, 7) ^ right(x, 18) ^ x >> 3;
  o[at + 2] = x << 9 ^ (left(x, 4) ^ left(x, 31));
  o[at + 3] = x ^ left(x, 9) ^ left(x, 17);
  o[at + 4] = left(x, 5) ^ right(x, 9);
  o[at + 5] = left(x, 3) ^ x >> 30;
  o[at + 6] = left(x, 8) ^ x;
  o[at + 7] = left(x, 6) ^ left(y, 6) ^ left(x, 12);
  o[at + 8] = left(x, 1) ^ left(x, 2) ^ y;
  o[at + 9] = two * (two ^ left(x, 10));
}
