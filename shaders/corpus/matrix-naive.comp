// Matrix product, row by column, one invocation an element.
// small: --groups 3,3 --push u32:20,24,17 --buffer A=f32:noise:340:-1..1 --buffer B=f32:noise:408:-1..1 --out C=-:1920
// large: --groups 32,32 --push u32:256,256,256 --buffer A=f32:noise:65536:-1..1 --buffer B=f32:noise:65536:-1..1 --out C=-:262144
// differs: 1e-4 sums of products may be contracted
#version 450
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Dims { uint M, N, K; };
layout(set = 0, binding = 0) readonly buffer MatA { float a[]; } A;
layout(set = 0, binding = 1) readonly buffer MatB { float b[]; } B;
layout(set = 0, binding = 2) writeonly buffer MatC { float c[]; } C;

void main()
{
    uint row = gl_GlobalInvocationID.y;
    uint col = gl_GlobalInvocationID.x;
    if (row >= M || col >= N)
        return;
    float sum = 0.0;
    for (uint k = 0u; k < K; k++)
        sum += A.a[row * K + k] * B.b[k * N + col];
    C.c[row * N + col] = sum;
}
