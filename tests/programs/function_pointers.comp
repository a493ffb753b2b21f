// buffer 0 i32: 1..16
// buffer 1 poison: 256
// expect 1 i32: definition
#version 460
layout(local_size_x = 16) in;
layout(binding = 0) buffer A { int a[]; };
layout(binding = 1) buffer B { ivec4 o[]; };
struct S { int x; ivec3 v[2]; mat2 m; };
void swap(inout int a, inout int b) { int t = a; a = b; b = t; }
void fill(out S s, in int k) { s.x = k; s.v[0] = ivec3(k, k + 1, k + 2); s.v[1] = -s.v[0].zxy; s.m = mat2(k, 2, 3, k * 2); }
int change(inout S s, int i) { s.v[i & 1][i % 3] += 100; s.m[i & 1].y += 1.0; return s.v[1 - (i & 1)].y; }
void main() {
  int l = int(gl_LocalInvocationIndex);
  S s;
  fill(s, a[l]);
  int r = change(s, l);
  int p = s.v[0].x, q = s.v[1].y;
  swap(p, q);
  swap(s.v[0].z, s.v[1][l % 3]);
  int arr[5] = int[](1, 2, 3, 4, 5);
  swap(arr[l % 5], arr[(l * 3) % 5]);
  o[l] = ivec4(r + p * 3 + q * 5, s.v[0].z + s.v[1].x * 7, int(s.m[0].y + s.m[1].y * 10.0 + s.m[1].x), arr[0] + arr[1] * 10 + arr[2] * 100 + arr[3] * 1000 + arr[4] * 10000);
}
