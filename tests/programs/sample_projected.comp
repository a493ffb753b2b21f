// -- projections: each coordinate divided by the last one; with levels, gradients, offsets, in one, two and three dimensions
// image 0 r32f 2d 4x4 levels 3 f32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 100 101 102 103 1000
// sampler 0: nearest
// image 1 r32f 1d 8x1 f32: 0 1 2 3 4 5 6 7
// sampler 1: linear
// image 2 r32f 3d 2x2x2 f32: 0 1 2 3 4 5 6 7
// sampler 2: repeat
// buffer 3 poison: 40
// expect 3 f32: 9 103 1000 14 101 3.5 2.5 6 1 3
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform sampler1D row;
layout(binding = 2) uniform sampler3D volume;
layout(binding = 3) buffer B { float o[]; };
void main() {
  o[0] = textureProj(plane, vec3(0.75, 1.25, 2)).x; o[1] = textureProjLod(plane, vec4(1.5, 1.5, 9, 2), 1).x;
  o[2] = textureProjGrad(plane, vec3(1, 1, 2), vec2(1, 0), vec2(0)).x;
  o[3] = textureProjOffset(plane, vec3(0.75, 1.25, 2), ivec2(1, 1)).x;
  o[4] = textureProjLodOffset(plane, vec3(0.5, 0.5, 2), 1, ivec2(1, 0)).x;
  o[5] = textureProj(row, vec2(1, 2)).x; o[6] = textureProjLod(row, vec4(1.5, 7, 7, 4), 0).x;
  o[7] = textureProj(volume, vec4(0.5, 1.5, 3.5, 2)).x; o[8] = textureProj(volume, vec4(1.5, 0.5, 4.5, 2)).x; o[9] = textureProjOffset(volume, vec4(0.5, 0.5, 0.5, 2), ivec3(1, -1, 2)).x;
}
