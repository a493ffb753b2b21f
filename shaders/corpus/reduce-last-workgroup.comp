// Sum in one pass: the last workgroup to finish adds the partial sums of all.
// small: --groups 5 --buffer In=u32:noise:640 --buffer Work=zeros:24 --out Total=-:4
// large: --groups 4096 --buffer In=u32:noise:524288 --buffer Work=zeros:16388 --out Total=-:4
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer In { uint data[]; };
layout(std430, binding = 1) coherent buffer Work { uint finished; uint partial[]; };
layout(std430, binding = 2) writeonly buffer Total { uint total; };
shared uint s[128];
shared bool isLast;

uint blockSum(uint mine) {
  const uint t = gl_LocalInvocationIndex;
  barrier();
  s[t] = mine;
  barrier();
  for (uint k = 64u; k != 0u; k /= 2u) {
    if (t < k) s[t] += s[t + k];
    barrier();
  }
  return s[0];
}

void main() {
  uint sum = blockSum(data[gl_GlobalInvocationID.x]);
  if (gl_LocalInvocationIndex == 0u) {
    partial[gl_WorkGroupID.x] = sum;
    memoryBarrierBuffer();
    isLast = atomicAdd(finished, 1u) == gl_NumWorkGroups.x - 1u;
    memoryBarrierBuffer();
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  if (!isLast) return;
  uint mine = 0u;
  for (uint i = gl_LocalInvocationIndex; i < gl_NumWorkGroups.x; i += 128u) mine += partial[i];
  sum = blockSum(mine);
  if (gl_LocalInvocationIndex == 0u) total = sum;
}
