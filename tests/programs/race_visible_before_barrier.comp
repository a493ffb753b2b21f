// -- a barrier that makes available, and visible to nobody. Near miss: the invocation that made it visible by a fence of its own before, and behind
// buffer 0 poison: 256
// buffer 1 u32: 64*0
// expect 1 u32: 0 62 61*0 61
// expect 0 u32: 0..63
// groups 1 1 1
// model-only: what a device gives is its own business
// finding race_visible_before_barrier.comp:25: data race: OpLoad of 'row[61]', invocation 63,0,0 of dispatch 0; against the store by 61,0,0 at race_visible_before_barrier.comp:20; it read 61; the barrier at race_visible_before_barrier.comp:16 stands between them, but makes no buffers visible
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(binding = 0) buffer D { nonprivate uint row[64]; };
layout(binding = 1) buffer E { uint seen[64]; };
void handOn() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable);
}
void main() {
  const uint i = gl_LocalInvocationIndex;
  row[i] = i;
  handOn();
  if (i == 1) memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  handOn();
  if (i == 1) seen[i] = row[62];
  if (i == 63) seen[i] = row[61];
}
