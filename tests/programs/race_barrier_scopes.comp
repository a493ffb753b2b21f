// -- control barriers of small memory scope: between fences they order, and of themselves the lanes of one subgroup alone
// buffer 0 poison: 1024
// model-only: what is asked is the order
// subgroup-size 32
// expect 0 u32: 64*63 128*1 64*63
// finding race_barrier_scopes.comp:29: data race: OpLoad of 'near[63]', invocation 0,0,0 of dispatch 0; against the store by 63,0,0 at race_barrier_scopes.comp:26
#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer O { uint o[]; };
shared uint fenced[64];
shared uint near[64];
shared uint lanes[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
  fenced[i] = i;
  memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeSubgroup, 0, 0);
  memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  o[i] = i + fenced[63 - i];
  lanes[i] = i;
  memoryBarrier(gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, 0, 0);
  memoryBarrier(gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  o[64 + i] = i ^ lanes[i ^ 1];
  near[i] = i;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  o[128 + i] = i ^ near[i ^ 1];
  o[192 + i] = i + near[63 - i];
}
