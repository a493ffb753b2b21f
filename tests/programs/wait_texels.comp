// -- each workgroup waits for the texel before its own by its number in a chain: in this order that has always ended
// model-only: it waits for another workgroup
// one-order
// groups 4 1 1
// image 0 r32ui 2d 128x1 u32: 128*0
// buffer 1 u32: 0..127
// expect 0 u32: 4*1 124*0
// expect 1 u32: 0..127
#version 460
layout(local_size_x = 1) in;
layout(binding = 0, r32ui) uniform uimage2D flags;
layout(binding = 1) readonly buffer Chain { int place[]; };
void main() {
  const int own = place[gl_WorkGroupID.x];
  while (own != 0 && imageAtomicOr(flags, ivec2(own - 1, 0), 0) == 0) {}
  imageAtomicExchange(flags, ivec2(own, 0), 1);
}
