// -- atomics outside of a buffer do nothing
// differs swiftshader: robust access does not hold for atomics: they change what lies behind the buffer
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 16
// expect 0 u32: 1 2 3 9
// expect 1 u32: 0 0 0 4
// finding out of range (buffer): OpAtomicIAdd of 'a[4]', bytes 16 to 19 of 16, invocation 0,0,0 of dispatch 0 (3 times)
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
  const uint l = gl_LocalInvocationIndex;
  o[l] = atomicAdd(a[l == 3 ? 3 : 4 + l], 5u);
}
