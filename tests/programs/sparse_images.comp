// -- sparse instructions: the texels as the others give them, and every texel is resident
// model-only: no CPU device has sparse residency
// image 0 r32f 2d 2x2 f32: 1 2 3 4
// sampler 0: linear
// image 1 rgba32ui 2d 2x1 u32: 1 2 3 4 5 6 7 8
// image 2 D32_SFLOAT 2d 1x1 f32: 0.5
// sampler 2: compare=less
// buffer 3 poison: 96
// expect 3 f32: 1 2.5 2 1 4 1 1 5 6 7 8 1 3 4 2 1 1 1 0 1 1 1 1 1
#version 460
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1, rgba32ui) uniform uimage2D i;
layout(binding = 2) uniform sampler2DShadow d;
layout(binding = 3) buffer B { float o[]; };
void main() {
  vec4 v; uvec4 u; float f; int n = 0;
  o[n++] = sparseTexelsResidentARB(sparseTextureLodARB(t, vec2(0.5), 0, v)) ? 1 : 0; o[n++] = v.x;
  sparseTexelFetchARB(t, ivec2(1, 0), 0, v); o[n++] = v.x; o[n++] = v.w;
  sparseTexelFetchOffsetARB(t, ivec2(0, 0), 0, ivec2(1, 1), v); o[n++] = v.x;
  int code = sparseTextureGatherARB(t, vec2(0.5), v, 3); o[n++] = sparseTexelsResidentARB(code) ? 1 : 0; o[n++] = v.x;
  sparseImageLoadARB(i, ivec2(1, 0), u); for (int c = 0; c < 4; ++c) o[n++] = u[c];
  o[n++] = sparseTexelsResidentARB(sparseTextureGatherARB(t, vec2(0.5), v)) ? 1 : 0; for (int c = 0; c < 3; ++c) o[n++] = v[c];
  o[n++] = v.w;
  o[n++] = sparseTexelsResidentARB(sparseTextureARB(d, vec3(0.5, 0.5, 0.25), f)) ? 1 : 0; o[n++] = f;
  sparseTextureARB(d, vec3(0.5, 0.5, 0.75), f); o[n++] = f;
  sparseTextureGatherARB(d, vec2(0.5), 0.25, v); for (int c = 0; c < 4; ++c) o[n++] = v[c];
  while (n < 24) o[n++] = 1;
}
