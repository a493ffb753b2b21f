// -- near misses of a missed barrier: a whole workgroup returns before it, some return behind the last one, a subgroup's barrier misses none
// buffer 0 u32: 384*7
// groups 3 1 1
// expect 0 u32: 0..63 64*7 128*7 0..63 64*7
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) buffer B { uint o[]; };
shared uint s[128];
void main() {
  const uint l = gl_LocalInvocationIndex;
  if (gl_WorkGroupID.x == 1) return;
  s[l] = l;
  barrier();
  const uint other = s[127 - l];
  barrier();
  if (l >= 64) return;
  subgroupBarrier();
  o[gl_WorkGroupID.x * 128 + l] = 127 - other;
}
