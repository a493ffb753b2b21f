// -- each workgroup leaves its sum, and the last to count itself adds all: nothing releases the sums, and nothing acquires them
// model-only: what a device gives is its own business
// groups 4 1 1
// buffer 0 u32: 128*1
// buffer 1 poison: 16
// buffer 2 u32: 0 0
// expect 2 u32: 4 128
// finding fresh_last_sum.comp:29: data race: OpLoad of 'sums[0]', invocation 96,0,0 of dispatch 0; against the store by 0,0,0 at fresh_last_sum.comp:23; it read 32; nothing orders their workgroups, and 'sums' is not coherent
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer V { uint values[]; };
layout(binding = 1) buffer P { uint sums[]; };
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
    isLast = atomicAdd(counted, 1) == gl_NumWorkGroups.x - 1;
  }
  barrier();
  if (!isLast || i != 0) return;
  uint all = 0;
  for (uint g = 0; g < gl_NumWorkGroups.x; ++g) all += sums[g];
  total = all;
}
