// -- sizes of every shape, of levels, of views; levels and samples
// image 0 rgba8ui 1d 7x1 levels 3 u8: 44*0
// image 1 rgba8ui 1d 5x1 layers 3 u8: 60*0
// image 2 rgba8ui 2d 9x5 levels 4 u8: 236*0
// image 3 rgba8ui 3d 4x3x2 levels 2 u8: 104*0
// image 4 rgba8ui cube 4x4 layers 12 levels 3 u8: 1008*0
// view 5 of 4
// view 5 base-level 1
// buffer 6 poison: 112
// expect 6 u32: 7 3 3 5 3 9 5 4 2 4 1 4 3 2 2 1 1 4 4 2 3 2 2 1 4 4 12 28
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform utexture1D row;
layout(binding = 1) uniform utexture1DArray rows;
layout(binding = 2) uniform utexture2D plane;
layout(binding = 3) uniform utexture3D volume;
layout(binding = 4) uniform utextureCubeArray cubes;
layout(binding = 5, rgba8ui) uniform readonly uimage2DArray layers;
layout(binding = 6) buffer B { uint o[]; };
int n = 0;
void put(ivec3 v, int count) { for (int i = 0; i < count; ++i) o[n++] = v[i]; }
void main() {
  put(ivec3(textureSize(row, 0)), 1); put(ivec3(textureSize(row, 1)), 1); o[n++] = textureQueryLevels(row);
  put(ivec3(textureSize(rows, 0), 0), 2);
  put(ivec3(textureSize(plane, 0), 0), 2); put(ivec3(textureSize(plane, 1), 0), 2); o[n++] = textureQueryLevels(plane); put(ivec3(textureSize(plane, 3), 0), 1);
  put(textureSize(volume, 0), 3); put(textureSize(volume, 1), 3);
  put(textureSize(cubes, 0), 3); o[n++] = textureQueryLevels(cubes); put(textureSize(cubes, 1), 2); put(textureSize(cubes, 2), 1);
  put(imageSize(layers) * ivec3(2, 2, 1), 3);
  o[n++] = 28;
}
