// A step of the heat equation in 2D, five points, fixed borders.
// small: --groups 2,2 --push u32:24,20,f32:0.2 --buffer u=f32:noise:480 --out next=-:1920
// large: --groups 64,64 --push u32:1024,1024,f32:0.2 --buffer u=f32:noise:1048576 --out next=-:4194304
// differs: 1e-5 products may be contracted
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer Field { float v[]; } u;
layout(binding = 1) writeonly buffer NextField { float v[]; } next;
layout(push_constant) uniform Args { uint nx; uint ny; float alpha; };
#define IDX(i, j) ((j) * nx + (i))
void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint j = gl_GlobalInvocationID.y;
  if (i >= nx || j >= ny) return;
  if (i == 0u || j == 0u || i == nx - 1u || j == ny - 1u) {
    next.v[IDX(i, j)] = u.v[IDX(i, j)];
    return;
  }
  float lap = u.v[IDX(i - 1u, j)] + u.v[IDX(i + 1u, j)] + u.v[IDX(i, j - 1u)] + u.v[IDX(i, j + 1u)] - 4.0 * u.v[IDX(i, j)];
  next.v[IDX(i, j)] = u.v[IDX(i, j)] + alpha * lap;
}
