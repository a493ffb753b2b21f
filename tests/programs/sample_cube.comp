// -- cubes: the six faces, their orientation, edges shared with the neighbours; cube arrays; a cube among the layers of an array
// image 0 r32f cube 2x2 f32: 0 3 6 9 30 33 36 39 60 63 66 69 90 93 96 99 120 123 126 129 150 153 156 159
// sampler 0: nearest
// view 1 of 0
// sampler 1: linear
// image 2 r32f cube 1x1 layers 12 f32: 3 6 9 12 15 18 21 24 27 30 33 36
// sampler 2: nearest
// view 3 of 2
// view 3 base-layer 6
// sampler 3: nearest
// buffer 4 poison: 416
// -- the corners of each face; then linear: its middle, two edges, and nearer to an edge
// expect 4 f32: definition
// -- layers of cubes, by f / 16 + 1/2 and clamped; the second cube alone
// expect 4 f32: 3 24 27 30 33 36  21 24 27 30 33 36
// -- at a corner of the cube: the mean of three faces
// expect 4 f32: 29 29 27 29 28 30
// -- 1x1, 2 cubes
// expect 4 f32: 112  37*-1
// differs swiftshader: faces of a cube are not joined where a linear filter crosses an edge
// differs nvidia: weights of a linear filter have 8 bits
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform samplerCube faces;
layout(binding = 1) uniform samplerCube smooth_;
layout(binding = 2) uniform samplerCubeArray cubes;
layout(binding = 3) uniform samplerCube second;
layout(binding = 4) buffer B { float o[]; };
vec3 axis(int f, float a, float b) { return f == 0 ? vec3(1, a, b) : f == 1 ? vec3(-1, a, b) : f == 2 ? vec3(a, 1, b) : f == 3 ? vec3(a, -1, b) : f == 4 ? vec3(a, b, 1) : vec3(a, b, -1); }
void main() {
  int n = 0;
  for (int f = 0; f < 6; ++f)
    for (int c = 0; c < 4; ++c) o[n++] = textureLod(faces, axis(f, (c & 1) == 0 ? -0.5 : 0.5, (c & 2) == 0 ? -0.5 : 0.5), 0).x;
  for (int f = 0; f < 6; ++f) {
    o[n++] = textureLod(smooth_, axis(f, 0, 0), 0).x;
    // In the middle of a side of the face: two texels of each face, half of each, seen from both.
    o[n++] = textureLod(smooth_, axis(f, 1, 0) * 3.0, 0).x;
    o[n++] = textureLod(smooth_, axis(f, 0, -1), 0).x;
    o[n++] = textureLod(smooth_, axis(f, 0.75, 0.25), 0).x;
  }
  for (int f = 0; f < 6; ++f) o[n++] = textureLod(cubes, vec4(axis(f, 0.25, 0.5), f == 0 ? -3.0 : 0.5 + 0.0625 * f), 0).x;
  for (int f = 0; f < 6; ++f) o[n++] = textureLod(second, axis(f, 0.25, 0.5), 0).x;
  for (int f = 0; f < 6; ++f) o[n++] = textureGather(cubes, vec4(axis(f, 0, 0), 1)).y;
  ivec3 size = textureSize(cubes, 0);
  o[n++] = size.x * 100 + size.y * 10 + size.z;
  while (n < 104) o[n++] = -1;
}
