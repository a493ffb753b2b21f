// -- with the Vulkan memory model a store to workgroup memory makes it available: subgroups do so in different numbers of turns
// buffer 0 poison: 32
// model-only: lavapipe 22.3.6 stops subgroups when others have left the loop (docs/device-deviations.md)
// expect 0 u32: 0 1 2 3 4 5 6 7
#version 450
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(binding = 0) buffer O { uint turns[]; };
shared uint kept[64];
void main() {
  const uint i = gl_LocalInvocationIndex, subgroup = i / 8;
  kept[i] = 0;
  for (uint k = 0; k < subgroup; ++k) kept[i] = k + 1;
  if (i % 8 == 0) turns[subgroup] = kept[i];
}
