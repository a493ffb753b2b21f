// -- one subgroup waits for another of its workgroup, which a device need not run before it
// model-only: it waits for another subgroup
// subgroup-size 32
// one-order
// max-steps 20000
// buffer 0 u32: 0
// error finding: waits for ever
// finding wait_other_subgroup.comp:17: waits for ever: OpAtomicIAdd of 'flag', which stays 0
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint count; };
shared uint flag;
void main() {
  if (gl_LocalInvocationIndex == 0) flag = 0;
  barrier();
  if (gl_LocalInvocationIndex < 32)
    while (atomicAdd(flag, 0) == 0) {}
  else if (gl_LocalInvocationIndex == 63)
    atomicExchange(flag, 1);
  atomicAdd(count, 1);
}
