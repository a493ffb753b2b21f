// A 3D stencil of seven points; a column of the grid an invocation, with the planes above and below kept in registers.
// small: --groups 2,2 --push i32:12,10,9,f32:0.5,0.08 --buffer 0:0=f32:noise:1080 --buffer 0:1=zeros:4320
// large: --groups 12,12 --push i32:96,96,96,f32:0.5,0.08 --buffer 0:0=f32:noise:884736 --buffer 0:1=zeros:3538944
// differs: 1e-5 products may be contracted
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer A0 { float a0[]; };
layout(binding = 1) buffer Anext { float anext[]; };
layout(push_constant) uniform Parboil { int nx, ny, nz; float c0, c1; };
void main() {
  int i = int(gl_GlobalInvocationID.x), j = int(gl_GlobalInvocationID.y);
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
  int plane = nx * ny, at = i + nx * j;
  float below = a0[at], here = a0[at + plane];
  for (int k = 1; k < nz - 1; k++) {
    at += plane;
    float above = a0[at + plane];
    anext[at] = c1 * (above + below + a0[at + 1] + a0[at - 1] + a0[at + nx] + a0[at - nx]) + c0 * here;
    below = here;
    here = above;
  }
}
