// -- a lock whose loop a flag ends, which is set where the exchange succeeds. Near miss: the search by a flag of loops_on_shared.comp
// model-only: a device need not run the subgroup that has the lock
// subgroup-size 4
// buffer 0 u32: 0
// expect 0 u32: 10
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16) in;
layout(binding = 0) buffer F { uint o; };
shared uint lock, sum;
void main() {
  if (gl_LocalInvocationIndex == 0) {
    lock = 0;
    sum = 0;
  }
  barrier();
  if (subgroupElect()) {
    bool have = false;
    while (!have) {
      if (atomicCompSwap(lock, 0, 1) == 0) have = true;
    }
    memoryBarrierShared();
    sum += gl_SubgroupID + 1;
    memoryBarrierShared();
    atomicExchange(lock, 0);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0) o = sum;
}
