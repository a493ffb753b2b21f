// -- the xor of one value turned in several ways, which the interpreter executes as one operation, and others
// buffer 0 u32: 0x80000001 0x12345678 0xbadf00d 0xdeadbeef
// buffer 1 u32: 0x1 0xff00ff 0xffffffff 0x7
// buffer 2 poison: 160
// -- of each invocation: three rotations; two and a shift to the right; a shift to the left and two; the value
// -- and two; two rotations; a rotation and a shift; then others: the value and one; two values; one more value; an
// -- xor that two use
// expect 2 u32: definition
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
