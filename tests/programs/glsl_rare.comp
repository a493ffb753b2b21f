// -- functions of GLSL that few kernels use: 1 where the result is as near as it must be
// buffer 0 f32: 90 3.14159265 4 -7 0.8 -0.6
// buffer 1 u32: 0x80007fff 0xffff0000 9 5
// buffer 2 poison: 80
// expect 2 f32: 1 1 1 1 -1 0 1 0 1 0 -1 0 0 0 0 5
// expect 2 f32: 1 1 0 1
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer U { uint u[]; };
layout(binding = 2) buffer B { float o[]; };
bool near(float x, float y) { return abs(x - y) < 1e-5; }
void main() {
  int n = 0;
  o[n++] = float(near(radians(a[0]), 1.57079633));
  o[n++] = float(near(degrees(a[1]), 180.0) || abs(degrees(a[1]) - 180.0) < 1e-3);
  o[n++] = float(near(inversesqrt(a[2]), 0.5));
  o[n++] = float(sign(int(u[3])));
  o[n++] = float(sign(int(a[3])));
  o[n++] = float(sign(int(u[3]) - 5));
  vec2 s = unpackSnorm2x16(u[0]), t = unpackUnorm2x16(u[1]);
  o[n++] = s.x; o[n++] = s.y + 1.0; o[n++] = t.y; o[n++] = t.x;
  vec3 through = refract(vec3(0.0, -a[2] * 0.25, 0.0), vec3(0.0, 1.0, 0.0), 0.5), none = refract(vec3(a[4], a[5], 0.0), vec3(0.0, 1.0, 0.0), 2.0);
  o[n++] = through.y; o[n++] = float(through.x != 0.0); o[n++] = none.x; o[n++] = none.y; o[n++] = none.z;
  o[n++] = float(min(u[2], u[3]));
  o[n++] = float(ldexp(a[2], -2)); o[n++] = float(min(u[2], 1u)); o[n++] = min(a[2], 0.0); o[n++] = float(max(u[3], 1u) - 4u);
}
