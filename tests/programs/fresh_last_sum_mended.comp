// -- fresh_last_sum.comp whose sums are coherent, released before a workgroup counts itself and acquired behind it
// groups 4 1 1
// buffer 0 u32: 128*1
// buffer 1 poison: 16
// buffer 2 u32: 0 0
// expect 2 u32: 4 128
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer V { uint values[]; };
layout(binding = 1) coherent buffer P { uint sums[]; };
layout(binding = 2) buffer T { uint counted; uint total; };
shared uint sum;
shared bool isLast;
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) sum = 0;
  barrier();
  atomicAdd(sum, values[gl_GlobalInvocationID.x]);
  barrier();
  if (i == 0) {
    sums[gl_WorkGroupID.x] = sum;
    memoryBarrierBuffer();
    isLast = atomicAdd(counted, 1) == gl_NumWorkGroups.x - 1;
    memoryBarrierBuffer();
  }
  barrier();
  if (!isLast || i != 0) return;
  uint all = 0;
  for (uint g = 0; g < gl_NumWorkGroups.x; ++g) all += sums[g];
  total = all;
}
