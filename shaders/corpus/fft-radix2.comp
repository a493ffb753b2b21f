// FFT of 256 complex numbers a workgroup, radix 2 by Stockham, in shared memory.
// small: --groups 2 --buffer Signal=f32:noise:1024:-1..1
// large: --groups 1024 --buffer Signal=f32:noise:524288:-1..1
// differs: 0.01 sine and cosine
// transcendental
#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Signal { vec2 signal[]; };
#define PI 3.14159265358979
#define FFT_N 256u
shared vec2 ping[2][FFT_N];

vec2 cmul(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
vec2 twiddle(float angle) { return vec2(cos(angle), sin(angle)); }

void main() {
  uint t = gl_LocalInvocationID.x;
  uint base = gl_WorkGroupID.x * FFT_N;
  ping[0][t] = signal[base + t];
  ping[0][t + 128u] = signal[base + t + 128u];
  barrier();
  uint src = 0u;
  for (uint ns = 1u; ns < FFT_N; ns <<= 1u) {
    uint k = t & (ns - 1u);
    vec2 a = ping[src][t];
    vec2 b = cmul(ping[src][t + 128u], twiddle(-PI * float(k) / float(ns)));
    uint j = ((t - k) << 1u) + k;
    ping[1u - src][j] = a + b;
    ping[1u - src][j + ns] = a - b;
    src = 1u - src;
    barrier();
  }
  signal[base + t] = ping[src][t];
  signal[base + t + 128u] = ping[src][t + 128u];
}
