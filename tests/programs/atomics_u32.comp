// buffer 0 u32: 5 100 4294967295 0 0xffff 0 0 7 0 -5 3
// buffer 1 poison: 128
// groups 3 1 1
// -- of 120 invocations: 5 + 7140; 7 * 119; 3; all bits; 0xff00; the xor of 977 g; exchanged; was 7; -120; -50; 3
// expect 0 u32: 7145 833 3 4294967295 65280 55936 9 8 4294967176 4294967246 3
// -- 3 l and what a quarter of the 40 adds; the greatest; the xor of squares; 2^20 - 1; 21; not written; -39
// expect 1 u32: 180 193 206 219 39 927 1048575 21 2812782503 4294967257 22*2812782503
// finding never written '1', 92 bytes of 128, first o[8]
#version 460
layout(local_size_x = 40) in;
layout(binding = 0) buffer A { uint a[9]; int b, c; };
layout(binding = 1) buffer B { uint o[]; };
shared uint s[8];
shared int t;
void main() {
  uint l = gl_LocalInvocationIndex, g = gl_GlobalInvocationID.x;
  if (l < 8) s[l] = l * 3;
  if (l == 0) t = 5;
  barrier();
  atomicAdd(a[0], g); atomicMax(a[1], g * 7); atomicMin(a[2], g + 3); atomicOr(a[3], 1u << (g & 31)); atomicAnd(a[4], ~(1u << (g & 7)));
  atomicXor(a[5], g * 977); atomicExchange(a[6], 9u); atomicCompSwap(a[7], 7u, 8u); atomicAdd(a[8], uint(-1));
  atomicMin(b, int(g) - 50); atomicMax(c, -int(g));
  atomicAdd(s[l & 3], l); atomicMax(s[4], l); atomicXor(s[5], l * l); atomicMin(t, -int(l)); atomicOr(s[6], 1u << (l % 20));
  barrier();
  if (l < 8 && gl_WorkGroupID.x == 1) o[l] = s[l];
  if (l == 9 && gl_WorkGroupID.x == 1) o[9] = uint(t);
}
