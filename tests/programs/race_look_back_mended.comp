// -- race_look_back.comp whose flag is released and acquired.
// model-only: it waits for another workgroup: Vulkan promises no progress, and lavapipe ends a loop after 65535 turns
// buffer 0 u32: 4*0 4*0 0
// groups 4 1 1
// expect 0 u32: 1 2 3 4 4*1 4
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) devicecoherent buffer B { uint sums[4]; uint flags[4]; uint ticket; };
void main() {
  if (gl_LocalInvocationIndex != 0) return;
  const uint g = atomicAdd(ticket, 1);
  uint before = 0;
  if (g > 0) {
    while (atomicLoad(flags[g - 1], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0) {}
    before = sums[g - 1];
  }
  sums[g] = before + 1;
  atomicStore(flags[g], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
