// -- a scan whose steps read and write with one barrier between them, and not with two: a step overwrites what others still read
// buffer 0 u32: 64*1
// buffer 1 u32: 0
// model-only: what a device gives is its own business
// expect 1 u32: 7
// finding race_scan.comp:19: data race: OpStore of 'partial[0]', invocation 0,0,0 of dispatch 0; against the load by 1,0,0 at race_scan.comp:17; the value is 1; no barrier of the workgroup orders them
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) buffer D { uint done; };
shared uint partial[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
  partial[i] = values[i];
  for (uint step = 1; step < 64; step *= 2) {
    barrier();
    uint sum = i < step ? 0 : partial[i - step];
    sum += partial[i];
    partial[i] = sum;
  }
  values[i] = partial[i];
  if (i == 0) done = 7;
}
