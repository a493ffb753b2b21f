// -- an OpAtomicStore that releases, and makes nothing available
// buffer 0 u32: 0 0
// buffer 1 u32: 0
// expect 0 u32: 42 1
// groups 2 1 1
// model-only: what a device gives is its own business
// finding race_store_semantics.comp:19: data race: OpLoad of 'payload', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at race_store_semantics.comp:16; it read 42; nothing orders their workgroups
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 1) in;
layout(binding = 0) buffer D { nonprivate uint payload; uint flag; };
layout(binding = 1) buffer E { nonprivate uint seen; };
void main() {
  if (gl_WorkGroupID.x == 0) {
    payload = 42;
    atomicStore(flag, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  } else if (atomicLoad(flag, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 1) {
    seen = payload;
  }
}
