// plain_scan.comp with a memory barrier of all invocations before each control barrier, as much GLSL has it.
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
shared uint sums[256];
void main() {
  const uint i = gl_LocalInvocationIndex;
  sums[i] = source[gl_GlobalInvocationID.x];
  memoryBarrierShared(); barrier();
  for (uint apart = 1; apart < 256; apart *= 2) {
    const uint before = i >= apart ? sums[i - apart] : 0;
    memoryBarrierShared(); barrier();
    sums[i] += before;
    memoryBarrierShared(); barrier();
  }
  result[gl_GlobalInvocationID.x] = sums[i];
}
