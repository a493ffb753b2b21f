// Each invocation goes from word to word, 64 times.
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 1) writeonly buffer R { uint result[]; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  for (int hop = 0; hop < 64; ++hop) at = source[at % source.length()];
  result[gl_GlobalInvocationID.x] = at;
}
