// -- implicit levels of detail inside squares of two by two invocations: plain, projected, compared, both, sparse
// model-only: lavapipe has no compute shader derivatives
// subgroup-size 8
// image 0 r32f 2d 8x8 levels 4 f32: 64*1 16*2 4*4 8
// sampler 0: repeat
// image 1 D32_SFLOAT 2d 8x8 levels 4 f32: 64*0.2 16*0.4 4*0.6 0.8
// sampler 1: repeat,compare=less
// buffer 2 poison: 384
// expect 2 f32: 1 1 2 2 1 1 2 2 4 4 8 8 4 4 8 8
// expect 2 f32: 1 1 2 2 1 1 2 2 4 4 8 8 4 4 8 8
// expect 2 f32: 0 0 1 1 0 0 1 1 1 1 1 1 1 1 1 1
// expect 2 f32: 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1
// expect 2 f32: 1 1 2 2 1 1 2 2 4 4 8 8 4 4 8 8
// expect 2 f32: 0 0 1 1 0 0 1 1 1 1 1 1 1 1 1 1
#version 460
#extension GL_NV_compute_shader_derivatives : require
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 4, local_size_y = 4) in;
layout(derivative_group_quadsNV) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) uniform sampler2DShadow d;
layout(binding = 2) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uvec2 id = gl_LocalInvocationID.xy;
  // Square q steps 2^q texels along x, and half as many along y.
  float g = exp2(float((id.y >> 1) * 2 + (id.x >> 1))) * 0.125;
  vec2 p = vec2(float(id.x & 1) * g, float(id.y & 1) * g * 0.5);
  vec4 texel;
  float result;
  o[l] = texture(t, p).x;
  o[16 + l] = textureProj(t, vec3(p * 2.0, 2.0)).x;
  o[32 + l] = texture(d, vec3(p, 0.3));
  o[48 + l] = textureProj(d, vec4(p * 2.0, 1.0, 2.0));
  sparseTextureARB(t, p, texel);
  o[64 + l] = texel.x;
  sparseTextureARB(d, vec3(p, 0.3), result);
  o[80 + l] = result;
}
