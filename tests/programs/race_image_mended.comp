// -- race_image.comp with a coherent image, and fences that name images on both sides of the barrier.
// image 0 r32ui 2d 8x1
// buffer 1 poison: 32
// expect 1 u32: 1..7 0
#version 460
layout(local_size_x = 8) in;
layout(binding = 0, r32ui) coherent uniform uimage2D texels;
layout(binding = 1) buffer B { uint result[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  imageStore(texels, ivec2(i, 0), uvec4(i));
  memoryBarrierImage();
  barrier();
  memoryBarrierImage();
  result[i] = imageLoad(texels, ivec2((i + 1) % 8, 0)).x;
}
