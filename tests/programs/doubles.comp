// buffer 0 f64: 1.5 -2.25 1e300 -1e-300 0.1 7 3.999 -0.5
// buffer 1 poison: 768
// expect 1 f64: definition
// differs lavapipe-16 from 25.2: values of 64 bits overwrite its stack (Mesa 25.2.8 and 26.2.6)
// differs lavapipe from 26.0: denormals are 0 (Mesa 26.2.6)
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { double a[]; };
layout(binding = 1) buffer B { double o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  double x = a[l], y = a[(l + 3) % 8];
  uint b = l * 12;
  o[b] = x + y; o[b + 1] = x - y; o[b + 2] = x * y; o[b + 3] = x / y;
  o[b + 4] = min(x, y); o[b + 5] = max(x, y); o[b + 6] = floor(x); o[b + 7] = -x;
  o[b + 8] = x < y ? trunc(y) : ceil(x); o[b + 9] = abs(x);
  o[b + 10] = double(int(clamp(x, -100.0lf, 100.0lf))) + double(uint(clamp(y, 0.0lf, 100.0lf)));
  o[b + 11] = packDouble2x32(unpackDouble2x32(x).yx ^ uvec2(0x00f00000u, 0u)) == 0.0 ? 1.0lf : sign(y);
}
