// push u32: 3
// push f32: 0 0 0
// push f32: 1.5 2.5 3.5 4
// push f32: 1 2 3 4 5 6 7 8
// push u32: 9 8 7 6
// buffer 0 poison: 32
// -- v * 3 + m from its end; then each of a and the next one
// expect 0 f32: 8.5 14.5 12.5 17 17 15 13 15
#version 460
layout(local_size_x = 4) in;
layout(push_constant) uniform P { uint n; vec4 v; mat2x4 m; uint a[4]; } p;
layout(binding = 0) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = p.v[l] * float(p.n) + p.m[l & 1][3 - l];
  o[l + 4] = float(p.a[l] + p.a[(l + 1) % 4]);
}
