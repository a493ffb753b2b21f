// -- texels outside of what a view shows of an image, told in the view's own sizes; near misses: its last texels
// image 0 r32ui 2d 8x4 layers 2 levels 3 u32: 0..83
// view 1 of 0 base-level 1 base-layer 1 layers 1
// texel-buffer 2 r32ui u32: 5 6 7 8
// view 2 offset 8 size 8
// buffer 3 poison: 24
// model-only: the line of each access is the model's business
// expect 3 u32: 0 0 0 79 83 8
// finding finding_view.comp:19: out of range (texel): OpImageFetch of 'view[4,0]', outside of 4x2x1, invocation 0,0,0 of dispatch 0
// finding finding_view.comp:20: out of range (texel): OpImageFetch of 'view[0,1]', outside of 2x1x1, invocation 0,0,0 of dispatch 0
// finding finding_view.comp:21: out of range (texel): OpImageFetch of 'part[2]', outside of 2x1x1, invocation 0,0,0 of dispatch 0
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 1) uniform utexture2D view;
layout(binding = 2) uniform utextureBuffer part;
layout(binding = 3) buffer B { uint o[]; };
void main() {
  o[0] = texelFetch(view, ivec2(4, 0), 0).x;
  o[1] = texelFetch(view, ivec2(0, 1), 1).x;
  o[2] = texelFetch(part, 2).x;
  o[3] = texelFetch(view, ivec2(3, 1), 0).x;
  o[4] = texelFetch(view, ivec2(1, 0), 1).x;
  o[5] = texelFetch(part, 1).x;
}
