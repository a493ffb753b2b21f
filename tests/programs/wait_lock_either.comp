// -- a lock whose loop a flag ends, and a number that stays as it is on both sides of the branch that sets the flag
// model-only: a device need not run the subgroup that has the lock
// subgroup-size 4
// buffer 0 u32: 0
// buffer 1 u32: 1 2 3 4 5 6 7 8 9 10
// expect 0 u32: 10
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer F { uint o; };
layout(binding = 1) readonly buffer In { uint values[10]; };
shared uint lock, sum;
void main() {
  if (gl_LocalInvocationIndex == 0) {
    lock = 0;
    sum = 0;
  }
  barrier();
  if (subgroupElect()) {
    bool have = false;
    uint at = 0;
    while (at == 9 || !have) {
      if (atomicCompSwap(lock, 0, 1) == 0)
        have = true;
      else if (values[at] == 99)
        at = 5;
    }
    memoryBarrierShared();
    sum += gl_SubgroupID + 1;
    memoryBarrierShared();
    atomicExchange(lock, 0);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0) o = sum;
}
