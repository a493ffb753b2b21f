// -- An atomic of subgroup scope, which two subgroups use. Near misses: one of workgroup scope; where each subgroup has a word of its own.
// subgroup-size 4
// buffer 0 u32: 3*0
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 8 4 4
// finding race_scope_subgroup.comp:18: data race: OpAtomicIAdd of 'narrow', invocation 4,0,0 of dispatch 0; against the atomic access by 0,0,0 at race_scope_subgroup.comp:18; first it is 4, then 5; no barrier of the workgroup orders them
#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint o[3]; };
shared uint narrow, wide, own[2];
void main() {
  if (gl_LocalInvocationIndex < 2) own[gl_LocalInvocationIndex] = 0;
  if (gl_LocalInvocationIndex == 0) narrow = wide = 0;
  barrier();
  atomicAdd(narrow, 1, gl_ScopeSubgroup, 0, 0);
  // Near misses.
  atomicAdd(wide, 1, gl_ScopeWorkgroup, 0, 0);
  atomicAdd(own[gl_SubgroupID], 1, gl_ScopeSubgroup, 0, 0);
  barrier();
  if (gl_LocalInvocationIndex == 0) o[0] = wide;
  if (subgroupElect()) o[1 + gl_SubgroupID] = own[gl_SubgroupID];
}
