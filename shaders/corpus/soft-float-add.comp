// Addition of floats in integers (soft-float), round to nearest even, finite operands and results.
// small: --groups 2 --buffer A=f32:noise:128:-9..9 --buffer B=f32:noise:128:-2..2 --out C=-:512
// large: --groups 8192 --buffer A=f32:noise:524288:-9..9 --buffer B=f32:noise:524288:-2..2 --out C=-:2097152
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer C { uint c[]; };
uint softAdd(uint x, uint y) {
  if ((x & 0x7fffffffu) < (y & 0x7fffffffu)) { uint t = x; x = y; y = t; }
  uint sign = x & 0x80000000u;
  int ex = int((x >> 23) & 255u), ey = int((y >> 23) & 255u);
  uint mx = (x & 0x7fffffu) << 3, my = (y & 0x7fffffu) << 3;
  if (ex != 0) mx |= 1u << 26; else ex = 1;
  if (ey != 0) my |= 1u << 26; else ey = 1;
  int shift = ex - ey;
  if (shift > 0) {
    if (shift > 27) my = my != 0u ? 1u : 0u;
    else my = (my >> shift) | ((my & ((1u << shift) - 1u)) != 0u ? 1u : 0u);
  }
  uint m = ((x ^ y) & 0x80000000u) != 0u ? mx - my : mx + my;
  if (m == 0u) return sign & y;
  if (m >= 1u << 27) { m = (m >> 1) | (m & 1u); ex++; }
  while (m < 1u << 26 && ex > 1) { m <<= 1; ex--; }
  uint r = m & 7u;
  m >>= 3;
  if (r > 4u || (r == 4u && (m & 1u) != 0u)) m++;
  if (m >= 1u << 24) { m >>= 1; ex++; }
  return sign | (m >= 1u << 23 ? uint(ex) << 23 | (m & 0x7fffffu) : m);
}
void main() { c[gl_GlobalInvocationID.x] = softAdd(a[gl_GlobalInvocationID.x], b[gl_GlobalInvocationID.x]); }
