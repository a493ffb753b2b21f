// Transposition of a matrix, every invocation one element.
// small: --groups 3,3 --push u32:40,33 --buffer 0:0=u32:noise:1320 --out 0:1=-:5280
// large: --groups 64,64 --push u32:1024,1024 --buffer 0:0=u32:noise:1048576 --out 0:1=-:4194304
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform Shape { uint w; uint h; };
void main() {
  const uvec3 id = gl_GlobalInvocationID;
  if (id.x < w && id.y < h) y[id.x * h + id.y] = x[id.y * w + id.x];
}
