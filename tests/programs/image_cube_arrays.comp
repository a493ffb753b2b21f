// -- arrays of cubes, stored and read by (x, y, 6 * layer + face) and sampled by direction and layer; reading without a format
// model-only: lavapipe does not read images without a format
// image 0 r32f cube 1x1 layers 12 f32: 0 1 2 3 4 5 6 7 8 9 10 11
// view 1 of 0
// sampler 1: nearest
// image 2 r32f 2d 2x1 f32: 5 6
// buffer 3 poison: 32
// expect 0 f32: 0 1 2 3 4 5 6 107 8 9 10 11
// expect 3 f32: 3 9 10 4 7 12 5 6
#version 460
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 1) in;
layout(binding = 0, r32f) uniform imageCubeArray cubes;
layout(binding = 1) uniform samplerCubeArray directions;
layout(binding = 2) uniform image2D any;
layout(binding = 3) buffer B { float o[]; };
void main() {
  o[0] = imageLoad(cubes, ivec3(0, 0, 3)).x;
  o[1] = imageLoad(cubes, ivec3(0, 0, 9)).x;
  o[2] = textureLod(directions, vec4(0, 0, 1, 1), 0.0).x;
  o[3] = textureLod(directions, vec4(0, 0, 1, 0), 0.0).x;
  imageStore(cubes, ivec3(0, 0, 7), vec4(107));
  o[4] = float(textureSize(directions, 0).z + imageSize(any).x + imageSize(any).y + 2);
  o[5] = float(imageSize(cubes).z * 6);
  o[6] = imageLoad(any, ivec2(0, 0)).x;
  o[7] = imageLoad(any, ivec2(1, 0)).x;
}
