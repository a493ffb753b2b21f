// Bitonic sort of 1024 floats a workgroup, 512 invocations, every comparison in shared memory.
// small: --groups 2 --buffer 0:0=f32:noise:2048:-9..9
// large: --groups 256 --buffer 0:0=f32:noise:262144:-9..9
#version 450
layout(local_size_x = 512) in;
layout(binding = 0) buffer Data { float value[]; } data;
shared float s[1024];

void compareAndSwap(uint a, uint b, bool up) {
  float x = s[a], y = s[b];
  if ((x > y) == up) { s[a] = y; s[b] = x; }
}

void main() {
  uint t = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 1024;
  s[t] = data.value[base + t];
  s[t + 512] = data.value[base + t + 512];
  for (uint size = 2; size <= 1024; size <<= 1)
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier();
      uint low = 2 * t - (t & (stride - 1));
      compareAndSwap(low, low + stride, (low & size) == 0);
    }
  barrier();
  data.value[base + t] = s[t];
  data.value[base + t + 512] = s[t + 512];
}
