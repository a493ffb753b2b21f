// -- race_histogram.comp with a barrier behind the zeroes.
// buffer 0 poison: 64
// expect 0 u32: 16*4
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint counts[]; };
shared uint bins[16];
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i < 16) bins[i] = 0;
  barrier();
  atomicAdd(bins[i % 16], 1);
  barrier();
  if (i < 16) counts[i] = bins[i];
}
