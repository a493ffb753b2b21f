// Inclusive scan of 1024 elements a workgroup: subgroupInclusiveAdd, then one of the subgroups' sums by every lane.
// small: --groups 2 --buffer Values=u32:noise:2048 --out Sums=-:8192
// large: --groups 1024 --buffer Values=u32:noise:1048576 --out Sums=-:4194304
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 1024) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Sums { uint sums[]; };
shared uint partial[1024];
void main() {
  // not gl_LocalInvocationID, whose order in a subgroup nothing promises
  const uint i = gl_WorkGroupID.x * 1024 + gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  uint own = values[i];
  uint scan = subgroupInclusiveAdd(own);
  uint sum = subgroupAdd(own);
  if (subgroupElect()) partial[gl_SubgroupID] = sum;
  barrier();
  uint before = 0;
  for (uint s = 0; s < gl_SubgroupID; ++s) before += partial[s];
  sums[i] = before + scan;
}
