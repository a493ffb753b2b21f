// -- one invocation, so that what each atomic returns is pinned
// buffer 0 u32: 5 6 7 8 9 10 11 12 13
// buffer 1 poison: 64
// expect 0 u32: 7 2 70 8 15 9 77 99 13
// expect 1 u32: 5 6 7 8 9 10 11 12 13 8 2812782503 2812782503 2812782503 2812782503 2812782503 2812782503
// finding never written '1', 24 bytes of 64, first o[10]
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
void main() {
  o[0] = atomicAdd(a[0], 3u); o[1] = atomicMin(a[1], 2u); o[2] = atomicMax(a[2], 70u); o[3] = atomicAnd(a[3], 12u);
  o[4] = atomicOr(a[4], 6u); o[5] = atomicXor(a[5], 3u); o[6] = atomicExchange(a[6], 77u); o[7] = atomicCompSwap(a[7], 12u, 99u);
  o[8] = atomicCompSwap(a[8], 12u, 99u); o[9] = atomicAdd(a[0], uint(-1));
}
