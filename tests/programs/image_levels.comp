// -- a sampled image with levels, read by texelFetch
// image 0 r32ui 2d 4x4 levels 3 u32: 0..20
// buffer 1 poison: 48
// expect 1 u32: 11 17 20 22 11 3 19 1 0 0 0 0
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform utexture2D t;
layout(binding = 1) buffer B { uint o[]; };
void main() {
  o[0] = texelFetch(t, ivec2(3, 2), 0).x; o[1] = texelFetch(t, ivec2(1, 0), 1).x; o[2] = texelFetch(t, ivec2(0, 0), 2).x;
  ivec2 s = textureSize(t, 1); o[3] = s.x * 10 + s.y; s = textureSize(t, 2); o[4] = s.x * 10 + s.y; o[5] = textureQueryLevels(t);
  o[6] = texelFetch(t, ivec2(1, 1), 1).x + texelFetch(t, ivec2(0, 3), 0).y; o[7] = texelFetch(t, ivec2(0, 3), 0).w;
  for (int i = 8; i < 12; ++i) o[i] = 0;
}
