// -- race_halo.comp where each element has one owner.
// buffer 0 poison: 36
// groups 2 1 1
// expect 0 u32: 0..8
#version 460
layout(local_size_x = 5) in;
layout(binding = 0) buffer A { uint same[]; };
void main() {
  const uint i = gl_WorkGroupID.x * 4 + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < 4 || i == 8) same[i] = i;
}
