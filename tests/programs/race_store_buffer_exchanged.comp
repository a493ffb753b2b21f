// -- near miss of race_store_buffer.comp: one that also stores what it loads sees the newest value, so one of them alone goes on
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
  atomicExchange(want[own], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  if (atomicAdd(want[own ^ 1], 0u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease) == 0) x[own / 2] += 0;
}
