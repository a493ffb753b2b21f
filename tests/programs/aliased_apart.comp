// -- near misses of aliased_bindings.comp: one buffer under two names, each for a half of its own or only read
// buffer 0 u32: 1 2 3 4 0 0 0 0
// view 1 of 0
// buffer 2 u32: 5 6 7 8
// view 3 of 2
// expect 0 u32: 1 2 3 4 11 14 17 20
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { uint from[]; };
layout(binding = 1) buffer B { uint to[]; };
layout(binding = 2) buffer C { uint one[]; };
layout(binding = 3) buffer D { uint other[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  to[4 + i] = from[i] + one[i] + other[i];
}
