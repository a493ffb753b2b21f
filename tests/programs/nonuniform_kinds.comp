// -- every kind of descriptor, chosen by a value that lanes share and by one that they do not
// model-only: lavapipe has no non-uniform indexing
// buffer 0.0 u32: 1 0 0 0
// buffer 0.1 u32: 2 0 0 0
// image 1.0 r32f 2d 1x1 f32: 3
// sampler 1.0: nearest
// image 1.1 r32f 2d 1x1 f32: 4
// sampler 1.1: nearest
// image 2.0 r32ui 2d 1x1 u32: 5
// image 2.1 r32ui 2d 1x1 u32: 6
// texel-buffer 3.0 r32ui u32: 7
// texel-buffer 3.1 r32ui u32: 8
// texel-buffer 4.0 r32ui u32: 9
// texel-buffer 4.1 r32ui u32: 10
// buffer 5 poison: 80
// expect 5 u32: 1 2 1 2 3 4 3 4 5 6 5 6 7 8 7 8 9 10 9 10
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
layout(binding = 0) uniform U { uint u; } u[2];
layout(binding = 1) uniform sampler2D t[2];
layout(binding = 2, r32ui) uniform uimage2D i[2];
layout(binding = 3) uniform usamplerBuffer b[2];
layout(binding = 4, r32ui) uniform uimageBuffer s[2];
layout(binding = 5) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex, n = l & 1;
  o[l] = u[nonuniformEXT(n)].u;
  o[4 + l] = uint(textureLod(t[nonuniformEXT(n)], vec2(0.5), 0.0).x);
  o[8 + l] = imageLoad(i[nonuniformEXT(n)], ivec2(0)).x;
  o[12 + l] = texelFetch(b[nonuniformEXT(n)], 0).x;
  o[16 + l] = imageLoad(s[nonuniformEXT(n)], 0).x;
  uint shared_ = gl_WorkGroupID.x;
  if (texelFetch(b[shared_], 0).x != 7 || imageLoad(s[shared_], 0).x != 9 || u[shared_].u != 1 || textureLod(t[shared_], vec2(0.5), 0.0).x != 3.0 || imageLoad(i[shared_], ivec2(0)).x != 5) o[l] = 99;
}
