// -- the invocation that would store the flag waits at a barrier, and the others never come there
// model-only: it hangs
// subgroup-size 32
// one-order
// max-steps 20000
// buffer 0 u32: 0
// error finding: waits for ever
// finding wait_at_barrier.comp:19: waits for ever: OpAtomicIAdd of 'flag', which stays 0
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) buffer B { uint count; };
shared uint flag;
void main() {
  if (gl_LocalInvocationIndex == 0) flag = 0;
  barrier();
  if (gl_LocalInvocationIndex < 128) {
    barrier();
    atomicExchange(flag, 1);
  } else while (atomicAdd(flag, 0) == 0) {}
  atomicAdd(count, 1);
}
