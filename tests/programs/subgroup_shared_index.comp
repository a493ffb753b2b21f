// -- an index that all lanes share, known only when the program runs: of words, of 64 bits, of halves; also where the lanes part
// subgroup-size 8
// buffer 0 u32: 5 2
// buffer 1 poison: 512
// -- of four lanes each: lane 5 three times, lane 2 twice, halves of both; lane 2 or 5 of those that go the same way
// expect 1 u32: 15 4 0x45004500 202 15 4 0x45004500 202 15 4 0x45004500 202 15 4 0x45004500 202
// expect 1 u32: 15 4 0x45004500 105 15 4 0x45004500 105 15 4 0x45004500 105 15 4 0x45004500 105
// expect 1 u32: 39 20 0x45004a80 210 39 20 0x45004a80 210 39 20 0x45004a80 210 39 20 0x45004a80 210
// expect 1 u32: 39 20 0x45004a80 113 39 20 0x45004a80 113 39 20 0x45004a80 113 39 20 0x45004a80 113
// expect 1 u32: 63 36 0x45004d40 218 63 36 0x45004d40 218 63 36 0x45004d40 218 63 36 0x45004d40 218
// expect 1 u32: 63 36 0x45004d40 121 63 36 0x45004d40 121 63 36 0x45004d40 121 63 36 0x45004d40 121
// expect 1 u32: 87 52 0x45004f40 226 87 52 0x45004f40 226 87 52 0x45004f40 226 87 52 0x45004f40 226
// expect 1 u32: 87 52 0x45004f40 129 87 52 0x45004f40 129 87 52 0x45004f40 129 87 52 0x45004f40 129
#version 460
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { uint at[]; };
layout(binding = 1) buffer O { uvec4 o[]; };
void main() {
  uint l = gl_LocalInvocationIndex, in_ = gl_SubgroupInvocationID, n = at[0], m = at[1];
  uvec4 r = uvec4(subgroupShuffle(l * 3, n), 0, 0, 0);
  r.y = uint(subgroupShuffle((uint64_t(l) << 33) + l, m) >> 32);
  r.z = packFloat2x16(f16vec2(subgroupShuffle(float16_t(l), n), subgroupShuffle(float16_t(n), m)));
  if (in_ >= 4) r.w = subgroupShuffle(l + 100, n);
  else r.w = subgroupShuffle(l + 200, m);
  o[l] = r;
}
