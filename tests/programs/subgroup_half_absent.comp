// -- a subgroup of which half is absent, where invocations are dealt out to subgroups in turn: nobody passes, and nobody stores
// buffer 0 u32: 0
// push u32: 1000
// subgroup-size 128
// expect 0 u32: 0
#version 460
layout(local_size_x = 129) in;
layout(binding = 0) buffer B { uint result[]; };
layout(push_constant) uniform Push { uint count; };
void main() {
  if (gl_LocalInvocationIndex < count) return;
  result[0] = 7;
}
