// The last workgroup sums what all have left.
#version 460
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) coherent buffer R { uint parts[]; };
layout(binding = 2) buffer C { uint counter, total; };
shared uint sums[128];
shared bool last;
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint sum = 0;
  for (uint k = 0; k < 32; ++k) sum += source[gl_WorkGroupID.x * 4096 + k * 128 + i];
  sums[i] = sum;
  barrier();
  if (i == 0) {
    for (uint k = 1; k < 128; ++k) sum += sums[k];
    parts[gl_WorkGroupID.x] = sum;
    memoryBarrierBuffer();
    last = atomicAdd(counter, 1) == gl_NumWorkGroups.x - 1;
    if (last) {
      memoryBarrierBuffer();
      sum = 0;
      for (uint k = 0; k < gl_NumWorkGroups.x; ++k) sum += parts[k];
      total = sum;
    }
  }
}
