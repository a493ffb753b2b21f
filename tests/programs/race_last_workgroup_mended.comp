// -- race_last_workgroup.comp: the parts are coherent, and fences stand on both sides of the counter.
// buffer 0 u32: 256*1
// buffer 1 poison: 16
// buffer 2 u32: 0 0
// groups 4 1 1
// expect 2 u32: 4 256
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) coherent buffer P { uint parts[]; };
layout(binding = 2) buffer C { uint counter; uint total; };
shared uint sum;
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) sum = 0;
  barrier();
  atomicAdd(sum, values[gl_GlobalInvocationID.x]);
  barrier();
  if (i == 0) {
    parts[gl_WorkGroupID.x] = sum;
    memoryBarrierBuffer();
    if (atomicAdd(counter, 1) == 3) {
      memoryBarrierBuffer();
      uint all = 0;
      for (uint k = 0; k < 4; ++k) all += parts[k];
      total = all;
    }
  }
}
