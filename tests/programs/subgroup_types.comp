// differs lavapipe-16 from 25.2: values of 64 bits overwrite its stack (Mesa 25.2.8 and 26.2.6)
// subgroup-size 8
// buffer 0 poison: 256
// buffer 1 poison: 256
// expect 0 f32: definition
// expect 1 i64: definition
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { vec4 o[]; };
layout(binding = 1) buffer C { int64_t q[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  vec4 v = vec4(l, -float(l), l * 0.5, 1);
  o[l * 2] = subgroupAdd(v);
  o[l * 2 + 1] = vec4(subgroupExclusiveAdd(v.x), subgroupMin(v.y), subgroupInclusiveMax(v.z), subgroupBroadcast(v, 3).y);
  int64_t w = int64_t(l) << 33;
  q[l * 4] = subgroupAdd(w); q[l * 4 + 1] = subgroupMax(-w); q[l * 4 + 2] = subgroupBroadcastFirst(w + 5L); q[l * 4 + 3] = subgroupInclusiveAdd(w | 1L);
}
