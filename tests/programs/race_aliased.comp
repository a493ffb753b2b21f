// -- a race through two variables that are bound to one buffer: it is told once, with both names, and not as an aliased binding too
// model-only: the result is undefined
// groups 1 1 1
// buffer 0 u32: 64*0
// view 1 of 0
// expect 0 u32: 0..31 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1
// finding race_aliased.comp:18: data race: OpLoad of 'b[31]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_aliased.comp:14; it read 31; 'a' and 'b' name this memory, and nothing inside of a dispatch orders one after the other: use one variable
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer A { uint a[]; };
layout(binding = 1) coherent buffer B { uint b[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  a[i] = i;
  memoryBarrierBuffer();
  barrier();
  memoryBarrierBuffer();
  b[32 + i] = b[31 - i] + 1;
}
