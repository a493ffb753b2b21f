// String search: how often a pattern of bytes occurs, and where first; text packed four bytes a word.
// small: --groups 4 --push u32:1000,0x01000100 --buffer Text=u8:noise:1004:0..1 --buffer Found=u32:0,0xffffffff
// large: --groups 4096 --push u32:1048576,0x01000100 --buffer Text=u8:noise:1048580:0..1 --buffer Found=u32:0,0xffffffff
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Text { uint text[]; };
layout(binding = 1) buffer Found { uint matches; uint first; };
layout(push_constant) uniform Pattern { uint characters; uint pattern; };
uint byteAt(uint i) { return bitfieldExtract(text[i >> 2], int(i & 3u) * 8, 8); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= characters) return;
  for (uint k = 0u; k < 4u; ++k)
    if (byteAt(i + k) != ((pattern >> (8u * k)) & 255u)) return;
  atomicAdd(matches, 1u);
  atomicMin(first, i);
}
