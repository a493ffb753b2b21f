// -- the last workgroup to come sums what all have left, but its counter orders nothing
// buffer 0 u32: 256*1
// buffer 1 poison: 16
// buffer 2 u32: 0 0
// groups 4 1 1
// model-only: what a device gives is its own business
// expect 2 u32: 4 256
// finding race_last_workgroup.comp:25: data race: OpLoad of 'parts[0]', invocation 192,0,0 of dispatch 0; against the store by 0,0,0 at race_last_workgroup.comp:22; it read 64; nothing orders their workgroups, and 'parts' is not coherent
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) buffer P { uint parts[]; };
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
    if (atomicAdd(counter, 1) == 3) {
      uint all = 0;
      for (uint k = 0; k < 4; ++k) all += parts[k];
      total = all;
    }
  }
}
