// buffer 0 poison: 256
// expect 0 u32: definition
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  uint a[8];
  uvec3 v[4];
  double d[3] = double[](1.0, 2.0, 4.0);
  bool f[5];
  for (uint i = 0; i < 8; ++i) a[i] = i * i + l;
  for (uint i = 0; i < 4; ++i) v[i] = uvec3(i, l, i * l);
  for (uint i = 0; i < 5; ++i) f[i] = (i + l) % 3 == 0;
  for (uint i = 0; i < l % 6; ++i) {
    a[(i + l) % 8] += a[(l * i) % 8];
    v[i % 4][(l + i) % 3] += 5;
    d[(l + i) % 3] *= 1.5;
    f[(l + i) % 5] = !f[i % 5];
  }
  uint sum = 0;
  for (uint i = 0; i < 8; ++i) sum = sum * 3 + a[i];
  for (uint i = 0; i < 4; ++i) sum += v[i].x + v[i].y * 3 + v[i].z * 7;
  for (uint i = 0; i < 5; ++i) sum = sum * 2 + uint(f[i]);
  o[l] = sum + uint(d[0] * 8.0 + d[1] * 64.0 + d[2] * 512.0);
}
