// -- determinant and inverse of matrices of halves: each scalar is the exact one, rounded once
// differs lavapipe: products in another order, rounded to halves each (Mesa 22.3.6)
// buffer 0 f16: 0x39e6 0x3dce 0x3f16 0x414f
// buffer 0 f16: 0x3dc2 0x4111 0xc1a7 0xb29a
// buffer 0 f16: 0x4152 0x3b27 0x40d0 0xc0a4 0xb1f0 0xbe15 0x3433 0x3719 0xc1d8
// buffer 0 f16: 0xbecc 0xbd4b 0x40ff 0x3e61 0xc016 0x3f22 0xc056 0x39a3 0xc07b
// buffer 0 f16: 0xc1fb 0x4075 0xbef9 0xbed4 0x41ca 0x4078 0xbd0f 0x418a 0x3388 0x3c45 0xbf16 0x414b 0x3c93 0x4199 0x40ba 0xbcd4
// buffer 0 f16: 0xbaaa 0xc002 0xc040 0xc138 0xbcc4 0x38f3 0xc1f6 0x3c45 0xbbc8 0xbc90 0x3fa5 0xaf65 0xbc6c 0xaf36 0x3ce9 0xc151
// buffer 1 poison: 128
// expect 1 f16: definition
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 2) in;
layout(binding = 0, scalar) buffer A { f16mat2 a2[2]; f16mat3 a3[2]; f16mat4 a4[2]; };
struct R2 { float16_t d; f16mat2 i; };
struct R3 { float16_t d; f16mat3 i; };
struct R4 { float16_t d; f16mat4 i; };
layout(binding = 1, scalar) buffer B { R2 r2[2]; R3 r3[2]; R4 r4[2]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  f16mat2 m2 = a2[i] * float16_t(1);
  r2[i].d = determinant(m2);
  r2[i].i = inverse(m2);
  f16mat3 m3 = a3[i] * float16_t(1);
  r3[i].d = determinant(m3);
  r3[i].i = inverse(m3);
  f16mat4 m4 = a4[i] * float16_t(1);
  r4[i].d = determinant(m4);
  r4[i].i = inverse(m4);
}
