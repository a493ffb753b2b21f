// CRC-32 of many messages of 64 bytes, bit by bit and without a table.
// small: --groups 2 --buffer M=u32:noise:1024 --out C=-:256
// large: --groups 512 --buffer M=u32:noise:262144 --out C=-:65536
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer M { uint message[]; };
layout(binding = 1) writeonly buffer C { uint crc[]; };
void main() {
  uint c = 0xFFFFFFFFu;
  for (int w = 0; w < 16; ++w) {
    uint word = message[gl_GlobalInvocationID.x * 16u + uint(w)];
    for (int b = 0; b < 4; ++b) {
      c ^= (word >> (8 * b)) & 0xFFu;
      for (int k = 0; k < 8; ++k) c = (c & 1u) != 0u ? (c >> 1) ^ 0xEDB88320u : c >> 1;
    }
  }
  crc[gl_GlobalInvocationID.x] = ~c;
}
