// Each invocation sorts sixteen words in an array of its own.
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
void main() {
  const uint first = gl_GlobalInvocationID.x * 16;
  uint own[16];
  for (int i = 0; i < 16; ++i) {
    const uint value = source[first + i];
    int k = i;
    for (; k > 0 && own[k - 1] > value; --k) own[k] = own[k - 1];
    own[k] = value;
  }
  for (int i = 0; i < 16; ++i) result[first + i] = own[i];
}
