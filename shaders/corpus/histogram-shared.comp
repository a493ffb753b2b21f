// Histogram of bytes, privatised in shared memory, four pixels a word, grid-stride loop.
// small: --groups 2 --push u32:1000 --buffer Pixels=u32:noise:1000 --buffer Bins=zeros:1024
// large: --groups 64 --push u32:1048576 --buffer Pixels=u32:noise:1048576 --buffer Bins=zeros:1024
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Pixels { uint pixels[]; };
layout(binding = 1) buffer Bins { uint bins[256]; };
layout(push_constant) uniform P { uint count; };
shared uint local_bins[256];
void main() {
  local_bins[gl_LocalInvocationIndex] = 0;
  barrier();
  const uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
    uint four = pixels[i];
    atomicAdd(local_bins[four & 255], 1);
    atomicAdd(local_bins[(four >> 8) & 255], 1);
    atomicAdd(local_bins[(four >> 16) & 255], 1);
    atomicAdd(local_bins[four >> 24], 1);
  }
  barrier();
  if (local_bins[gl_LocalInvocationIndex] != 0) atomicAdd(bins[gl_LocalInvocationIndex], local_bins[gl_LocalInvocationIndex]);
}
