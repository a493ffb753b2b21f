// Three mip levels of floats in one dispatch: the first by subgroupShuffleXor, the others through shared memory.
// small: --groups 4,2 --push u32:64 --buffer Level0=f32:noise:2048 --out Level1=-:2048 --out Level2=-:512 --out Level3=-:128
// large: --groups 64,64 --push u32:1024 --buffer Level0=f32:noise:1048576 --out Level1=-:1048576 --out Level2=-:262144 --out Level3=-:65536
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Level0 { float level0[]; };
layout(binding = 1) writeonly buffer Level1 { float level1[]; };
layout(binding = 2) writeonly buffer Level2 { float level2[]; };
layout(binding = 3) writeonly buffer Level3 { float level3[]; };
layout(push_constant) uniform Width { uint width; };
shared float quads[64];
uint even(uint m) {  // every second bit, by Morton order
  m &= 0x55u;
  m = (m | m >> 1) & 0x33u;
  return (m | m >> 2) & 0x0fu;
}
void main() {
  uint m = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  uvec2 p = gl_WorkGroupID.xy * 16u + uvec2(even(m), even(m >> 1));
  float v = level0[p.y * width + p.x];
  v = max(v, subgroupShuffleXor(v, 1u));
  v = max(v, subgroupShuffleXor(v, 2u));
  if ((m & 3u) == 0u) {
    level1[(p.y / 2u) * (width / 2u) + p.x / 2u] = v;
    quads[m >> 2] = v;
  }
  barrier();
  if (m < 16u) {
    v = max(max(quads[4u * m], quads[4u * m + 1u]), max(quads[4u * m + 2u], quads[4u * m + 3u]));
    uvec2 q = gl_WorkGroupID.xy * 4u + uvec2(even(m), even(m >> 1));
    level2[q.y * (width / 4u) + q.x] = v;
  }
  barrier();
  if (m < 16u) quads[m] = v;
  barrier();
  if (m < 4u) {
    v = max(max(quads[4u * m], quads[4u * m + 1u]), max(quads[4u * m + 2u], quads[4u * m + 3u]));
    uvec2 q = gl_WorkGroupID.xy * 2u + uvec2(m & 1u, m >> 1);
    level3[q.y * (width / 8u) + q.x] = v;
  }
}
