// -- each says that it wants, and goes on if the other one does not: both may, as a load may see what was there before the other's store
// buffer 0 u32: 0 0
// buffer 1 u32: 0
// groups 2 1 1
// expect 0 u32: 1 1
// expect 1 u32: 0
#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer A { uint want[]; };
layout(binding = 1) coherent buffer B { uint x[]; };
void main() {
  const uint own = gl_WorkGroupID.x;
  atomicStore(want[own], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  if (atomicLoad(want[own ^ 1], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0) x[own / 2] += 0;
}
