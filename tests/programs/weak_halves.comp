// -- The halves of a word keep apart: who has stored to one, or loaded it, sees of the other what a barrier has made visible.
// buffer 0 u32: 2*0
// buffer 1 u32: 5*0
// expect 0 u32: 327681 3
// expect 1 u32: 0 1 0 0 3
#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 3) in;
layout(binding = 0) nonprivate buffer B { uint16_t halves[4]; };
layout(binding = 1) buffer O { uint seen[5]; };
void meet() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) seen[0] = halves[0];
  if (i == 2) seen[3] = halves[2];
  meet();
  if (i == 1) {
    halves[0] = uint16_t(1);
    halves[2] = uint16_t(3);
  }
  meet();
  if (i == 0) {
    halves[1] = uint16_t(5);
    seen[1] = halves[0];
  }
  if (i == 2) {
    seen[2] = halves[3];
    seen[4] = halves[2];
  }
}
