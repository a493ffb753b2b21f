// -- two subgroups take two locks in opposite orders: each may wait for the one that the other has (wait_two_locks.comp)
// model-only: where subgroups run side by side it hangs
// subgroup-size 16
// one-order
// buffer 0 u32: 0
// expect 0 u32: 2
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint count; };
shared uint crossed[2];
void main() {
  if (gl_LocalInvocationIndex < 2) crossed[gl_LocalInvocationIndex] = 0;
  barrier();
  if (subgroupElect()) {
    const uint g = gl_SubgroupID;
    while (atomicCompSwap(crossed[g], 0, 1) != 0) {}
    while (atomicCompSwap(crossed[1 - g], 0, 1) != 0) {}
    atomicAdd(count, 1);
    atomicExchange(crossed[1 - g], 0);
    atomicExchange(crossed[g], 0);
  }
}
