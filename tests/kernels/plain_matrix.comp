// A product of matrices that are 128 wide, in tiles of workgroup memory.
#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { float result[]; };
shared float a[16][16], b[16][16];
void main() {
  const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
  float sum = 0;
  for (uint tile = 0; tile < 8; ++tile) {
    a[y][x] = float(source[row * 128 + tile * 16 + x] & 0xff);
    b[y][x] = float(source[(tile * 16 + y) * 128 + column] & 0xff);
    barrier();
    for (uint k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
    barrier();
  }
  result[row * 128 + column] = sum;
}
