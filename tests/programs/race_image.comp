// -- a texel is read by another invocation than has stored it: the barrier orders workgroup memory alone
// image 0 r32ui 2d 8x1
// buffer 1 poison: 32
// expect 1 u32: 1..7 0
// model-only: what a device gives is its own business
// finding race_image.comp:15: data race: OpImageRead of 'texels[1,0]', invocation 0,0,0 of dispatch 0; against the store by 1,0,0 at race_image.comp:13; it read 1
#version 460
layout(local_size_x = 8) in;
layout(binding = 0, r32ui) uniform uimage2D texels;
layout(binding = 1) buffer B { uint result[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  imageStore(texels, ivec2(i, 0), uvec4(i));
  barrier();
  result[i] = imageLoad(texels, ivec2((i + 1) % 8, 0)).x;
}
