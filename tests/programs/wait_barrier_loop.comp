// -- a loop that goes on from barrier to barrier until somebody of another workgroup stores
// model-only: it hangs
// groups 2 1 1
// one-order
// max-steps 20000
// buffer 0 u32: 0 0
// error finding: waits for ever
// finding wait_barrier_loop.comp:17: waits for ever: OpAtomicIAdd of 'flag', which stays 0, invocation 0,0,0 of dispatch 0; invocation 256,0,0 would store it at wait_barrier_loop.comp:14, but its workgroup has not started: 1 is resident
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) buffer B { uint flag; uint count; };
shared bool go;
void main() {
  if (gl_WorkGroupID.x == 1 && gl_LocalInvocationIndex == 0) atomicExchange(flag, 1);
  for (bool waits = gl_WorkGroupID.x == 0; waits;) {
    barrier();
    if (gl_LocalInvocationIndex == 0) go = atomicAdd(flag, 0) != 0;
    barrier();
    waits = !go;
  }
  atomicAdd(count, 1);
}
