// buffer 0 i64: 1 -1 5000000000 -5000000000 9223372036854775807 -9223372036854775808 0 123456789012345
// buffer 1 poison: 768
// expect 1 i64: definition
// differs lavapipe-16 from 25.2: values of 64 bits overwrite its stack (Mesa 25.2.8 and 26.2.6)
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { int64_t a[]; };
layout(binding = 1) buffer B { int64_t o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  int64_t x = a[l], y = a[(l + 3) % 8] | 1L;
  uint64_t u = uint64_t(x), v = uint64_t(y);
  uint b = l * 12;
  o[b] = x + y * 3L; o[b + 1] = x - (y << 3);
  o[b + 2] = x / (y | 3L); o[b + 3] = int64_t(u / (v >> 60 | 1ul));
  o[b + 4] = x % 1000L * (x < 0L ? 0L : 1L); o[b + 5] = int64_t(u % 1000ul);
  o[b + 6] = x >> (l * 9); o[b + 7] = int64_t(u >> (l * 9));
  o[b + 8] = min(x, y); o[b + 9] = int64_t(max(u, v));
  o[b + 10] = (x & y) ^ ~x | int64_t(x < y) << 7;
  o[b + 11] = int64_t(int(x)) + int64_t(uint(u >> 32)) + abs(x >> 3);
}
