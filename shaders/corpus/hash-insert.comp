// Hash table insertion with open addressing. Larger keys push smaller ones on, so the table does not depend on the order.
// small: --groups 3 --push u32:150,255 --buffer Keys=u32:noise:150:1..4000000000 --buffer Table=zeros:1024
// large: --groups 4096 --push u32:262144,1048575 --buffer Keys=u32:noise:262144:1..4000000000 --buffer Table=zeros:4194304
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Keys { uint keys[]; };
layout(binding = 1) buffer Table { uint slots[]; };
layout(push_constant) uniform Push { uint count; uint mask; };
uint murmur(uint k) {
  k ^= k >> 16;
  k *= 0x85ebca6bu;
  k ^= k >> 13;
  k *= 0xc2b2ae35u;
  return k ^ (k >> 16);
}
void main() {
  if (gl_GlobalInvocationID.x >= count) return;
  uint key = keys[gl_GlobalInvocationID.x];
  uint slot = murmur(key) & mask;
  for (uint probes = 0u; probes <= mask; ++probes) {
    uint old = atomicMax(slots[slot], key);
    if (old == 0u || old == key) return;
    key = min(old, key);  // the smaller one moves on
    slot = (slot + 1u) & mask;
  }
}
