// How often each byte occurs: atomics in workgroup memory, then in a buffer.
#version 460
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer S { uint source[]; };
layout(binding = 2) buffer C { uint bins[256]; };
shared uint own[256];
void main() {
  const uint i = gl_LocalInvocationIndex;
  own[i] = 0;
  barrier();
  for (uint k = 0; k < 16; ++k) atomicAdd(own[source[gl_WorkGroupID.x * 4096 + k * 256 + i] & 0xff], 1);
  barrier();
  atomicAdd(bins[i], own[i]);
}
