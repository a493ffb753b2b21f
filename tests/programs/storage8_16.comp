// buffer 0 i8: 1 -2 127 -128 55 -7 0 99
// buffer 1 u16: 1 65535 32768 7 300 40000 0 12345
// buffer 2 poison: 64
// buffer 3 poison: 128
// buffer 4 f16: 0x3c00 0xc000 0x7bff 0x0001 0x3555 0x7c00 0x8000 0x4248
// buffer 5 poison: 64
// expect 2 i8: definition
// expect 3 u16: definition
// expect 5 f16: definition
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { int8_t a[]; };
layout(binding = 1) buffer B { uint16_t b[]; };
layout(binding = 2) buffer C { int8_t c[]; };
layout(binding = 3) buffer D { uint16_t d[]; };
layout(binding = 4) buffer E { float16_t e[]; };
layout(binding = 5) buffer F { float16_t f[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  int8_t x = a[l], y = a[(l + 1) % 8];
  uint16_t u = b[l], v = b[(l + 3) % 8];
  c[l * 8] = x + y; c[l * 8 + 1] = x * y; c[l * 8 + 2] = x - y; c[l * 8 + 3] = x >> 1; c[l * 8 + 4] = x << 3;
  c[l * 8 + 5] = int8_t(uint8_t(x) >> 2); c[l * 8 + 6] = int8_t(x < y) + max(x, y); c[l * 8 + 7] = int8_t(u);
  d[l * 8] = u + v; d[l * 8 + 1] = u * v; d[l * 8 + 2] = u / (v | 1us); d[l * 8 + 3] = u % (v | 1us); d[l * 8 + 4] = uint16_t(x);
  d[l * 8 + 5] = uint16_t(int16_t(u) >> 3); d[l * 8 + 6] = ~u; d[l * 8 + 7] = uint16_t(int(x) * int(u));
  float16_t p = e[l], q = e[(l + 1) % 8];
  f[l * 4] = p + q; f[l * 4 + 1] = p * q; f[l * 4 + 2] = -p; f[l * 4 + 3] = float16_t(float(u));
}
