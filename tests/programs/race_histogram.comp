// -- a bin is set to zero by a plain store while others already count into it
// buffer 0 poison: 64
// buffer 1 u32: 0
// model-only: what a device gives is its own business
// expect 1 u32: 7
// finding race_histogram.comp:15: data race: OpAtomicIAdd of 'bins[0]', invocation 16,0,0 of dispatch 0; against the store by 0,0,0 at race_histogram.comp:14; first it is 1, then 2; no barrier of the workgroup orders them
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint counts[]; };
layout(binding = 1) buffer D { uint done; };
shared uint bins[16];
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i < 16) bins[i] = 0;
  atomicAdd(bins[i % 16], 1);
  barrier();
  if (i < 16) counts[i] = bins[i];
  if (i == 0) done = 7;
}
