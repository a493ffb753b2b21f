// Histogram of the luminance of packed RGBA8 pixels, an atomic in global memory for each.
// small: --groups 3,2 --push i32:20,15 --buffer Pixels=u32:noise:300 --buffer Bins=zeros:1024
// large: --groups 64,64 --push i32:1024,1024 --buffer Pixels=u32:noise:1048576 --buffer Bins=zeros:1024
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer Pixels { uint px[]; };
layout(binding = 1) buffer Bins { uint bin[]; };
layout(push_constant) uniform Size { ivec2 size; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= size.x || p.y >= size.y) return;
  uint c = px[p.y * size.x + p.x];
  uint r = c & 0xffu, g = (c >> 8) & 0xffu, b = (c >> 16) & 0xffu;
  uint luma = (77u * r + 150u * g + 29u * b) >> 8;
  atomicAdd(bin[luma], 1u);
}
