// Sum by subgroupAdd, then by one atomic addition of each subgroup.
// small: --groups 4 --push u32:1000 --buffer In=u32:noise:1000 --buffer Result=u32:0
// large: --groups 8192 --push u32:2097152 --buffer In=u32:noise:2097152 --buffer Result=u32:0
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { uint inputs[]; };
layout(binding = 1) coherent buffer Result { uint result; };
layout(push_constant) uniform C { uint n; };
void main() {
  uint v = gl_GlobalInvocationID.x < n ? inputs[gl_GlobalInvocationID.x] : 0u;
  uint s = subgroupAdd(v);
  if (subgroupElect()) atomicAdd(result, s);
}
