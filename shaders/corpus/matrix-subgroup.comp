// Product of integer matrices: a subgroup's lanes share the elements of A by broadcast.
// small: --groups 2,8 --push u32:64,16 --buffer lhs=u32:noise:128:0..999 --buffer rhs=u32:noise:1024:0..999 --out product=-:2048
// large: --groups 8,256 --push u32:256,256 --buffer lhs=u32:noise:65536:0..999 --buffer rhs=u32:noise:65536:0..999 --out product=-:262144
#version 460
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint columns; uint depth; } push;
layout(binding = 0) restrict readonly buffer Lhs { uint data[]; } lhs;
layout(binding = 1) restrict readonly buffer Rhs { uint data[]; } rhs;
layout(binding = 2) restrict writeonly buffer Product { uint data[]; } product;

void main() {
  const uint row = gl_WorkGroupID.y, column = gl_GlobalInvocationID.x;
  const uint lanes = min(gl_SubgroupSize, gl_WorkGroupSize.x);
  uint total = 0;
  for (uint base = 0; base < push.depth; base += lanes) {
    // each lane fetches one element of the row
    const uint mine = base + gl_SubgroupInvocationID < push.depth ? lhs.data[row * push.depth + base + gl_SubgroupInvocationID] : 0;
    const uint count = min(lanes, push.depth - base);
    for (uint k = 0; k < count; k++) total += subgroupShuffle(mine, k) * rhs.data[(base + k) * push.columns + column];
  }
  product.data[row * push.columns + column] = total;
}
