// -- functions of floats for operands of which they have no result. Near misses: the last operands that have one
// buffer 0 f32: -1 0 1 2 inf
// buffer 0 i32: 128 127
// buffer 1 poison: 64
// buffer 2 poison: 64
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// -- what the model gives
// expect 1 f32: nan inf -inf -inf nan nan nan nan inf 0 1 0 nan inf inf 1
// -- 0, 1, logarithms and angles of 0, the whole of a step, the upper end, 1 modulo 2, 0.5, 2^127, what is not bent
// expect 2 f32: 0 1 0 0 0 0 0 0 0 0 1 2 1 0.5 0x1p127 1
// finding undefined_functions.comp:35: undefined value: OpStore of 'result[0]', an output of the job, invocation 0,0,0 of dispatch 0; from Sqrt at undefined_functions.comp:35, undefined for x < 0
// finding undefined_functions.comp:36: undefined value: OpStore of 'result[1]', an output of the job, invocation 0,0,0 of dispatch 0; from InverseSqrt at undefined_functions.comp:36, undefined for x <= 0
// finding undefined_functions.comp:37: undefined value: OpStore of 'result[2]', an output of the job, invocation 0,0,0 of dispatch 0; from Log at undefined_functions.comp:37, undefined for x <= 0
// finding undefined_functions.comp:38: undefined value: OpStore of 'result[3]', an output of the job, invocation 0,0,0 of dispatch 0; from Log2 at undefined_functions.comp:38, undefined for x <= 0
// finding undefined_functions.comp:39: undefined value: OpStore of 'result[4]', an output of the job, invocation 0,0,0 of dispatch 0; from Pow at undefined_functions.comp:39, undefined for x < 0, and for x = 0 where y <= 0
// finding undefined_functions.comp:40: undefined value: OpStore of 'result[5]', an output of the job, invocation 0,0,0 of dispatch 0; from Asin at undefined_functions.comp:40, undefined for abs(x) > 1
// finding undefined_functions.comp:41: undefined value: OpStore of 'result[6]', an output of the job, invocation 0,0,0 of dispatch 0; from Acos at undefined_functions.comp:41, undefined for abs(x) > 1
// finding undefined_functions.comp:42: undefined value: OpStore of 'result[7]', an output of the job, invocation 0,0,0 of dispatch 0; from Acosh at undefined_functions.comp:42, undefined for x < 1
// finding undefined_functions.comp:43: undefined value: OpStore of 'result[8]', an output of the job, invocation 0,0,0 of dispatch 0; from Atanh at undefined_functions.comp:43, undefined for abs(x) >= 1
// finding undefined_functions.comp:44: undefined value: OpStore of 'result[9]', an output of the job, invocation 0,0,0 of dispatch 0; from Atan2 at undefined_functions.comp:44, undefined for 0 and 0
// finding undefined_functions.comp:45: undefined value: OpStore of 'result[10]', an output of the job, invocation 0,0,0 of dispatch 0; from SmoothStep at undefined_functions.comp:45, undefined for edge0 >= edge1
// finding undefined_functions.comp:46: undefined value: OpStore of 'result[11]', an output of the job, invocation 0,0,0 of dispatch 0; from FClamp at undefined_functions.comp:46, undefined for low > high
// finding undefined_functions.comp:47: undefined value: OpStore of 'result[12]', an output of the job, invocation 0,0,0 of dispatch 0; from OpFMod at undefined_functions.comp:47, undefined for a divisor of 0
// finding undefined_functions.comp:48: undefined value: OpStore of 'result[13]', an output of the job, invocation 0,0,0 of dispatch 0; from FrexpStruct at undefined_functions.comp:48, undefined for an infinity or a NaN
// finding undefined_functions.comp:49: undefined value: OpStore of 'result[14]', an output of the job, invocation 0,0,0 of dispatch 0; from Ldexp at undefined_functions.comp:49, undefined for a result that is too large, and for an exponent that is
// finding undefined_functions.comp:50: undefined value: OpStore of 'result[15]', an output of the job, invocation 0,0,0 of dispatch 0; from Pow at undefined_functions.comp:50, undefined for x < 0, and for x = 0 where y <= 0
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer A { float minus, zero, one, two, infinite; int wide, most; };
layout(binding = 1) buffer B { float result[]; };
layout(binding = 2) buffer C { float near[]; };
void main() {
  int exponent;
  result[0] = sqrt(minus);
  result[1] = inversesqrt(zero);
  result[2] = log(zero);
  result[3] = log2(zero);
  result[4] = pow(minus, two);
  result[5] = asin(two);
  result[6] = acos(two);
  result[7] = acosh(zero);
  result[8] = atanh(one);
  result[9] = atan(zero, zero);
  result[10] = smoothstep(one, one, two);
  result[11] = clamp(one, two, zero);
  result[12] = mod(one, zero);
  result[13] = frexp(infinite, exponent);
  result[14] = ldexp(one, wide);
  result[15] = pow(zero, zero);
  // Near misses.
  near[0] = sqrt(zero);
  near[1] = inversesqrt(one);
  near[2] = log(one);
  near[3] = log2(one);
  near[4] = pow(zero, two);
  near[5] = asin(zero);
  near[6] = acos(one);
  near[7] = acosh(one);
  near[8] = atanh(zero);
  near[9] = atan(zero, one);
  near[10] = smoothstep(zero, one, two);
  near[11] = clamp(one, two, two);
  near[12] = mod(one, two);
  near[13] = frexp(one, exponent);
  near[14] = ldexp(one, most);
  near[15] = refract(vec2(one, zero), vec2(minus, zero), two).x;
}
