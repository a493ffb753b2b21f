// -- What is handed on twice, by a flag of the workgroup and one of the device: the first release names workgroup memory alone. Near miss: it
// -- names buffers too
// subgroup-size 4
// groups 2 1 1
// buffer 0 u32: 4*0
// buffer 1 u32: 2*0
// model-only: what a race gives on a device is its own business
// one-order
// expect 0 u32: 42 42 43 43
// finding race_two_hops.comp:34: data race: OpLoad of 'payload', invocation 8,0,0 of dispatch 0; against the store by 0,0,0 at race_two_hops.comp:24; it read 42
#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 8) in;
layout(binding = 0) coherent buffer D { uint payload, seen, payload2, seen2; };
layout(binding = 1) coherent buffer F { uint flag, flag2; };
shared uint near, near2;
void main() {
  const int both = gl_StorageSemanticsShared | gl_StorageSemanticsBuffer;
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) near = near2 = 0;
  barrier();
  if (gl_WorkGroupID.x == 0) {
    if (i == 0) {
      payload = 42;
      atomicStore(near, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
      payload2 = 43;
      atomicStore(near2, 1u, gl_ScopeWorkgroup, both, gl_SemanticsRelease);
    }
    if (i == 4 && atomicLoad(near, gl_ScopeWorkgroup, both, gl_SemanticsAcquire) == 1)
      atomicStore(flag, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
    if (i == 5 && atomicLoad(near2, gl_ScopeWorkgroup, both, gl_SemanticsAcquire) == 1)
      atomicStore(flag2, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  } else if (i == 0) {
    if (atomicLoad(flag, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 1) seen = payload;
    if (atomicLoad(flag2, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 1) seen2 = payload2;
  }
}
