// -- an atomic store reads nothing, and an atomic load writes nothing; what was not written is multiplied by 0, so it goes nowhere
// buffer 0 poison: 128
// buffer 2 poison: 32
// expect 0 u32: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// finding never written '2', 16 bytes of 32, first c[4]
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) buffer O { uint o[]; };
layout(binding = 2) buffer C { uint c[]; };
shared uint s[32];
void main() {
  uint i = gl_LocalInvocationIndex;
  atomicStore(s[i], i, gl_ScopeWorkgroup, 0, 0);
  barrier();
  o[i] = s[31 - i];
  if (i < 4) c[i] = 0u * atomicLoad(c[i + 4], gl_ScopeDevice, 0, 0);
}
