// -- an access behind a choice has no line: what is named is not a later line, which only some invocations reach
// image 0 r32ui 2d 64x1 u32: 64*0
// buffer 1 poison: 256
// one-order
// model-only: what a race gives on a device is its own business
// expect 0 u32: 0..63
// expect 1 u32: 64*1
// finding race_behind_choice.comp:18: data race: OpImageWrite of 'im[0,0]', invocation 0,0,0 of dispatch 0; against the load by 63,0,0 at race_behind_choice.comp:15
#version 460
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) uniform uimage2D im;
layout(binding = 1) buffer O { uint o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  o[l] = imageLoad(im, ivec2(int((l + 1u) & 63u), 0)).x;
  if ((l > 5u ? bitfieldReverse(l) : l) != 7u) {
    o[l] += 1u;
    imageStore(im, ivec2(l, 0), uvec4(l));
  }
}
