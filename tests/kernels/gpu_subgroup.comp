#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
// The subgroup size, and the sum of ones over the first subgroup.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) writeonly buffer Target { uint target[]; };
void main() {
  uint sum = subgroupAdd(1u);
  if (gl_LocalInvocationIndex == 0) {
    target[0] = gl_SubgroupSize;
    target[1] = sum;
  }
}
