// -- two workgroups store the element between them: one value in the first buffer, two in the second
// buffer 0 poison: 36
// buffer 1 poison: 36
// buffer 2 u32: 0
// groups 2 1 1
// model-only: what a device gives is its own business
// expect 2 u32: 2
// finding race_halo.comp:17: data race of equal values: OpStore of 'same[4]', invocation 5,0,0 of dispatch 0; against the store by 4,0,0 at race_halo.comp:17; both store 4; nothing orders their workgroups
// finding race_halo.comp:18: data race: OpStore of 'other[4]', invocation 5,0,0 of dispatch 0; against the store by 4,0,0 at race_halo.comp:18; first it is 0, then 1
#version 460
layout(local_size_x = 5) in;
layout(binding = 0) buffer A { uint same[]; };
layout(binding = 1) buffer B { uint other[]; };
layout(binding = 2) buffer D { uint done; };
void main() {
  const uint i = gl_WorkGroupID.x * 4 + gl_LocalInvocationIndex;
  same[i] = i;
  other[i] = gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex == 0) atomicAdd(done, 1);
}
