// -- a lock of the elected invocation of each of four subgroups, for all of which the sum of both numbers is 3: several, though no two have one lane
// model-only: a device need not run the subgroup that has the lock
// subgroup-size 16
// buffer 0 u32: 0
// expect 0 u32: 4
#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o; };
shared uint lock, sum;
void main() {
  if (gl_LocalInvocationIndex == 0) {
    lock = 0;
    sum = 0;
  }
  barrier();
  if (gl_SubgroupInvocationID + gl_SubgroupID >= 3)
    if (subgroupElect())
      if (gl_SubgroupInvocationID + gl_SubgroupID == 3) {
        while (atomicCompSwap(lock, 0, 1) != 0) {}
        memoryBarrierShared();
        sum++;
        memoryBarrierShared();
        atomicExchange(lock, 0);
      }
  barrier();
  if (gl_LocalInvocationIndex == 0) o = sum;
}
