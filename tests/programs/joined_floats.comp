// -- a product and a sum, and a sum of three, which the interpreter executes as one operation: each of both is rounded
// buffer 0 f32: 1.000244140625 16777216
// buffer 1 f32: 1.000244140625 1
// buffer 2 f32: -1.00048828125 1
// buffer 3 f64: 1.000000007450580596923828125 9007199254740992
// buffer 4 f64: 1.000000007450580596923828125 1
// buffer 5 f64: -1.00000001490116119384765625 1
// buffer 6 poison: 24
// buffer 7 poison: 48
// -- of each invocation: the product and z, the sum of all three, and a difference that is none of them
// expect 6 f32: 0 1 2.0009765625 16777216 16777216 0
// expect 7 f64: 0 1 2.0000000298023223876953125 9007199254740992 9007199254740992 0
#version 460
layout(local_size_x = 2) in;
layout(binding = 0) buffer X { float xs[]; };
layout(binding = 1) buffer Y { float ys[]; };
layout(binding = 2) buffer Z { float zs[]; };
layout(binding = 3) buffer P { double ps[]; };
layout(binding = 4) buffer Q { double qs[]; };
layout(binding = 5) buffer R { double rs[]; };
layout(binding = 6) buffer O { precise float o[]; };
layout(binding = 7) buffer W { precise double w[]; };
void main() {
  uint i = gl_LocalInvocationIndex, at = 3 * i;
  float x = xs[i], y = ys[i], z = zs[i];
  double p = ps[i], q = qs[i], r = rs[i];
  o[at] = z + x * y;
  o[at + 1] = x + y + z;
  o[at + 2] = y * y - z;
  w[at] = p * q + r;
  w[at + 1] = r + (p + q);
  w[at + 2] = q * q - r;
}
