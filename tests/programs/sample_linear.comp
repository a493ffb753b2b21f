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
// expect 4 f32: 0 0 0.375 0.9375 1.5 2.0625 2.625 3 0 0 0.375 0.9375 1.5 2.0625 2.625 3 3.75 3.75 4.125 4.6875 5.25 5.8125 6.375 6.75 9.375 9.375 9.75 10.3125 10.875 11.4375 12 12.375 15 15 15.375 15.9375 16.5 17.0625 17.625 18 20.625 20.625 21 21.5625 22.125 22.6875 23.25 23.625 26.25 26.25 26.625 27.1875 27.75 28.3125 28.875 29.25 30 30 30.375 30.9375 31.5 32.0625 32.625 33 16.5 14.375 12.25 11.875 8 12.125 15.75 17.625 14.25 16.125 18 21.625 21.75 21.875 21.5 19.375 12 9.875 7.75 7.375 3.5 7.625 11.25 13.125 13.25 15.125 17 20.625 20.75 20.875 20.5 18.375 15.5 13.375 11.25 10.875 7 11.125 14.75 16.625 17.75 19.625 21.5 25.125 25.25 25.375 25 22.875 19 16.875 14.75 14.375 10.5 14.625 18.25 20.125 16.75 18.625 20.5 24.125 24.25 24.375 24 21.875 17*0 15*1 11*2 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 0.140625 0.24609375 0.3515625 0.45703125 0.5625 0.66796875 0.703125 0.4921875 0.24609375 0.430664062 0.615234375 0.799804688 0.984375 1.16894531 1.23046875 0.861328125 0.3515625 3.07617188 4.39453125 4.89257812 5.15625 5.41992188 5.2734375 3.69140625 2.0390625 3.56835938 5.09765625 5.65625 5.9375 6.21875 6.03515625 4.22460938 3.75 6.5625 9.375 10.21875 10.5 10.78125 10.3125 7.21875 3.9609375 6.93164062 9.90234375 10.78125 11.0625 11.34375 10.8398438 7.58789062 3.8671875 6.76757812 9.66796875 10.5175781 10.78125 11.0449219 10.546875 7.3828125 2.70703125 4.73730469 6.76757812 7.36230469 7.546875 7.73144531 7.3828125 5.16796875
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
