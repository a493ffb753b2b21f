// -- No race: one invocation of each workgroup counts for all, behind a barrier, and another one reads what all have left.
// buffer 0 poison: 1024
// buffer 1 u32: 0
// buffer 2 u32: 0
// groups 4 1 1
// expect 2 u32: 8320
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer P { uint parts[]; };
layout(binding = 1) buffer C { uint counter; };
layout(binding = 2) buffer S { uint sum; };
shared bool isLast;
void main() {
  uint l = gl_LocalInvocationIndex;
  parts[gl_GlobalInvocationID.x] = l + 1u;
  memoryBarrierBuffer();
  barrier();
  if (l == 0u) {
    memoryBarrierBuffer();
    isLast = atomicAdd(counter, 1u) == 3u;
    memoryBarrierBuffer();
  }
  barrier();
  memoryBarrierBuffer();
  if (isLast && l == 5u)
    for (uint k = 0u; k < 256u; ++k) sum += parts[k];
}
