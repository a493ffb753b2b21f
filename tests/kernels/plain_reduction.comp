// The sum of each workgroup's words: a tree with a barrier a level.
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
shared uint sums[256];
void main() {
  const uint i = gl_LocalInvocationIndex, first = gl_WorkGroupID.x * 1024 + i;
  sums[i] = source[first] + source[first + 256] + source[first + 512] + source[first + 768];
  barrier();
  for (uint half_ = 128; half_ > 0; half_ /= 2) {
    if (i < half_) sums[i] += sums[i + half_];
    barrier();
  }
  if (i == 0) result[gl_WorkGroupID.x] = sums[0];
}
