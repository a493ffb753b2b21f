// -- reductions by whole subgroups of 32, in which every third invocation takes no part
// subgroup-size 32
// buffer 0 poison: 88
// buffer 1 poison: 32
// -- of each subgroup, in 32 bits: sum, product, least and greatest, the same with a sign, and, or, xor; the least of 8 bits, a sum of 16
// expect 0 u32: definition
// -- in 64 bits: sum and xor
// expect 1 u64: definition
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
layout(binding = 1) buffer C { uint64_t w[]; };
void main() {
  uint l = gl_LocalInvocationIndex, x = l * 2654435761u;
  if (l % 3 == 0) return;
  uint r[11];
  r[0] = subgroupAdd(x);
  r[1] = subgroupMul(x | 1);
  r[2] = subgroupMin(x);
  r[3] = subgroupMax(x);
  r[4] = uint(subgroupMin(int(x)));
  r[5] = uint(subgroupMax(int(x)));
  r[6] = subgroupAnd(x | 0xf0);
  r[7] = subgroupOr(x & 0xff0f);
  r[8] = subgroupXor(x);
  r[9] = uint(int(subgroupMin(int8_t(x >> 24))));
  r[10] = uint(subgroupAdd(uint16_t(x >> 16)));
  uint64_t wide = uint64_t(x) << 20 | l, sum = subgroupAdd(wide), odd = subgroupXor(wide);
  if (!subgroupElect()) return;
  for (uint i = 0; i < 11; ++i) o[gl_SubgroupID * 11 + i] = r[i];
  w[gl_SubgroupID * 2] = sum;
  w[gl_SubgroupID * 2 + 1] = odd;
}
