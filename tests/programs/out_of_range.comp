// -- robust access: loads out of range give 0, stores are dropped
// model-only: robust loads may also give other values on devices
// buffer 0 u32: 1 2 3 4
// buffer 1 poison: 48
// expect 0 u32: 1 2 3 77
// expect 1 u32: 0 0 0 0 4 0 0 0 0 0 0 0
// finding out of range (buffer): OpLoad of 'a[4]', bytes 16 to 19 of 16, invocation 0,0,0 of dispatch 0 (4 times)
// finding out of range (buffer): OpLoad of 'a[7]', bytes 28 to 31 of 16, invocation 1,0,0 of dispatch 0 (3 times)
// finding out of range (array): OpLoad of 's[16777220]', index 16777220 of 4
// finding out of range (buffer): OpStore of 'a[4]', bytes 16 to 19 of 16
// finding out of range (array): OpStore of 's[1048580]', index 1048580 of 4
// finding out of range (buffer): OpAtomicIAdd of 'a[4]', bytes 16 to 19 of 16
// finding out of range (buffer): OpStore of 'o[100]', bytes 400 to 403 of 48
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint o[]; };
shared uint s[4];
void main() {
  uint l = gl_LocalInvocationIndex;
  s[l] = 9;
  barrier();
  int far[4] = int[](4, -1, 0x40000000, 0x7fffffff);
  o[l] = a[far[l]];
  o[4 + l] = a[l * 4 + 3];
  o[8 + l] = s[far[l] & ~1 | 0x1000000];
  a[far[l]] = 5;
  s[far[l] | 0x100000] = 5;
  atomicAdd(a[far[l]], 3u);
  if (l == 0) a[3] = 77;
  o[100 + l] = 1;
}
