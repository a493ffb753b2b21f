// -- linear filtering in one, two and three dimensions and in array layers, at places whose weights are multiples of 1/256 and at others
// -- that are rounded to them exactly
// image 0 r32f 2d 4x4 f32: 0 1 2 3 10 11 12 13 20 21 22 23 30 31 32 33
// sampler 0: linear,clamp-to-edge
// image 1 rgba32f 3d 2x2x2 f32: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
// sampler 1: linear,repeat
// image 2 r32f 1d 4x1 layers 3 f32: 0 256 512 1024 1 257 513 1025 2 258 514 1026
// sampler 2: linear,mirrored-repeat
// image 3 r32f 2d 2x2 layers 3 f32: 1 2 3 4 5 6 7 8 9 10 11 12
// sampler 3: linear,clamp-to-border
// buffer 4 poison: 1024
// expect 4 f32: definition
// differs lavapipe-16 without avx512f: a layer of exactly a half is rounded up
// differs nvidia: weights of a linear filter have 8 bits
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform sampler3D volume;
layout(binding = 2) uniform sampler1DArray rows;
layout(binding = 3) uniform sampler2DArray layers;
layout(binding = 4) buffer B { float o[]; };
void main() {
  uint l = gl_LocalInvocationIndex;
  vec2 p = vec2(l % 8, l / 8) * 0.140625 - 0.0625;
  o[l] = textureLod(plane, p, 0).x;
  o[64 + l] = textureLod(volume, vec3(p, float(l) * 0.0625), 0)[l & 3];
  o[128 + l] = textureLod(rows, vec2(float(l) * 0.0009765625 * 3.0, float(l) * 0.0625 - 0.5), 0).x;
  o[192 + l] = textureLod(layers, vec3(p, float(l) * 0.0625 - 0.5), 0).x;
}
