// -- derivatives among quads of two by two invocations: fine, coarse and width; LocalInvocationIndex keeps its order
// model-only: VK_KHR_compute_shader_derivatives
// subgroup-size 8
// buffer 0 poison: 512
// expect 0 f32: 1 1 5 5 101 101 105 105 201 201 205 205 301 301 305 305
// expect 0 f32: 10 110 210 310 10 110 210 310 50 150 250 350 50 150 250 350
// expect 0 f32: 1 1 5 5 1 1 5 5 201 201 205 205 201 201 205 205
// expect 0 f32: 10 10 210 210 10 10 210 210 50 50 250 250 50 50 250 250
// expect 0 f32: 11 111 215 315 111 211 315 415 251 351 455 555 351 451 555 655
// expect 0 u32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// expect 0 f32: 1 1 1 1 5 1 5 1 101 1 101 1 105 1 105 1 201 1 201 1 205 1 205 1 301 1 301 1 305 1 305 1
#version 460
#extension GL_NV_compute_shader_derivatives : require
layout(derivative_group_quadsNV, local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) buffer O { float dx[16], dy[16], dxc[16], dyc[16], w[16]; uint id[16]; vec2 v[16]; };
void main() {
  uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, l = gl_LocalInvocationIndex;
  float f = float(x * x) + float(10 * y * y) + float(100 * x * y);
  dx[l] = dFdxFine(f);
  dy[l] = dFdyFine(f);
  dxc[l] = dFdxCoarse(f);
  dyc[l] = dFdyCoarse(f);
  w[l] = fwidthFine(-f);
  id[l] = y * 4 + x;
  v[l] = dFdxFine(vec2(f, float(x)));
}
