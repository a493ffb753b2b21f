// -- loops that one invocation of the workgroup comes to, by conditions of many kinds: subgroups need not run by themselves
// subgroup-size 16
// buffer 0 u32: 0
// buffer 1 u32: 1 63
// expect 0 u32: 12
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) buffer B { uint o; };
layout(binding = 1) readonly buffer In { uint one, last; };
shared uint stored, count;
void main() {
  const uvec2 id = gl_LocalInvocationID.xy;
  const uint t = gl_LocalInvocationIndex;
  if (t == 0) {
    count = 0;
    stored = one;
  }
  barrier();
#define WAITS { while (atomicAdd(stored, 0) == 0) {} atomicAdd(count, 1); }
  if (id == uvec2(0)) WAITS
  if (id.x == 3) { if (id.y == 2) WAITS }
  if (id.y * 16 + id.x == 17) WAITS
  if (gl_SubgroupInvocationID == 0 && gl_SubgroupID == 0) WAITS
  if (gl_SubgroupID == 1 && subgroupElect()) WAITS
  const bool first = t == 0;
  if (first) WAITS
  if (t < 1) WAITS
  if (t + 1 == gl_WorkGroupSize.x * gl_WorkGroupSize.y) WAITS
  if (gl_GlobalInvocationID.x == 0 && gl_GlobalInvocationID.y == 0) WAITS
  if (!(t != 5 || one == 0)) WAITS
  if (t == gl_NumWorkGroups.x) WAITS
  barrier();
  if (t > 0) return;
  WAITS
  o = count;
}
