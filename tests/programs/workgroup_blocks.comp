// -- SPV_KHR_workgroup_memory_explicit_layout: blocks that share their bytes, of 8, 16, 32 and 64 bits, a matrix by rows
// model-only: lavapipe has no VK_KHR_workgroup_memory_explicit_layout
// buffer 0 poison: 80
// expect 0 u32: 0 33686018 67372036 101058054
// expect 0 u32: 1 34 67 100
// expect 0 u32: 513 1541 2569 3597
// expect 0 u64: 8589934593 17179869187
// expect 0 f32: 1 2 5 6
#version 460
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
layout(binding = 0, scalar) buffer O { uint o[12]; uint64_t q[2]; float f[4]; };
shared Words { uint w[16]; };
layout(scalar) shared Bytes { uint8_t b[64]; };
layout(scalar) shared Halves { layout(offset = 4) uint16_t h[20]; };
layout(scalar) shared Longs { uint64_t l[4]; };
layout(scalar) shared Matrix { layout(row_major) mat2x4 m; };
void main() {
  uint i = gl_LocalInvocationIndex;
  w[i] = i * 0x02020202u;
  barrier();
  o[i] = w[i];
  uint t = uint(b[i * 4]) / 2;
  barrier();
  b[i] = uint8_t(1 + 33 * t);
  barrier();
  o[4 + i] = (w[0] >> (8 * i)) & 0xff;
  barrier();
  for (uint k = 0; k < 4; ++k) b[4 + i * 4 + k] = uint8_t(i * 4 + k + 1);
  barrier();
  o[8 + i] = uint(h[i * 2]);
  barrier();
  w[i] = i + 1;
  barrier();
  if (i < 2) q[i] = l[i];
  barrier();
  w[2 * i] = floatBitsToUint(float(2 * i + 1));
  w[2 * i + 1] = floatBitsToUint(float(2 * i + 2));
  barrier();
  f[i] = m[i & 1][i >> 1 << 1];
}
