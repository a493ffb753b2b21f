// -- Addresses of a workgroup eight invocations wide: in rows, the same in a row, apart, backwards and without order; with all lanes and with
// -- some; of 8, 16, 32 and 64 bits.
// buffer 0 u32: 100..227
// buffer 1 poison: 1792
// buffer 2 u8: 1..128
// buffer 3 poison: 256
// buffer 4 u16: 300..427
// buffer 5 poison: 512
// buffer 6 u64: 0x100000001 0x200000002 0x300000003 0x400000004 0x500000005 0x600000006 0x700000007 0x800000008
// buffer 7 poison: 512
// expect 1 u32: definition
// expect 3 u8: definition
// expect 5 u16: definition
// expect 7 u64: definition
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
layout(binding = 2) buffer C { uint8_t c[]; };
layout(binding = 3) buffer D { uint8_t d[]; };
layout(binding = 4) buffer E { uint16_t e[]; };
layout(binding = 5) buffer F { uint16_t f[]; };
layout(binding = 6) buffer G { uint64_t g[]; };
layout(binding = 7) buffer H { uint64_t h[]; };
void main() {
  uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, i = y * 8 + x;
  o[i] = a[y * 16 + x];                     // rows that are apart
  o[64 + 2 * i] = a[y] + a[i * 2];          // the same in a row; every other one
  o[65 + 2 * i] = a[127 - i];               // backwards
  o[192 + (i * 37 & 63)] = a[i * i & 127];  // without order
  if ((x & 1) == 0) o[256 + y * 8 + x] = a[x];
  else o[256 + y * 8 + x] = a[i * 5 & 127];
  o[320 + y * 16 + x] = x == 7 ? a[0] : a[x * 3];
  o[320 + y * 16 + 8 + x] = i;
  d[y * 16 + x] = uint8_t(c[i] + c[y]);
  d[y * 16 + 15 - x] = c[127 - i];
  d[128 + 2 * i] = c[i * i & 127];
  d[129 + 2 * i] = uint8_t(i);
  f[y * 16 + x] = uint16_t(e[i] + e[y]);
  f[y * 16 + 15 - x] = e[127 - i];
  if (x < 5) f[128 + 2 * i] = e[x];
  else f[128 + 2 * i] = e[y];
  f[129 + 2 * i] = uint16_t(i);
  h[i] = g[x] + g[y];
}
