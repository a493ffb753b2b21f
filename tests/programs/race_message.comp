// -- near miss of race_store_buffer.comp: who sees the flag sees what was stored before it
// buffer 0 u32: 0
// buffer 1 u32: 0 5
// groups 2 1 1
// expect 0 u32: 1
// model-only: which of the two comes first is a device's own business
#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer A { uint flag; };
layout(binding = 1) coherent buffer B { uint x, y; };
void main() {
  if (gl_WorkGroupID.x == 0) {
    x = y;
    atomicStore(flag, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  } else if (atomicLoad(flag, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 1) {
    y = x;
  }
}
