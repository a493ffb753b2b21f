// SHA-256 compression of one block of 16 words for each invocation, rounds unrolled by macros.
// small: --groups 1 --buffer Blocks=u32:noise:512 --out Digests=-:1024
// large: --groups 512 --buffer Blocks=u32:noise:262144 --out Digests=-:524288
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Blocks { uint blocks[]; };
layout(binding = 1) writeonly buffer Digests { uint digests[]; };
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define S0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define S1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define s0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define s1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))
#define CH(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJ(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
#define STEP(a, b, c, d, e, f, g, h, k, w) { uint t = h + S1(e) + CH(e, f, g) + k + (w); d += t; h = t + S0(a) + MAJ(a, b, c); }
#define W(i) w[(i) & 15]
#define EXPAND(i) (W(i) += s1(W(i - 2)) + W(i - 7) + s0(W(i - 15)))
#define EIGHT(i, X) \
  STEP(a, b, c, d, e, f, g, h, K[i], X(i)) STEP(h, a, b, c, d, e, f, g, K[i + 1], X(i + 1)) \
  STEP(g, h, a, b, c, d, e, f, K[i + 2], X(i + 2)) STEP(f, g, h, a, b, c, d, e, K[i + 3], X(i + 3)) \
  STEP(e, f, g, h, a, b, c, d, K[i + 4], X(i + 4)) STEP(d, e, f, g, h, a, b, c, K[i + 5], X(i + 5)) \
  STEP(c, d, e, f, g, h, a, b, K[i + 6], X(i + 6)) STEP(b, c, d, e, f, g, h, a, K[i + 7], X(i + 7))
const uint K[64] = uint[64](
  0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
  0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
  0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
  0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
  0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
  0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
  0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
  0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);
void main() {
  const uint at = gl_GlobalInvocationID.x;
  uint w[16];
  for (int i = 0; i < 16; ++i) w[i] = blocks[at * 16 + i];
  uint a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au, e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
  EIGHT(0, W) EIGHT(8, W)
  EIGHT(16, EXPAND) EIGHT(24, EXPAND) EIGHT(32, EXPAND) EIGHT(40, EXPAND) EIGHT(48, EXPAND) EIGHT(56, EXPAND)
  digests[at * 8] = a + 0x6a09e667u;
  digests[at * 8 + 1] = b + 0xbb67ae85u;
  digests[at * 8 + 2] = c + 0x3c6ef372u;
  digests[at * 8 + 3] = d + 0xa54ff53au;
  digests[at * 8 + 4] = e + 0x510e527fu;
  digests[at * 8 + 5] = f + 0x9b05688cu;
  digests[at * 8 + 6] = g + 0x1f83d9abu;
  digests[at * 8 + 7] = h + 0x5be0cd19u;
}
