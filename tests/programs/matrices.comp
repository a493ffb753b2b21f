// buffer 0 f32: 1 2 3 4 5 6 7 8 2 0 1 3 1 1 0 2
// buffer 1 poison: 160
// -- matrix by vector and vector by matrix
// expect 1 f32: 21 18 20 37  30 70 17 11
// -- the transposed by the matrix
// expect 1 f32: 30 70 17 11  70 174 41 27  17 41 14 8  11 27 8 6
// -- determinant and inverse of two rows; determinants of three and four
// expect 1 f32: 10  0.5 -0.5 -0.5 1  18 -40
// -- dot, cross, faceforward, reflect, length, distance, normalize
// expect 1 f32: 2637  -1 5 -3  -2 1 5 5 1
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { mat4 m; };
layout(binding = 1) buffer B { float o[]; };
void main() {
  mat4 n = transpose(m) * m;
  vec4 v = m * vec4(1, 2, 3, 4), w = vec4(1, 2, 3, 4) * m;
  for (int i = 0; i < 4; ++i) { o[i] = v[i]; o[4 + i] = w[i]; for (int j = 0; j < 4; ++j) o[8 + i * 4 + j] = n[i][j]; }
  o[24] = determinant(mat2(4, 2, 1, 3)); mat2 k = inverse(mat2(4, 2, 2, 2)); o[25] = k[0][0]; o[26] = k[0][1]; o[27] = k[1][0]; o[28] = k[1][1];
  o[29] = determinant(mat3(2, 0, 1, 1, 3, 2, 1, 1, 4)); o[30] = determinant(m); o[31] = dot(v, w);
  vec3 c = cross(vec3(1, 2, 3), vec3(4, 5, 7)); o[32] = c.x; o[33] = c.y; o[34] = c.z;
  vec3 f = faceforward(vec3(1, 2, 3), vec3(0, 1, 0), vec3(0, 2, 0)); o[35] = f.y; o[36] = reflect(vec3(1, -1, 0), vec3(0, 1, 0)).y; o[37] = length(vec2(3, 4)); o[38] = distance(vec2(1, 1), vec2(4, 5)); o[39] = normalize(vec2(0, 8)).y;
}
