// Rows become columns, by way of a tile with a column to spare.
#version 460
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
shared uint tile[32][33];
void main() {
  const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
  const uvec2 from = gl_WorkGroupID.xy * 32, to = gl_WorkGroupID.yx * 32;
  for (uint k = 0; k < 32; k += 8) tile[y + k][x] = source[(from.y + y + k) * 512 + from.x + x];
  barrier();
  for (uint k = 0; k < 32; k += 8) result[(to.y + y + k) * 512 + to.x + x] = tile[x][y + k];
}
