// -- implicit levels of detail: gradients are differences inside quads of four consecutive invocations
// model-only: lavapipe has no compute shader derivatives
// subgroup-size 32
// image 0 r32f 2d 8x8 levels 4 f32: 64*1 16*2 4*4 8
// sampler 0: repeat
// buffer 1 poison: 256
// expect 1 f32: 1 1 1 1 2 2 2 2 4 4 4 4 8 8 8 8 2 2 2 2 4 4 4 4 8 8 8 8 8 8 8 8
// expect 1 f32: 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3
#version 460
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 16) in;
layout(derivative_group_linearNV) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  // Quad q steps 2^q texels along x, and less along y.
  float g = exp2(float(l >> 2)) * 0.125;
  vec2 p = vec2(float(l & 1) * g, float((l >> 1) & 1) * g * 0.5);
  o[l] = texture(t, p).x;
  o[16 + l] = texture(t, p, 1.0).x;
  o[32 + l] = textureQueryLod(t, p).x;
  o[48 + l] = textureQueryLod(t, p).y;
}
