// buffer 0 f32: 1 2 3 4 5 6 7 8
// buffer 1 poison: 512
// expect 1 f32: definition
#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { vec4 o[]; };
struct S { vec3 p; float q[2]; mat2 m; bool b; };
S make(float x) { return S(vec3(x, x * 2.0, x * 3.0), float[2](x, -x), mat2(x, 1, 2, 3), x > 4.0); }
void main() {
  uint l = gl_LocalInvocationIndex;
  S s = make(a[l]), t = make(a[(l + 3) % 8]);
  S c = (l & 1) == 1 ? s : t;
  vec4 v = vec4(c.p.zy, c.q[1], float(c.b)).wzyx;
  v[l % 4] += 0.5;
  mat4x3 m = mat4x3(s.p, t.p, c.p, vec3(1));
  m[l % 4] *= 2.0;
  m[(l + 1) % 4][l % 3] = -1.0;
  o[l * 4] = v; o[l * 4 + 1] = vec4(m[l % 4] + m[1], m[3].z);
  o[l * 4 + 2] = vec4(s == t, all(equal(s.p, t.p)), any(lessThan(s.p, t.p)), l);
  bvec3 k = greaterThan(s.p, vec3(5));
  o[l * 4 + 3] = mix(vec4(s.p, 1), vec4(t.p, 2), bvec4(k, true)) + float(not(k).x);
}
