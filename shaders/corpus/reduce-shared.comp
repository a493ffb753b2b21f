// Maximum and sum of each block by a tree in shared memory, sequential addressing.
// small: --groups 3 --buffer In=i32:noise:1536 --out Out=-:24
// large: --groups 4096 --buffer In=i32:noise:2097152 --out Out=-:32768
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { int g_idata[]; };
layout(binding = 1) writeonly buffer Out { ivec2 g_odata[]; };
shared ivec2 sdata[256];
void main() {
  uint tid = gl_LocalInvocationID.x;
  uint i = gl_WorkGroupID.x * (gl_WorkGroupSize.x * 2) + tid;
  int a = g_idata[i], b = g_idata[i + gl_WorkGroupSize.x];
  sdata[tid] = ivec2(max(a, b), a + b);
  barrier();
  for (uint s = gl_WorkGroupSize.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid].x = max(sdata[tid].x, sdata[tid + s].x);
      sdata[tid].y += sdata[tid + s].y;
    }
    barrier();
  }
  if (tid == 0) g_odata[gl_WorkGroupID.x] = sdata[0];
}
