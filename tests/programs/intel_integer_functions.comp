// -- SPV_INTEL_shader_integer_functions2 on 32 and 64 bits
// model-only: an extension of Intel's devices
// buffer 0 i32: 0 1 -1 2147483647 -2147483648 100 -100 65537
// buffer 1 poison: 576
// expect 1 u32: definition
// expect 1 u64: definition
#version 460
#extension GL_INTEL_shader_integer_functions2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { int v[]; };
layout(binding = 1) buffer B { uint o[14][8]; uint64_t q[2][8]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  int a = v[l], b = v[(l + 3) & 7];
  uint c = uint(a), d = uint(b);
  o[0][l] = countLeadingZeros(c);
  o[1][l] = countTrailingZeros(c);
  o[2][l] = absoluteDifference(a, b);
  o[3][l] = absoluteDifference(c, d);
  o[4][l] = uint(addSaturate(a, b));
  o[5][l] = addSaturate(c, d);
  o[6][l] = uint(average(a, b));
  o[7][l] = average(c, d);
  o[8][l] = uint(averageRounded(a, b));
  o[9][l] = averageRounded(c, d);
  o[10][l] = uint(subtractSaturate(a, b));
  o[11][l] = subtractSaturate(c, d);
  o[12][l] = uint(multiply32x16(a, b));
  o[13][l] = multiply32x16(c, d);
  int64_t x = int64_t(a) * (1l << 31) + 5l, y = int64_t(b) * (1l << 32);
  q[0][l] = uint64_t(addSaturate(x, y));
  q[1][l] = averageRounded(uint64_t(x), uint64_t(y));
}
