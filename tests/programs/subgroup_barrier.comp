// -- a subgroup's barrier where other subgroups do not go
// buffer 0 poison: 128
// subgroup-size 8
// expect 0 u32: 1961 1900 1841 1784 1729 1676 1625 1576 248 218 190 164 140 118 98 80 1225 1196 1169 1144 1121 1100 1081 1064 968 906 846 788 732 678 626 576
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
