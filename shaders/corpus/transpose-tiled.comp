// Transposition by 32x32 tiles in padded shared memory, 32x8 invocations, four rows each.
// small: --groups 2,3 --push u32:64,96 --buffer Source=f32:noise:6144 --out Target=-:24576
// large: --groups 32,32 --push u32:1024,1024 --buffer Source=f32:noise:1048576 --out Target=-:4194304
#version 450
const uint TILE_DIM = 32u;
const uint BLOCK_ROWS = 8u;
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) readonly buffer Source { float idata[]; };
layout(binding = 1) writeonly buffer Target { float odata[]; };
layout(push_constant) uniform Size { uint width, height; };
shared float tile[TILE_DIM][TILE_DIM + 1u];
void main() {
  uvec2 l = gl_LocalInvocationID.xy;
  uvec2 from = gl_WorkGroupID.xy * TILE_DIM + l;
  for (uint j = 0u; j < TILE_DIM; j += BLOCK_ROWS)
    tile[l.y + j][l.x] = idata[(from.y + j) * width + from.x];
  barrier();
  uvec2 to = gl_WorkGroupID.yx * TILE_DIM + l;
  for (uint j = 0u; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(to.y + j) * height + to.x] = tile[l.x][l.y + j];
}
