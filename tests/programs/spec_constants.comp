// spec 0 = 1
// spec 1 = -5
// spec 2 = 3000000000
// spec 3 = 2.5
// spec 7 = 3
// spec 8 = 4
// buffer 0 poison: 80
// -- b i u 100f kept 4d, and what is computed of them: m is 2 * 3 + 1, 36 is (m - 1)^2; -5 % 3 is not defined
// expect 0 i32: 1 -5 -1294967296 250 1234 10 7 374999957 1 -15 1237 36 7 4 -2 5 428571428 4 -3 -4
// finding undefined value: OpStore of 'o[15]', an output of the job, invocation 3,0,0 of dispatch 0; from OpSpecConstantOp
#version 460
layout(constant_id = 0) const bool b = false;
layout(constant_id = 1) const int i = 1;
layout(constant_id = 2) const uint u = 1;
layout(constant_id = 3) const float f = 1;
layout(constant_id = 4) const int kept = 1234;
layout(constant_id = 5) const double d = 2.5;
layout(constant_id = 7) const int n = 1;
layout(local_size_x_id = 8, local_size_y = 1) in;
layout(binding = 0) buffer B { int o[]; };
const int m = n * 2 + 1;
const uint shifted = (u >> 3) ^ 0x55u | 1u;
const bool both = b && i < 0;
const int chosen = both ? i * 3 : 7;
const ivec3 v = ivec3(n, i, kept);
const ivec2 w = v.zx;
int arr[m];
void main() {
  for (int k = 0; k < m; ++k) arr[k] = k * k;
  if (gl_LocalInvocationIndex == 3) {
    o[0] = int(b); o[1] = i; o[2] = int(u); o[3] = int(f * 100.0); o[4] = kept; o[5] = int(d * 4.0); o[6] = m; o[7] = int(shifted);
    o[8] = int(both); o[9] = chosen; o[10] = w.x + w.y; o[11] = arr[m - 1]; o[12] = arr.length(); o[13] = int(gl_WorkGroupSize.x);
    o[14] = i / 2; o[15] = i % 3 == 0 ? 1 : -i; o[16] = int(u / 7u); o[17] = int(u % 7u); o[18] = -n; o[19] = ~n;
  }
}
