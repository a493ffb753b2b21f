// -- workgroup memory that nobody has written
// buffer 0 poison: 16
// model-only: what is in it is a device's own business
// expect 0 u32: 0 1 2 2812782503
// finding finding_workgroup_memory.comp:13: uninitialised read: OpLoad of 's[3]', invocation 3,0,0 of dispatch 0
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint a[]; };
shared uint s[4];
void main() {
  if (gl_LocalInvocationIndex < 3) s[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
  barrier();
  a[gl_LocalInvocationIndex] = s[gl_LocalInvocationIndex];
}
