// -- 0 / 0, also within normalize(), is undefined. Near misses: an infinity, a divisor that is not 0, a quotient that is not used
// buffer 0 f32: 0 1 -0
// buffer 1 poison: 24
// model-only: undefined values
// unoptimised: the optimiser may choose other values
// -- two NaNs, an infinity; 0, the other side's 7, 1.0
// expect 1 u32: 0x7fc00000 0x7fc00000 0x7f800000 0 7 0x3f800000
// finding undefined_quotient.comp:15: undefined value: OpStore of 'result[0]', an output of the job, invocation 0,0,0 of dispatch 0; from OpFDiv at undefined_quotient.comp:15, undefined for 0 and 0
// finding undefined_quotient.comp:16: undefined value: OpStore of 'result[1]', an output of the job, invocation 0,0,0 of dispatch 0; from Normalize at undefined_quotient.comp:16, undefined for 0 and 0
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { float zero, one, minus; };
layout(binding = 1) buffer B { uint result[]; };
void main() {
  result[0] = floatBitsToUint(zero / minus);
  result[1] = floatBitsToUint(normalize(vec3(zero)).y);
  result[2] = floatBitsToUint(one / zero);
  result[3] = floatBitsToUint(zero / one);
  const float quotient = minus / zero;
  result[4] = zero == 0.0 ? 7u : floatBitsToUint(quotient);
  result[5] = floatBitsToUint(normalize(vec3(zero, one, zero)).y);
}
