// -- operations that come together, which the interpreter executes as one, and others that it does not
// buffer 0 u32: 0x80000001 0x12345678 0xbadf00d 0xdeadbeef
// buffer 1 u32: 0x1 0x12345678 0xfff0000f 0xbadf00d
// buffer 2 u32: 0xff00ff 0xffffffff 0x7 0x80000000
// buffer 3 poison: 336
// buffer 4 poison: 448
// -- of each invocation: sums with shifts, products and conjunctions; or, and, xor with shifts; rotations; selections by comparisons;
// -- functions of three by bits; a difference, and a shift that two use
// expect 3 u32: 9 0x4000001 0x80ff0100 0xff0100 0x80ff0101 0x101 0 0x2001 0x4001 0xc1 0x6ef3703c 0x80000001
// expect 3 u32: 0x80000001 0xff00ff 0x80000001 0xff00ff 1 0x80ff00ff 0x7ffffffe 0xf 0x14
// expect 3 u32: 0xa3d70a38 0x12c5f92b 0x1df4d83f 0x340077 0x2468acef 0x36767e78 0x204460 0x98fb5678
// expect 3 u32: 0x12345f62 0x81f6a71 0x65f8318 0xffffffff 0x12345678 0xffffffff 0x12345678 0xffffffff
// expect 3 u32: 0x12345678 0xffffffff 0xedcba987 0x11111108 0x5720e500
// expect 3 u32: 0x5d5f8077 0x4d6f8f 0xae6110ca 0xad0014 0xb9df023 0xfff00d0f 0xb00000 0x41f1a00f 0xfff005d9
// expect 3 u32: 0x2908068a 0x3513692b 0xbadf00d 7 0xfff0000f 7 0xba0000f 0xba0000f 0xf45df005 0x20ff2
// expect 3 u32: 0xbaef00c1 0xc42a4d9c
// expect 3 u32: 0x11be785 0x12a35e04 0xfe55c223 0x80ad00ef 0x6a5baefc 0xafbfff0d 0x9a8d00c 0xbc70100d
// expect 3 u32: 0xbad9f5b 0x5d7287e2 0x358eac81 0xdeadbeef 0xdeadbeef 0x80000000 0xdeadbeef 0xaadb00d
// expect 3 u32: 0x8aadb00d 0x55004ee2 0x20520110 0xdf2dfee3 0x10313a9c
// -- of each invocation, in 64 bits: sums; or, and, xor with shifts; selections; a majority by bits; a product of halves
// expect 4 u64: 0xff010100000001 0xff00ff00001801 0xff010180ff0100 0x8000000200ff0100 0x80ff010180ff0101
// expect 4 u64: 0xff01ff00000001 0 0xff00fc00000003 0xff00ff00000001 0x180000001 0x8000000100ff00ff
// expect 4 u64: 0x8000000100ff00ff 0x100000001 0x7f807f80ff00ff
// expect 4 u64: 0x2468acef12345678 0x122579bd79b 0x1f403f1d1df4d83f 0x123456f100340077 0x2468acf02468acef
// expect 4 u64: 0xffffffff12345678 0x91a2b10001228 0xdb97530f365cfa88 0xffffffff123452f5 0x1234567812345678
// expect 4 u64: 0x12345678ffffffff 0xffffffff12345678 0x1234567812345678 0x12345677edcba988
// expect 4 u64: 0x175be021fff0000f 0x1006fff0f0c9 0x673cb677ae6110ca 0xbadf01c00ad0014 0xb9df0240b9df023
// expect 4 u64: 0xadf00d07fff0000f 0x7800008 0xffe00019e8abe015 0x7fff03ff3 0xfff0000f0badf00d
// expect 4 u64: 0xfff0000f0badf00d 0xbadf00d00000007 0xba0000f0ba0000f 0x51c1905b
// expect 4 u64: 0x3d5b7dde0badf00d 0x800000baeaaecdf7 0xd980e304fe55c223 0xdeadbefc80ad00ef
// expect 4 u64: 0x6a5baefd6a5baefc 0xadbeef000badf00d 0x2ad500d 0x975be01bb6f68dd3 0x800000000badf2e6
// expect 4 u64: 0xbadf00ddeadbeef 0xdeadbeef80000000 0x800000000badf00d 0x8aadb00d8aadb00d 0x6f56df7780000000
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer X { uint xs[]; };
layout(binding = 1) buffer Y { uint ys[]; };
layout(binding = 2) buffer Z { uint zs[]; };
layout(binding = 3) buffer O { uint o[]; };
layout(binding = 4) buffer W { uint64_t w[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = xs[i], y = ys[i], z = zs[i], at = 21 * i, wide = 14 * i;
  uint both = x ^ 0x9e3779b9u, four = x << 2;
  uint64_t p = packUint2x32(uvec2(x, y)), q = packUint2x32(uvec2(y, z)), r = packUint2x32(uvec2(z, x));
  o[at] = (x << 3) + y;
  o[at + 1] = y + (x >> 5);
  o[at + 2] = x * y + z;
  o[at + 3] = (x & 0xff00ffu) + z;
  o[at + 4] = x + y + z;
  o[at + 5] = y | x << 8;
  o[at + 6] = x >> 4 & y;
  o[at + 7] = x << 13 ^ y;
  o[at + 8] = x >> 17 ^ y;
  o[at + 9] = (x << 7 | x >> 25) ^ y;
  o[at + 10] = both << 9 | both >> 23;
  o[at + 11] = x == y ? z : x;
  o[at + 12] = x < y ? z : x;
  o[at + 13] = x >= y ? z : y;
  o[at + 14] = int(x) > int(y) ? z : x;
  o[at + 15] = (x & y) ^ (~x & z);
  o[at + 16] = (x & y) ^ (x & z) ^ (y & z);
  o[at + 17] = x ^ y ^ z;
  o[at + 18] = ~(x | (y & ~z));
  o[at + 19] = (x << 4) - y;
  o[at + 20] = four * (four + y);
  w[wide] = (p << 33) + q;
  w[wide + 1] = q + (p >> 20);
  w[wide + 2] = p * q + r;
  w[wide + 3] = (p & 0xff00ff00ffUL) + r;
  w[wide + 4] = p + q + r;
  w[wide + 5] = p << 40 | q;
  w[wide + 6] = p >> 9 & q;
  w[wide + 7] = p << 1 ^ q;
  w[wide + 8] = p >> 50 ^ q;
  w[wide + 9] = p == q ? r : p;
  w[wide + 10] = p < q ? r : p;
  w[wide + 11] = int64_t(p) <= int64_t(q) ? r : q;
  w[wide + 12] = (p & q) ^ (p & r) ^ (q & r);
  w[wide + 13] = (p & 0xffffffffUL) * (q >> 32);
}
