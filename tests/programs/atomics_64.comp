// buffer 0 u64: 5 100 18446744073709551615 0 65535 0 7
// buffer 1 poison: 16
// -- 5 + 528 * 2^30 (528 is 0 + ... + 32); 2^38; 3; 2^33 - 1; no bit left; 2^25 (32 * 2^20); 2^35
// expect 0 u64: 566935683077 274877906944 3 8589934591 0 33554432 34359738368
// -- 2^40 + 528; 2^40
// expect 1 u64: 1099511628304 1099511627776
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 33) in;
layout(binding = 0) buffer A { uint64_t a[]; };
layout(binding = 1) buffer B { uint64_t o[]; };
shared uint64_t s, t;
void main() {
  uint64_t g = gl_LocalInvocationIndex;
  if (g == 0) { s = 1ul << 40; t = 0; }
  barrier();
  atomicAdd(a[0], g << 30); atomicMax(a[1], g << 33); atomicMin(a[2], g + 3); atomicOr(a[3], 1ul << g); atomicAnd(a[4], ~(1ul << g));
  atomicXor(a[5], g << 20); atomicCompSwap(a[6], 7ul, 8ul << 32);
  atomicAdd(s, g); atomicMax(t, g << 35);
  barrier();
  if (g == 0) { o[0] = s; o[1] = t; }
}
