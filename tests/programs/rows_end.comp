// -- loads and stores of neighbours, of every second word and of one for all, where a buffer ends within sixteen invocations
// model-only: robust loads may also give other values on devices
// buffer 0 u32: 1..41
// buffer 1 poison: 768
// buffer 2 u32: 50*0
// -- each word, every second one, and every sixteenth for sixteen invocations: 0 behind the end
// expect 1 u32: 1..41 23*0
// expect 1 u32: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41 43*0
// expect 1 u32: 16*1 16*17 16*33 16*0
// -- the invocations' numbers, from the seventh word on
// expect 2 u32: 7*0 0..42
// finding out of range (buffer): OpLoad of 'x[41]', bytes 164 to 167 of 164, invocation 41,0,0 of dispatch 0 (23 times)
// finding out of range (buffer): OpLoad of 'x[42]', bytes 168 to 171 of 164, invocation 21,0,0 of dispatch 0 (43 times)
// finding out of range (buffer): OpLoad of 'x[48]', bytes 192 to 195 of 164, invocation 48,0,0 of dispatch 0 (16 times)
// finding out of range (buffer): OpStore of 'y[50]', bytes 200 to 203 of 200, invocation 43,0,0 of dispatch 0 (21 times)
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer X { uint x[]; };
layout(binding = 1) buffer O { uint o[]; };
layout(binding = 2) buffer Y { uint y[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = x[i];
  o[64 + i] = x[2 * i];
  o[128 + i] = x[i & 48];
  y[7 + i] = i;
}
