// -- two workgroups take two locks in opposite orders: each may wait for the one that the other has. Near miss: two in one order
// model-only: where workgroups run side by side it hangs
// groups 2 1 1
// one-order
// buffer 0 u32: 5*0
// expect 0 u32: 0 0 0 0 2
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) coherent buffer B { uint ordered[2], crossed[2], count; };
void main() {
  const uint g = gl_WorkGroupID.x;
  while (atomicCompSwap(crossed[g], 0, 1) != 0) {}
  while (atomicCompSwap(crossed[1 - g], 0, 1) != 0) {}
  atomicAdd(count, 1);
  atomicExchange(crossed[1 - g], 0);
  atomicExchange(crossed[g], 0);
  // Near miss.
  while (atomicCompSwap(ordered[0], 0, 1) != 0) {}
  while (atomicCompSwap(ordered[1], 0, 1) != 0) {}
  atomicExchange(ordered[1], 0);
  atomicExchange(ordered[0], 0);
}
