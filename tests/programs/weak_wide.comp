// -- Atomic loads of two words: some see an old value, but none sees half of one.
// buffer 0 u64: 0
// buffer 1 u32: 8*1
// groups 2 1 1
// expect 0 u64: 12884901891
// expect 1 u32: 8*1
#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer W { uint64_t word; };
layout(binding = 1) buffer O { uint whole[]; };
void main() {
  for (uint k = 1; k < 4; ++k) {
    const uint64_t seen = atomicLoad(word, gl_ScopeDevice, 0, 0);
    if (uint(seen) != uint(seen >> 32)) whole[gl_GlobalInvocationID.x] = 0;
    atomicStore(word, k * 0x100000001ul, gl_ScopeDevice, 0, 0);
  }
}
