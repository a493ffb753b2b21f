// As long as the first word says: each invocation goes round a loop so often.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Count { uint count[]; };
layout(binding = 1) buffer Out { uint values[]; };
void main() {
  uint value = gl_LocalInvocationIndex;
  for (uint k = 0u; k < count[0]; ++k) value = value * 1664525u + k;
  values[gl_LocalInvocationIndex] = value;
}
