// -- two invocations write one place with nothing between; by atomics and by one invocation alone that is fine; what is not coherent no barrier orders
// buffer 0 poison: 16
// buffer 1 u32: 0
// groups 2 1 1
// model-only: devices find nothing
// expect 0 u32: 7 5 6 9
// expect 1 u32: 8
// finding finding_written_twice.comp:19: data race of equal values: OpStore of 'a[0]', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at finding_written_twice.comp:19; both store 7; invocations that store at once have no order: let one of them store, or use an atomic
// finding finding_written_twice.comp:22: data race: OpStore of 'a[1]', invocation 3,0,0 of dispatch 0; against the store by 2,0,0 at finding_written_twice.comp:20
// finding finding_written_twice.comp:26: data race of equal values: OpStore of 'a[3]', invocation 4,0,0 of dispatch 0; against the store by 0,0,0 at finding_written_twice.comp:26
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint sum; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (gl_WorkGroupID.x == 0) {
    if (i < 2)
      a[0] = 7;
    if (i == 2) a[1] = 4;
    barrier();
    if (i == 3) a[1] = 5;
    if (i == 3) { a[2] = 5; a[2] = 6; }
  }
  atomicAdd(sum, 1);
  if (i == 0) a[3] = 9;
}
