// -- lanes that have the same value find each other, and reduce and scan among themselves
// subgroup-size 8
// buffer 0 u32: 1 2 1 3 2 1 9 9
// buffer 1 poison: 224
// expect 1 u32: 37 18 37 8 18 37 192 192
// expect 1 u32: 10 7 10 4 7 10 15 15
// expect 1 u32: 0 3 1 4 3 1 3 3
// expect 1 u32: 1 1 2 1 3 8 1 8
// expect 1 u32: 5 2 5 8 16 32 64 128
// expect 1 u32: 1 1 1 0 1 1 1 1
// expect 1 f32: 0.0 0.5 1.0 1.5 2.5 3.5 3.0 6.5
// model-only: VK_NV_shader_subgroup_partitioned
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_shader_subgroup_partitioned : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { uint v[]; };
layout(binding = 1) buffer B { uint o[48]; float f[8]; };
void main() {
  uint l = gl_SubgroupInvocationID;
  uvec4 same = subgroupPartitionNV(v[l]);
  o[l] = same.x;
  o[8 + l] = subgroupPartitionedAddNV(l + 1, same);
  o[16 + l] = subgroupPartitionedInclusiveMaxNV(int(l * 3 % 5), same);
  o[24 + l] = subgroupPartitionedExclusiveMulNV(l + 2, same);
  o[32 + l] = subgroupPartitionNV(uvec2(v[l], l & 1)).x;
  o[40 + l] = uint(subgroupPartitionedOrNV(l > 3, same));
  f[l] = subgroupPartitionedInclusiveAddNV(0.5 * float(l), same);
}
