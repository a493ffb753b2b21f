// -- races within one line, and one whose barrier has to stand before a loop, which has no line of its own
// buffer 0 u32: 32*0
// buffer 1 u32: 0
// expect 1 u32: 32
// model-only: what a device gives is its own business
// finding race_one_line.comp:18: data race: OpStore of 'given[1]', invocation 1,0,0 of dispatch 0; against the load by 0,0,0 at race_one_line.comp:18; first it is 1, then 2; no barrier of the workgroup orders them
// finding race_one_line.comp:19: data race: OpLoad of 'taken[31]', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_one_line.comp:19; it read 31; no barrier of the workgroup orders them
// finding race_one_line.comp:22: data race: OpLoad of 'go', invocation 0,0,0 of dispatch 0; against the store by 31,0,0 at race_one_line.comp:21; it read 1; no barrier of the workgroup orders them
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer D { uint data[]; };
layout(binding = 1) buffer E { uint done; };
shared uint given[33], taken[32], go;
void main() {
  const uint i = gl_LocalInvocationIndex;
  given[i] = i; if (i == 0) given[32] = go = 0;
  barrier();
  given[i] = given[i + 1];
  taken[i] = i; data[i] = taken[31 - i] + given[i];
  uint n = 0;
  if (i == 31) go = 1;
  while (go == 0 && n < 2)
    ++n;
  data[i] += n;
  atomicAdd(done, 1);
}
