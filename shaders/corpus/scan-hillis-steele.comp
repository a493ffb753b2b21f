// Inclusive scan of each block of 256 by Hillis and Steele, double-buffered in shared memory.
// small: --groups 3 --buffer 0:0=u32:noise:768 --out 0:1=-:3072
// large: --groups 4096 --buffer 0:0=u32:noise:1048576 --out 0:1=-:4194304
#version 450
#define N 256
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer In { uint g_in[]; };
layout(binding = 1) writeonly buffer Out { uint g_out[]; };
shared uint temp[2 * N];
void main() {
  uint thid = gl_LocalInvocationID.x;
  uint pout = 0, pin = 1;
  temp[pout * N + thid] = g_in[gl_GlobalInvocationID.x];
  barrier();
  for (uint offset = 1; offset < N; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * N + thid] = temp[pin * N + thid] + temp[pin * N + thid - offset];
    else
      temp[pout * N + thid] = temp[pin * N + thid];
    barrier();
  }
  g_out[gl_GlobalInvocationID.x] = temp[pout * N + thid];
}
