#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint part[4];
uint twice(uint x) {
  return x + x;
}
void main() {
  uint sum = 0u;
  vec3 colour = vec3(1.0, 0.5, gl_LocalInvocationIndex);
  for (uint i = 0u; i <= gl_LocalInvocationIndex; ++i)
    sum += twice(i);
  part[gl_LocalInvocationIndex] = sum;
  barrier();
  data[gl_GlobalInvocationID.x] = part[3u - gl_LocalInvocationIndex];
}
