// -- AMD's group operations among some of a subgroup: sums, smallest and largest
// model-only: an extension of AMD's devices
// subgroup-size 8
// buffer 0 poison: 224
// expect 0 f32: 5*12.5 3*0 5*-1.5 3*0 5*2.5 3*0
// expect 0 u32: 5*3 3*0 5*4 3*0
// expect 0 i32: 5*-2 3*0 5*2 3*0
#version 460
#extension GL_AMD_shader_ballot : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer O { float f[3][8]; uint u[2][8]; int i[2][8]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  f[0][l] = f[1][l] = f[2][l] = 0;
  u[0][l] = u[1][l] = 0;
  i[0][l] = i[1][l] = 0;
  if (l >= 5) return;
  float x = float(l);
  int s = int(l) - 2;
  f[0][l] = addInvocationsNonUniformAMD(x + 0.5);
  f[1][l] = minInvocationsNonUniformAMD(2.5 - x);
  f[2][l] = maxInvocationsNonUniformAMD(2.5 - x);
  u[0][l] = minInvocationsNonUniformAMD(l + 3);
  u[1][l] = maxInvocationsNonUniformAMD(l * 3 % 5);
  i[0][l] = minInvocationsNonUniformAMD(s);
  i[1][l] = maxInvocationsNonUniformAMD(s);
}
