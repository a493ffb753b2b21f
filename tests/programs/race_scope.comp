// -- a release of workgroup scope, read by another workgroup
// buffer 0 u32: 0 0
// buffer 1 u32: 0
// groups 2 1 1
// model-only: what a device gives is its own business
// expect 1 u32: 1
// finding race_scope.comp:20: data race: OpLoad of 'payload', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_scope.comp:15; it read 42; nothing orders their workgroups
#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer D { uint payload; uint seen; };
layout(binding = 1) coherent buffer F { uint flag; };
void main() {
  if (gl_WorkGroupID.x == 0) {
    payload = 42;
    memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
    atomicAdd(flag, 1);
  } else if (atomicAdd(flag, 0) == 1) {
    memoryBarrierBuffer();
    seen = payload;
  }
}
