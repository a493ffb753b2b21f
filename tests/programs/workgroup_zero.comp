// -- workgroup variables with an initializer of zeros, for each workgroup anew; one without; private variables with initializers
// buffer 0 poison: 96
// expect 0 u32: 0 1 2 3 0 1 2 3 15 26 37 15 15 26 37 15 0 0 0 0 0 0 0 0
// groups 2 1 1
// model-only: initializers of workgroup variables need a feature of Vulkan 1.3 that lavapipe does not turn on here
// finding workgroup_zero.comp:21: data race of equal values: OpStore of 'plain', invocation 1,0,0 of dispatch 0; against the store by 0,0,0 at workgroup_zero.comp:21
#version 460
#extension GL_EXT_null_initializer : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 4) in;
layout(binding = 0) buffer O { uint o[]; };
struct S { uint8_t a; vec3 v; uint64_t q[2]; bool b; };
shared uint plain;
shared uint s[4] = {};
shared S t = {};
uint priv = 5;
uint parr[3] = {10, 20, 30};
S ps = S(uint8_t(1), vec3(2, 3, 4), uint64_t[2](5ul, 6ul), true);
void main() {
  uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;
  plain = 0;
  s[l] += l;
  uint i = g * 4 + l;
  o[i] = s[l];
  uint loc[4] = {};
  priv += l % 3;
  o[8 + i] = priv + parr[l % 3] + loc[l] + uint(ps.q[1]) - 6;
  o[16 + i] = uint(t.a) + uint(t.v[l % 3]) + uint(t.q[l & 1]) + uint(t.b);
  barrier();
  if (l == 0) { t.a = uint8_t(9); t.v = vec3(1); t.b = true; s[3] = 7; }
}
