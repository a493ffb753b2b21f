// Exclusive scan of blocks of 512 by Blelloch's up and down sweeps, with the bank offsets of GPU Gems 3.
// small: --groups 2 --buffer 0:0=i32:noise:1024:-9..9 --out 0:1=-:4096 --out 0:2=-:8
// large: --groups 2048 --buffer 0:0=i32:noise:1048576:-9..9 --out 0:1=-:4194304 --out 0:2=-:8192
#version 450
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
layout(local_size_x = 256) in;
layout(binding = 0) buffer A { int idata[]; };
layout(binding = 1) buffer B { int odata[]; };
layout(binding = 2) buffer S { int blockSums[]; };
const int n = 512;
shared int temp[n + CONFLICT_FREE_OFFSET(n)];

void main()
{
    const int thid = int(gl_LocalInvocationID.x);
    const int base = int(gl_WorkGroupID.x) * n;
    int ai = thid;
    int bi = thid + (n / 2);
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai);
    int bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = idata[base + ai];
    temp[bi + bankOffsetB] = idata[base + bi];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1;
            int b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    barrier();
    if (thid == 0) {
        int last = n - 1 + CONFLICT_FREE_OFFSET(n - 1);
        blockSums[gl_WorkGroupID.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1;
            int b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            int t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    barrier();
    odata[base + ai] = temp[ai + bankOffsetA];
    odata[base + bi] = temp[bi + bankOffsetB];
}
