// -- derivatives among quads of four consecutive invocations, as accurate as the device likes, and a coarse width
// model-only: VK_KHR_compute_shader_derivatives
// subgroup-size 8
// buffer 0 poison: 128
// expect 0 f32: 1 1 5 5 9 9 13 13
// expect 0 f32: 4 8 4 8 20 24 20 24
// expect 0 f32: 5 9 9 13 29 33 33 37
// expect 0 f32: 5 5 5 5 29 29 29 29
#version 460
#extension GL_NV_compute_shader_derivatives : require
layout(derivative_group_linearNV, local_size_x = 8) in;
layout(binding = 0) buffer O { float dx[8], dy[8], w[8], coarse[8]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  float f = float(l * l);
  dx[l] = dFdx(f);
  dy[l] = dFdy(f);
  w[l] = fwidth(-f);
  coarse[l] = fwidthCoarse(f);
}
