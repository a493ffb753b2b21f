// -- gathers: order, components, offsets known and computed, four offsets, integers, arrays, the border
// image 0 rgba32f 2d 2x2 f32: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// sampler 0: clamp-to-edge
// image 1 r32ui 2d 4x4 layers 2 u32: 0..31
// sampler 1: repeat
// image 2 r32f 2d 2x2 f32: 1 2 3 4
// sampler 2: clamp-to-border,border=0/0/0/1
// buffer 3 poison: 224
// -- texels (0,1) (1,1) (1,0) (0,0) of components 0, 1, 3 and 2
// expect 3 f32: 9 13 5 1  10 14 6 2  12 16 8 4  11 15 7 3
// -- moved by (1,0) and by (-1,1), where the edge is repeated; four offsets of their own
// expect 3 f32: 13 13 5 5  9 9 9 9  1 5 9 13
// -- the middle of layer 1; around the corner of layer 0; component 3; the middle moved by (-5,3)
// expect 3 f32: 25 26 22 21  3 0 12 15  1 1 1 1  20 21 17 16
// -- the border is 0, and 1 in component 3
// expect 3 f32: 0 1 0 0  4 0 0 2  1 1 1 1
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) uniform usampler2DArray u;
layout(binding = 2) uniform sampler2D v;
layout(binding = 3) buffer B { vec4 o[]; };
void main() {
  o[0] = textureGather(t, vec2(0.5)); o[1] = textureGather(t, vec2(0.5), 1); o[2] = textureGather(t, vec2(0.5), 3);
  o[3] = textureGather(t, vec2(0.25), 2); o[4] = textureGatherOffset(t, vec2(0.5), ivec2(1, 0), 0);
  ivec2 moved = ivec2(gl_WorkGroupID.x - 1, gl_WorkGroupID.x + 1);
  o[5] = textureGatherOffset(t, vec2(0.5), moved, 0);
  o[6] = textureGatherOffsets(t, vec2(0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(1, 1)), 0);
  o[7] = vec4(textureGather(u, vec3(0.5, 0.5, 1))); o[8] = vec4(textureGather(u, vec3(0, 0, 0))); o[9] = vec4(textureGather(u, vec3(0.5, 0.5, 0), 3));
  o[10] = vec4(textureGatherOffset(u, vec3(0.5, 0.5, 0.75), ivec2(-5, 3)));
  o[11] = textureGather(v, vec2(0)); o[12] = textureGather(v, vec2(1, 0.5)); o[13] = textureGather(v, vec2(0), 3);
}
