// Matrix product by 16x16 tiles in shared memory, column-major.
// small: --groups 2,2 --push i32:32 --buffer 0:0=f32:noise:1024:-1..1 --buffer 0:1=f32:noise:1024:-2..2 --out 0:2=-:4096
// large: --groups 24,24 --push i32:384 --buffer 0:0=f32:noise:147456:-1..1 --buffer 0:1=f32:noise:147456:-2..2 --out 0:2=-:589824
// differs: 1e-4 sums of products may be contracted
#version 450

#define TS 16
#define AT(m, r, c, n) m[(c) * (n) + (r)]

layout (local_size_x = TS, local_size_y = TS, local_size_z = 1) in;
layout (std430, binding = 0) buffer bufA { float matA[]; };
layout (std430, binding = 1) buffer bufB { float matB[]; };
layout (std430, binding = 2) buffer bufC { float matC[]; };
layout (push_constant) uniform pc { int n; };

shared float As[TS][TS];
shared float Bs[TS][TS];

void main() {
  const int lr = int(gl_LocalInvocationID.x);
  const int lc = int(gl_LocalInvocationID.y);
  const int r = TS * int(gl_WorkGroupID.x) + lr;
  const int c = TS * int(gl_WorkGroupID.y) + lc;
  float acc = 0.f;
  const int tiles = n / TS;
  for (int t = 0; t < tiles; ++t) {
    As[lc][lr] = AT(matA, r, TS * t + lc, n);
    Bs[lc][lr] = AT(matB, TS * t + lr, c, n);
    memoryBarrierShared();
    barrier();
    for (int k = 0; k < TS; ++k)
      acc += As[k][lr] * Bs[lc][k];
    barrier();
  }
  AT(matC, r, c, n) = acc;
}
