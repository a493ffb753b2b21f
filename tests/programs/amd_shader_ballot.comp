// -- AMD's extended sets: three operands, swizzles, one invocation written, a count of bits below; group operations of a subgroup
// model-only: extensions of AMD's devices
// subgroup-size 8
// buffer 0 poison: 384
// -- a line a call, by invocation; of the first two the least one, ten times the greatest and a hundred times the middle one
// expect 0 u32: 370 361 352 343 343 352 361 370
// expect 0 u32: 136 127 118 109 10 109 118 127
// expect 0 u32: 1 0 9 9 25 16 49 49
// expect 0 u32: 9 9 1 1 49 49 25 25
// expect 0 u32: 0 1 2 3 4 77 6 7
// expect 0 u32: 0 1 2 2 3 4 4 5
// expect 0 u32: 3 3 3 3 3 3 3 3
// expect 0 u32: 28 28 28 28 28 28 28 28
// expect 0 u32: 0 1 3 6 10 15 21 28
// expect 0 u32: 0 0 3 3 4 4 4 4
// expect 0 u32: 15 15 15 15 15 0 0 0
// expect 0 f32: 2.5 2.5 2.5 3 4 4.0 4.0 4.0
#version 460
#extension GL_AMD_shader_trinary_minmax : require
#extension GL_AMD_shader_ballot : require
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer O { uint o[11][8]; float f[8]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  int s = int(l) - 4;
  o[0][l] = min3(l, 7 - l, 3u) + 10 * max3(l, 7 - l, 3u) + 100 * mid3(l, 7 - l, 3u);
  o[1][l] = uint(min3(s, -s, 1) + 10 * max3(s, -s, 1) + 100 * mid3(s, -s, 1));
  o[2][l] = swizzleInvocationsAMD(l * l, uvec4(1, 0, 3, 3));
  o[3][l] = swizzleInvocationsMaskedAMD(l * l, uvec3(6, 0, 3));
  o[4][l] = writeInvocationAMD(l, 77u, 5u);
  o[5][l] = mbcntAMD(0x5bul);
  o[6][l] = minInvocationsAMD(l + 3);
  o[7][l] = addInvocationsAMD(l);
  o[8][l] = addInvocationsInclusiveScanAMD(l);
  o[9][l] = maxInvocationsExclusiveScanAMD(l * 3 % 5);
  o[10][l] = 0;
  if (l < 5) o[10][l] = addInvocationsNonUniformAMD(l + 1);
  f[l] = mid3(float(l), 2.5, 4.0);
}
