// -- race_scan.comp with both barriers.
// buffer 0 u32: 64*1
// expect 0 u32: 1..64
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint values[]; };
shared uint partial[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
  partial[i] = values[i];
  for (uint step = 1; step < 64; step *= 2) {
    barrier();
    uint sum = i < step ? 0 : partial[i - step];
    sum += partial[i];
    barrier();
    partial[i] = sum;
  }
  values[i] = partial[i];
}
