// Radix sort of 256 keys a workgroup in shared memory, one bit at a time: the zeros before the ones, each in their order.
// small: --groups 2 --buffer Keys=u32:noise:512
// large: --groups 256 --buffer Keys=u32:noise:65536
#version 430
layout(local_size_x = 256) in;
layout(std430, binding = 0) buffer Keys { uint key[]; };
shared uint flags[256];
shared uint sorted[256];
void main() {
  const uint i = gl_LocalInvocationID.x;
  uint k = key[gl_GlobalInvocationID.x];
  for (uint bit = 0u; bit < 32u; ++bit) {
    uint zero = 1u - ((k >> bit) & 1u);
    flags[i] = zero;
    for (uint d = 1u; d < 256u; d <<= 1u) {
      barrier();
      uint v = i >= d ? flags[i - d] : 0u;
      barrier();
      flags[i] += v;
    }
    barrier();
    uint zeros = flags[255];
    uint place = zero == 1u ? flags[i] - 1u : zeros + i - flags[i];
    sorted[place] = k;
    barrier();
    k = sorted[i];
  }
  key[gl_GlobalInvocationID.x] = k;
}
