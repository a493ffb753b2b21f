// -- the inverse of a matrix whose determinant is 0 is undefined. Near misses: a matrix that has one, an inverse that is not used, and its
// -- determinant, which is defined; the last two matrices are constants
// buffer 0 f32: 1 2 2 4 2 0 0 4
// buffer 1 poison: 32
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// -- an infinity; 1 / 2; 0; the other side's 7; the same for a matrix of three columns, and 1 / 2; an infinity, and 1 / 2
// expect 1 u32: 0x7f800000 0x3f000000 0 7 0x7f800000 0x3f000000 0x7f800000 0x3f000000
// finding undefined_inverse.comp:19: undefined value: OpStore of 'result[0]', an output of the job, invocation 0,0,0 of dispatch 0; from MatrixInverse at undefined_inverse.comp:19, undefined for a matrix whose determinant is 0
// finding undefined_inverse.comp:24: undefined value: OpStore of 'result[4]', an output of the job, invocation 0,0,0 of dispatch 0; from MatrixInverse at undefined_inverse.comp:24, undefined for a matrix whose determinant is 0
// finding undefined_inverse.comp:26: undefined value: OpStore of 'result[6]', an output of the job, invocation 0,0,0 of dispatch 0; from MatrixInverse at undefined_inverse.comp:26, undefined for a matrix whose determinant is 0
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { vec2 a, b, c, d; };
layout(binding = 1) buffer B { uint result[]; };
void main() {
  const mat2 singular = mat2(a, b), other = mat2(c, d);

  result[0] = floatBitsToUint(inverse(singular)[0].x);
  result[1] = floatBitsToUint(inverse(other)[0].x);
  result[2] = floatBitsToUint(determinant(singular));
  const float unused = inverse(singular)[1].y;
  result[3] = a.x == 1.0 ? 7u : floatBitsToUint(unused);
  result[4] = floatBitsToUint(inverse(mat3(vec3(a, 0), vec3(b, 0), vec3(0, 0, 1)))[0].x);
  result[5] = floatBitsToUint(inverse(mat3(vec3(c, 0), vec3(d, 0), vec3(0, 0, 1)))[0].x);
  result[6] = floatBitsToUint(inverse(mat2(1, 2, 2, 4))[0].x);
  result[7] = floatBitsToUint(inverse(mat2(2, 0, 0, 4))[0].x);
}
