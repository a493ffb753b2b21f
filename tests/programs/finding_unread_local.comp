// -- a local that nobody reads: what it would hold is out of range all the same
// buffer 1 poison: 32
// expect 1 u32: 0..7
// finding finding_unread_local.comp:11: out of range (array): OpStore of 't[4]', index 4 of 4, invocation 4,0,0 of dispatch 0 (4 times)
#version 450
layout(local_size_x = 8) in;
layout(binding = 1) buffer B { uint o[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint t[4];
  t[i] = 7u;
  o[i] = i;
}
