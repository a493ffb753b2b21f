// What Vulkan leaves open, in an element of an array that each invocation indexes as it likes: it is the first results, not the second
// ones, and it decides the third.
#version 460
layout(local_size_x = 4) in;
layout(binding = 0) buffer R { float result[]; };
layout(binding = 1) readonly buffer X { float x[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  float own[4];
  for (uint k = 0; k < 4; ++k) own[k] = x[k];
  own[(i + 1) % 4] = exp(x[i]);
  result[i] = own[(i * 5 + 1) % 4];
  result[4 + i] = own[(i + 2) % 4];
  float decided = 2;
  if (own[(i * 5 + 1) % 4] > 3) decided = 1;
  result[8 + i] = decided;
}
