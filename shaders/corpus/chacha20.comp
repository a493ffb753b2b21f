// ChaCha20: the key stream of a block counter, xored onto the text; quarter rounds in functions with inout.
// small: --groups 1 --push u32:noise:12 --buffer Text=u32:noise:1024
// large: --groups 256 --push u32:noise:12 --buffer Text=u32:noise:262144
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Text { uvec4 text[]; };
layout(push_constant) uniform Key { uvec4 key0, key1, nonce; };
uvec4 rotl(uvec4 v, int n) { return (v << n) | (v >> (32 - n)); }
void rounds(inout uvec4 a, inout uvec4 b, inout uvec4 c, inout uvec4 d) {
  a += b; d = rotl(d ^ a, 16);
  c += d; b = rotl(b ^ c, 12);
  a += b; d = rotl(d ^ a, 8);
  c += d; b = rotl(b ^ c, 7);
}
void main() {
  uint block = gl_GlobalInvocationID.x;
  uvec4 s0 = uvec4(0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u), s3 = uvec4(block, nonce.xyz);
  uvec4 a = s0, b = key0, c = key1, d = s3;
  for (int i = 0; i < 10; ++i) {
    rounds(a, b, c, d);
    b = b.yzwx; c = c.zwxy; d = d.wxyz;
    rounds(a, b, c, d);
    b = b.wxyz; c = c.zwxy; d = d.yzwx;
  }
  text[block * 4u] ^= a + s0;
  text[block * 4u + 1u] ^= b + key0;
  text[block * 4u + 2u] ^= c + key1;
  text[block * 4u + 3u] ^= d + s3;
}
