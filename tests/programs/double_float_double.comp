// -- A double becomes a float and a double again: rounded, out of range, below the smallest.
// differs lavapipe from 25.0: the two conversions are left out, and the double keeps all its bits (Mesa 25.0.7)
// buffer 0 f64: 1.5 1e300 -1e-300 0.1 3.999 -0.5
// buffer 1 poison: 48
// expect 1 f64: 1.5 inf -0.0 0.10000000149011612 3.999000072479248 -0.5
#version 460
layout(local_size_x = 6) in;
layout(binding = 0) buffer A { double a[]; };
layout(binding = 1) buffer B { double o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = double(float(a[l]));
}
