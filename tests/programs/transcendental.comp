// -- values that are exact, and the nearest floats of the others
// model-only: devices need not agree
// buffer 0 f32: 0 1 0.5 2
// buffer 1 poison: 288
// expect 1 f32: definition
// finding undefined value: OpStore of 'o[57]', an output of the job, invocation 3,0,0 of dispatch 0; from Asin
// finding undefined value: OpStore of 'o[10]', an output of the job, invocation 0,0,0 of dispatch 0; from Acosh
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float o[]; };
void main() {
  float x = a[gl_LocalInvocationIndex];
  uint b = gl_LocalInvocationIndex * 18;
  o[b] = sin(x); o[b + 1] = cos(x); o[b + 2] = tan(x); o[b + 3] = asin(x); o[b + 4] = acos(x); o[b + 5] = atan(x); o[b + 6] = sinh(x); o[b + 7] = cosh(x);
  o[b + 8] = tanh(x); o[b + 9] = asinh(x); o[b + 10] = acosh(x); o[b + 11] = atanh(x); o[b + 12] = exp(x); o[b + 13] = exp2(x); o[b + 14] = log(x); o[b + 15] = log2(x);
  o[b + 16] = atan(x, 1.0); o[b + 17] = pow(x, 1.0);
}
