// First pass of a radix sort: each workgroup counts one digit of its block; counts are by digit, then by block.
// small: --groups 3 --push u32:4,3 --buffer elements_in=u32:noise:768 --out histograms=-:192
// large: --groups 4096 --push u32:8,4096 --buffer elements_in=u32:noise:1048576 --out histograms=-:262144
#version 450
#define RADIX_BITS 4
#define RADIX (1 << RADIX_BITS)
layout(local_size_x = 256) in;
layout(push_constant) uniform Constants { uint g_shift; uint g_num_blocks; };
layout(std430, set = 0, binding = 0) readonly buffer elements_in { uint keys[]; };
layout(std430, set = 0, binding = 1) writeonly buffer histograms { uint counts[]; };
shared uint digit_count[RADIX];
void main() {
  uint lID = gl_LocalInvocationID.x;
  if (lID < RADIX) digit_count[lID] = 0U;
  barrier();
  uint digit = (keys[gl_GlobalInvocationID.x] >> g_shift) & (RADIX - 1);
  atomicAdd(digit_count[digit], 1U);
  barrier();
  if (lID < RADIX) counts[lID * g_num_blocks + gl_WorkGroupID.x] = digit_count[lID];
}
