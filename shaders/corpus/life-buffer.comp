// Conway's life on a torus, a cell a word.
// small: --groups 3,2 --push i32:20,13 --buffer 0:0=u32:noise:260:0..1 --out 0:1=-:1040
// large: --groups 128,128 --push i32:1024,1024 --buffer 0:0=u32:noise:1048576:0..1 --out 0:1=-:4194304
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer Old { uint old[]; };
layout(std430, binding = 1) writeonly buffer New { uint new_[]; };
layout(push_constant) uniform Grid { int width; int height; };
uint cell(int x, int y) {
  x = (x + width) % width;
  y = (y + height) % height;
  return old[y * width + x];
}
void main() {
  int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
  if (x >= width || y >= height) return;
  uint n = cell(x - 1, y - 1) + cell(x, y - 1) + cell(x + 1, y - 1) + cell(x - 1, y) + cell(x + 1, y) + cell(x - 1, y + 1) +
           cell(x, y + 1) + cell(x + 1, y + 1);
  new_[y * width + x] = (n == 3u || (n == 2u && cell(x, y) == 1u)) ? 1u : 0u;
}
