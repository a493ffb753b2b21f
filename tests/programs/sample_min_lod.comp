// -- the least level of detail that an instruction or the sampler allows
// model-only: lavapipe has no shaderResourceMinLod
// image 0.0 r32f 2d 4x4 levels 3 f32: 16*1 4*2 3
// sampler 0.0: nearest
// image 0.1 r32f 2d 4x4 levels 3 f32: 16*1 4*2 3
// sampler 0.1: min-lod=1.75
// buffer 2 poison: 24
// expect 2 f32: 1 2 3 3 3 2
#version 460
#extension GL_ARB_sparse_texture_clamp : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D t[2];
layout(binding = 2) buffer B { float o[]; };
void main() {
  o[0] = textureGradClampARB(t[0], vec2(0.5), vec2(0.25, 0), vec2(0), 0.25).x; o[1] = textureGradClampARB(t[0], vec2(0.5), vec2(0.25, 0), vec2(0), 1.0).x;
  o[2] = textureGradClampARB(t[0], vec2(0.5), vec2(0.25, 0), vec2(0), 2.0).x; o[3] = textureGradClampARB(t[1], vec2(0.5), vec2(0.25, 0), vec2(0), 0.5).x;
  o[4] = textureGradOffsetClampARB(t[0], vec2(0.5), vec2(1, 0), vec2(0), ivec2(1, 0), 1.0).x; o[5] = textureLod(t[0], vec2(0.5), 1.0).x;
}
