// -- std140, std430 and scalar, row- and column-major, read and written; the byte positions are the point
// -- each word holds its number, from 1 on
// buffer 0 f32: 1..64
// buffer 1 f32: 1..64
// buffer 2 f32: 1..64
// buffer 3 poison: 256
// expect 2 f32: 1..4 -1 -4 -2 -5 -3 -65.5 11..13 100 200 300 17..23 41 42 43 45 46 47 30..39 30..39 50..64
// -- std140
// expect 3 f32: 1 5 13 22  19 23 29 30  33 37 38 39  41 42 43 47
// -- std430
// expect 3 f32: 1 3 6 10  13 14 15 18  37 41 42 43  49 50 51 29
// -- scalar
// expect 3 f32: 1 2 3 4  6 8 10 18  30 31 32 33  34 35 36 37
// -- computed, after the writes
// expect 3 f32: -9 -12 -134 -5  59 62 65 4  27 31 14 21  286 5600 570 -8
#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
struct T { float a; vec3 b; mat2x3 m; };
layout(binding = 0, std140) uniform U { float a; float arr[3]; layout(row_major) mat3x2 rm; mat2x3 cm; T t; } u;
layout(binding = 1, std430) readonly buffer V { float a; float arr[3]; layout(row_major) mat3x2 rm; mat2x3 cm; T t[2]; } v;
layout(binding = 2, scalar) buffer W { float a; vec3 b; layout(row_major) mat2x3 rm; mat3 cm; T t[]; } w;
layout(binding = 3) buffer O { vec4 o[]; };
void main() {
  o[0] = vec4(u.a, u.arr[0], u.arr[2], u.rm[1][1]);
  o[1] = vec4(u.rm[2], u.cm[1].xy);
  o[2] = vec4(u.t.a, u.t.b);
  o[3] = vec4(u.t.m[0], u.t.m[1].z);
  o[4] = vec4(v.a, v.arr[1], v.rm[1]);
  o[5] = vec4(v.cm[0], v.cm[1].y);
  o[6] = vec4(v.t[1].a, v.t[1].b);
  o[7] = vec4(v.t[1].m[1], v.t[0].m[0].x);
  o[8] = vec4(w.a, w.b);
  o[9] = vec4(w.rm[1], w.cm[2].y);
  o[10] = vec4(w.t[1].a, w.t[1].b);
  o[11] = vec4(w.t[1].m[0], w.t[1].m[1].x);
  w.rm = mat2x3(-1, -2, -3, -4, -5, -6);
  w.rm[1].z = -66;
  int i = int(o[0].x);
  w.rm[i][i + 1] += 0.5;
  w.cm[i] = vec3(100, 200, 300);
  w.t[2] = w.t[1];
  w.t[0].m = u.t.m;
  o[12] = w.rm * vec2(1, 2) == vec3(0) ? vec4(0) : vec4(w.rm * vec2(1, 2), w.rm[i].y);
  o[13] = vec4(vec2(1, 2) * u.rm, float(w.t.length()));
  o[14] = vec4(transpose(u.cm)[2], outerProduct(vec2(2, 3), vec2(5, 7))[1]);
  mat3 m = matrixCompMult(w.cm, mat3(2)) * mat3(v.cm[0], v.cm[1], vec3(1));
  o[15] = vec4(m[0], determinant(mat2(v.rm[0], v.rm[2])));
}
