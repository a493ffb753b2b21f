// -- Members that share a word, of which others see some only: a release makes these available, whatever is stored beside them.
// buffer 0 u32: 4*0
// buffer 1 u32: 5*0
// -- Halves 1 and 2, bytes 3 4 5 6, halves 7 and 8, halves 9 and 10.
// expect 0 u32: 131073 100992003 524295 655369
// expect 1 u32: 1 4 5 8 9
#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 2) in;
layout(binding = 0) buffer B {
  nonprivate uint16_t shown;
  uint16_t own;
  uint8_t ownByte;
  nonprivate uint8_t shownByte, shownToo;
  uint8_t ownToo;
  uint16_t ownHalf;
  workgroupcoherent uint16_t coherentHalf;
  nonprivate uint16_t last;
  workgroupcoherent uint16_t coherentLast;
};
layout(binding = 1) buffer O { uint seen[5]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    shown = uint16_t(1);
    own = uint16_t(2);
    ownByte = uint8_t(3);
    shownByte = uint8_t(4);
    shownToo = uint8_t(5);
    ownToo = uint8_t(6);
    coherentHalf = uint16_t(8);
    ownHalf = uint16_t(7);
    last = uint16_t(9);
    coherentLast = uint16_t(10);
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  if (i == 1) {
    seen[0] = shown;
    seen[1] = shownByte;
    seen[2] = shownToo;
    seen[3] = coherentHalf;
    seen[4] = last;
  }
}
