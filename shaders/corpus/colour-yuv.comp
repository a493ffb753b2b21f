// Colour conversion: packed RGBA8 to planar YUV 4:2:0 (BT.601, integers), two by two pixels an invocation.
// small: --groups 2,1 --push u32:20,12 --buffer Rgba=u32:noise:240 --out Luma=-:240 --out Chroma=-:240
// large: --groups 64,64 --push u32:1024,1024 --buffer Rgba=u32:noise:1048576 --out Luma=-:1048576 --out Chroma=-:1048576
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer Rgba { uint rgba[]; };
layout(binding = 1) writeonly buffer Luma { uint8_t luma[]; };
layout(binding = 2) writeonly buffer Chroma { int chroma[]; };
layout(push_constant) uniform Dim { uvec2 dim; };
ivec3 unpackPixel(uint p) { return ivec3(p & 0xff, p >> 8 & 0xff, p >> 16 & 0xff); }
void main() {
  uvec2 block = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(block * 2, dim))) return;
  ivec3 sum = ivec3(0);
  for (uint i = 0; i < 4; i++) {
    uvec2 p = block * 2 + uvec2(i & 1, i >> 1);
    ivec3 c = unpackPixel(rgba[p.y * dim.x + p.x]);
    sum += c;
    luma[p.y * dim.x + p.x] = uint8_t((66 * c.r + 129 * c.g + 25 * c.b + 128 >> 8) + 16);
  }
  ivec3 c = (sum + 2) >> 2;
  int u = (-38 * c.r - 74 * c.g + 112 * c.b + 128 >> 8) + 128;
  int v = (112 * c.r - 94 * c.g - 18 * c.b + 128 >> 8) + 128;
  chroma[block.y * (dim.x / 2) + block.x] = u | v << 16;
}
