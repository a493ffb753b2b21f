// -- operations that come together, which the interpreter executes as one, and others that it does not
// differs lavapipe-16 from 25.2: values of 64 bits overwrite its stack (Mesa 25.2.8 and 26.2.6)
// buffer 0 u32: 0x80000001 0x12345678 0xbadf00d 0xdeadbeef
// buffer 1 u32: 0x1 0x12345678 0xfff0000f 0xbadf00d
// buffer 2 u32: 0xff00ff 0xffffffff 0x7 0x80000000
// buffer 3 poison: 336
// buffer 4 poison: 448
// -- of each invocation: sums with shifts, products and conjunctions; or, and, xor with shifts; rotations; selections by comparisons;
// -- functions of three by bits; a difference, and a shift that two use
// expect 3 u32: definition
// -- of each invocation, in 64 bits: sums; or, and, xor with shifts; selections; a majority by bits; a product of halves
// expect 4 u64: definition
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
