// Inverses modulo the prime 2^64 - 2^32 + 1 by powers, with products of 128 bits from halves of 32.
// small: --groups 2 --buffer Base=u64:noise:64 --out Power=-:512
// large: --groups 512 --buffer Base=u64:noise:16384 --out Power=-:131072
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Base { uint64_t base[]; };
layout(binding = 1) writeonly buffer Power { uint64_t power[]; };
const uint64_t P = 0xffffffff00000001ul;  // 2^64 - 2^32 + 1
uint64_t mulhi(uint64_t a, uint64_t b) {
  uint64_t al = a & 0xffffffffUL, ah = a >> 32, bl = b & 0xffffffffUL, bh = b >> 32;
  uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
  uint64_t mid = (ll >> 32) + (lh & 0xffffffffUL) + (hl & 0xffffffffUL);
  return hh + (lh >> 32) + (hl >> 32) + (mid >> 32);
}
uint64_t mulmod(uint64_t a, uint64_t b) {
  uint64_t lo = a * b, hi = mulhi(a, b);
  // 2^64 = 2^32 - 1 and 2^96 = -1
  uint64_t top = hi >> 32, low = hi & 0xffffffffUL;
  uint64_t t = lo - top;
  if (lo < top) t -= 0xffffffffUL;
  uint64_t u = (low << 32) - low, r = t + u;
  if (r < u) r += 0xffffffffUL;
  return r >= P ? r - P : r;
}
void main() {
  uint64_t b = base[gl_GlobalInvocationID.x] % P, r = 1UL;
  for (uint64_t e = P - 2UL; e != 0UL; e >>= 1) {
    if ((e & 1UL) != 0UL) r = mulmod(r, b);
    b = mulmod(b, b);
  }
  power[gl_GlobalInvocationID.x] = r;
}
