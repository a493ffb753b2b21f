// -- The sign of a complement, beside a 64-bit division.
// differs nvidia: vkCreateComputePipelines gives VK_ERROR_UNKNOWN (driver 580); not without the division, not for sign(x)
// buffer 0 u32: 128 384 814 60 3030 60445 1 4294967168 31653798 1393662250 120916817 237410 15 258550 291929389 19258270 6 113628 37511488
// buffer 0 u32: 29 802921 40 855930069 1136 161861 34010566 0 356558 51914994 128866077 117092588 1213433 64523695 8 2776 27485041 3
// buffer 0 u32: 46348196 3 937156 1283288560 189367 1 2444472 273215 19 9881 27 694 362813998 650028 6866227 492 42385033 63074 94579090
// buffer 0 u32: 956316 3 0 1572434 885921 592 2147483648 4294967295
// buffer 1 poison: 768
// push u32: 3735928549 382119112
// groups 3 1 1
// expect 1 u32: definition
// differs lavapipe-16 from 25.2: values of 64 bits overwrite its stack (Mesa 25.2.8 and 26.2.6)
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer I { uint i[64]; };
layout(binding = 1) buffer O { uint o[]; };
layout(push_constant) uniform P { uint p0, p1; };
void main() {
  uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x, n = gl_GlobalInvocationID.x;
  uint64_t d = uint64_t(n) * 0x123456789UL / (uint64_t(l & 63) | 1UL); o[n] = uint(sign(~int(i[l]))) + 100 * (uint(d) + uint(d >> 32));
  if (i[63] == p1) o[n] = 1;
}
