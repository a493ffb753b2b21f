// -- a subgroup's barrier where other subgroups do not go
// buffer 0 poison: 128
// subgroup-size 8
// expect 0 u32: definition
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[32];
void main() {
  uint l = gl_LocalInvocationIndex;
  uint r = 1000;
  s[l] = l;
  if (gl_SubgroupID == 1 || gl_SubgroupID == 3) {
    s[l] = l * l;
    subgroupBarrier();
    subgroupMemoryBarrierShared();
    r = s[l ^ 7];
  }
  barrier();
  o[l] = r + s[31 - l];
}
