// -- values that are exact, and the nearest floats of the others
// model-only: devices need not agree
// buffer 0 f32: 0 1 0.5 2
// buffer 1 poison: 288
// expect 1 f32: 0 1 0 0 1.57079637 0 0 1 0 0 nan 0 1 1 -inf -inf 0 0
// expect 1 f32: 0.841470957 0.540302277 1.55740774 1.57079637 0 0.785398185 1.17520118 1.54308069 0.761594176 0.881373584 0 inf 2.71828175 2 0 0 0.785398185 1
// expect 1 f32: 0.47942555 0.87758255 0.546302497 0.52359879 1.04719758 0.463647604 0.521095276 1.12762594 0.462117165 0.481211811 nan 0.549306154 1.64872122 1.41421354 -0.693147182 -1 0.463647604 0.5
// expect 1 f32: 0.909297407 -0.416146845 -2.18503976 nan nan 1.10714877 3.62686038 3.76219559 0.964027584 1.44363546 1.31695795 nan 7.38905621 4 0.693147182 1 1.10714877 2
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
