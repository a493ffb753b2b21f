// -- A word that another invocation stores behind a barrier which handed the first value on to it: the second one stays.
// buffer 0 u32: 128*0
// groups 2 1 1
// expect 0 u32: 2000..2127
#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer B { uint b[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x, other = i ^ 63u;
  b[i] = 1000 + i;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  b[other] = 2000 + other;
}
