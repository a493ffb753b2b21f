// Sums of all words before, in each workgroup: log2(256) turns with two barriers each.
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
shared uint sums[256];
void main() {
  const uint i = gl_LocalInvocationIndex;
  sums[i] = source[gl_GlobalInvocationID.x];
  barrier();
  for (uint apart = 1; apart < 256; apart *= 2) {
    const uint before = i >= apart ? sums[i - apart] : 0;
    barrier();
    sums[i] += before;
    barrier();
  }
  result[gl_GlobalInvocationID.x] = sums[i];
}
