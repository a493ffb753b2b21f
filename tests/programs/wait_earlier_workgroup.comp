// -- each workgroup waits for the one before it by its own number: in this order that has always ended
// model-only: it waits for another workgroup
// one-order
// groups 4 1 1
// buffer 0 u32: 1 4*0
// expect 0 u32: 5*1
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer B { uint flags[5]; };
void main() {
  const uint g = gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex != 0) return;
  while (atomicAdd(flags[g], 0) == 0) {}
  atomicExchange(flags[g + 1], 1);
}
