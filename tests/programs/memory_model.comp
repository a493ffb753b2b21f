// -- the Vulkan memory model: coherent and device-scope accesses, barriers and atomics with their semantics
// groups 2 1 1
// buffer 0 u32: 16*1
// buffer 1 u32: 0
// buffer 2 poison: 64
// expect 1 u32: 16
// expect 2 u32: 7 6 5 4 3 2 1 0 15 14 13 12 11 10 9 8
#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 8) in;
layout(binding = 0) workgroupcoherent buffer A { uint a[]; };
layout(binding = 1) devicecoherent buffer S { uint sum; };
layout(binding = 2) buffer B { uint o[]; };
shared uint line[8];
void main() {
  uint l = gl_LocalInvocationIndex, g = gl_GlobalInvocationID.x;
  line[l] = g;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  o[g] = line[7 - l];
  atomicAdd(sum, a[g], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}
